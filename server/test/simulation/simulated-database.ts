import type { Clock } from '../../src/base/clock.ts'
import { type Connection, type Database, openDatabase, type Tx } from '../../src/platform/database/database.ts'
import type { Gate, Place, Verdict } from './gate.ts'
import { clockOf, type Life, type VirtualTime } from './virtual-time.ts'

/** A statement outside any transaction that ran, with its values and what it answered. */
export type Ran = { process: number; name: string; values: readonly unknown[]; rows: readonly unknown[] }

/** The database of one simulation behind its gate, shared by all its processes. */
export type SharedDatabase = {
  /** The database as one part of a process sees it. */
  of(place: Place): Database
}

/** The real database under one simulation after the other: its connections stay, because planning every statement anew costs more than a seed. */
export type RealDatabase = { under(seed: Seed): SharedDatabase; close(): Promise<void> }

/** What differs from seed to seed. `ran` is told of every statement outside a transaction. */
type Seed = { time: VirtualTime; gate: Gate; ran: (each: Ran) => void }

/** What any caller must be ready for: the word that no bug's message has. */
export const injectedWord = 'injected'
/** One for each who waits: what waits for a promise that never settles is kept by it for ever. */
const never = () => new Promise<never>(() => {})
const gone = new Error('the process is gone')

/** PostgreSQL's own word for a server that goes away. It keeps our real connection usable, which a torn socket would not. */
const outage = () =>
  Object.assign(new Error(`${injectedWord}: terminating connection due to administrator command`), { code: '57P01', severity: 'FATAL' })
const reset = () => Object.assign(new Error(`${injectedWord}: read ECONNRESET`), { code: 'ECONNRESET' })

export function openRealDatabase(connection: Connection): RealDatabase {
  let current: Under | null = null
  const present = () => {
    if (current === null) throw new Error('bug: no simulation runs')
    return current
  }
  const clock: Clock = {
    now: () => new Date(present().time.nowMs()),
    monotonicMs: () => present().time.nowMs(),
    after(ms, work) {
      const { time, gate, retrying } = present()
      gate.over()
      return clockOf(time, retrying).after(ms, () => {
        gate.hold()
        work()
      })
    },
  }
  const real = openDatabase({ connection, clock, observe: () => {}, connectionsMax: 3 })
  return {
    under(seed) {
      current = { ...seed, retrying: { state: 'running' } }
      return sharedDatabase(real, current)
    },
    close: () => real.close(),
  }
}

/** `retrying`: whose work broke off last. The retries of `repeatable` wait on the clock of that process: only one works at a time, so it is known. */
type Under = Seed & { retrying: Life }

function sharedDatabase(real: Database, under: Under): SharedDatabase {
  const { gate, ran } = under
  const of = (place: Place): Database => {
    const { life } = place
    /** Lets the process know what came out, unless it died meanwhile. */
    const told = async <Value>(verdict: Verdict, work: () => Promise<Value>): Promise<Value> => {
      if (verdict === 'die_before') life.state = 'dead'
      if (life.state === 'dead') {
        gate.over()
        return never()
      }
      const outcome = await settled(work)
      gate.over()
      if (verdict === 'die_after') life.state = 'dead'
      if ((life.state as Life['state']) === 'dead') return never()
      if (!outcome.ok) throw outcome.error
      return outcome.value
    }
    const single = async <Value>(work: () => Promise<Value>): Promise<Value> => {
      if (life.state === 'dead') return never()
      const verdict = await gate.turn(place, false)
      return told(verdict, async () => {
        if (verdict === 'fail') throw reset()
        const value = await work()
        if (verdict === 'lose_answer') throw reset()
        return value
      })
    }
    /** One try inside the transaction that `real` opened. */
    const attempted = async <Value>(tx: Tx, verdict: Verdict, work: (tx: Tx) => Promise<Value>): Promise<Value> => {
      if (verdict === 'die_before') life.state = 'dead'
      if (life.state === 'dead') throw gone
      under.retrying = life
      if (verdict === 'fail') throw outage()
      if (verdict !== 'lose_answer') return work(tx)
      // Committed by a transaction of its own, so that the one around it can break.
      await real.transaction(work)
      throw outage()
    }

    return {
      run: (statement, values) =>
        single(async () => {
          const rows = await real.run(statement, values)
          ran({ process: place.process, name: statement.name, values, rows })
          return rows as never
        }),
      all: (query) => single(() => real.all(query)),
      transaction: (work) => single(() => real.transaction(work)),
      async repeatable(work) {
        if (life.state === 'dead') return never()
        let verdict = await gate.turn(place, false)
        return told(verdict === 'die_before' ? verdict : 'run', () =>
          real.repeatable(async (tx, attempt) => {
            if (attempt > 1) {
              gate.over()
              verdict = await gate.turn(place, true)
            }
            return attempted(tx, verdict, (each) => work(each, attempt))
          }),
        ).then((value) => {
          if (verdict !== 'die_after') return value
          life.state = 'dead'
          return never()
        })
      },
      measureClockOffset: async () => ({ offsetMs: 0, roundTripMs: 0 }),
      close: async () => {},
    }
  }
  return { of }
}

type Settled<Value> = { ok: true; value: Value } | { ok: false; error: unknown }

async function settled<Value>(work: () => Promise<Value>): Promise<Settled<Value>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, error }
  }
}
