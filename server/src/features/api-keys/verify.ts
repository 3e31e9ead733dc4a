import DataLoader from 'dataloader'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { GateFull } from '../../platform/http/gate.ts'
import type { Caller } from './key.ts'
import { createLastUsed } from './last-used.ts'
import { hashOf, isWellFormed } from './secret.ts'
import { callersByHash } from './store.ts'

/** How many keys one query looks up. */
const keysPerQueryMax = 1_000
/** Keys that were right once; some 2 MB. */
const seenMax = 10_000
/** Keys that were never seen and wait; a query takes a thousand of them. */
const waitingMax = 10_000

export type KeyVerifier = {
  /**
   * Who sends this key; null when it is malformed, unknown or revoked. Throws while the database is away, and `GateFull` for a key that was
   * never right here while too many such keys wait.
   */
  verify(bearer: string): Promise<Caller | null>
  /** Writes the moments of use that are still in memory. */
  close(): Promise<void>
}

type LookUp = (hashes: readonly Buffer[]) => Promise<(Caller | null)[]>

/**
 * Looks up the keys of all requests of one event-loop turn in one prepared query. What a key may do is never remembered: a
 * revoked key is refused by the very next call, on every process. Keys that were never right here are looked up by one query at a time, so
 * that a flood of wrong ones has one connection and no right key waits for it.
 */
// rule: authentication 5, limits 2
export function createKeyVerifier(deps: { database: Database; clock: Clock }): KeyVerifier {
  const lastUsed = createLastUsed(deps)
  const lookUp: LookUp = async (hashes) => {
    const callers = await callersByHash(deps.database, hashes)
    return hashes.map((hash) => callers.get(hash.toString('hex')) ?? null)
  }
  const known = new DataLoader<Buffer, Caller | null>(lookUp, {
    cache: false,
    maxBatchSize: keysPerQueryMax,
    batchScheduleFn: (run) => setImmediate(run),
  })
  const unknown = createOneAtATime(lookUp)
  const seen = new Set<string>()
  const note = (name: string) => {
    seen.add(name)
    const [first] = seen.size > seenMax ? seen : []
    if (first !== undefined) seen.delete(first)
  }
  return {
    async verify(bearer) {
      // rule: authentication 6
      if (!isWellFormed(bearer)) return null
      const hash = hashOf(bearer)
      const name = hash.toString('latin1')
      const isSeen = seen.has(name)
      const caller = await (isSeen ? known.load(hash) : unknown(hash))
      if (caller !== null) {
        if (!isSeen) note(name)
        lastUsed.note({ accountId: caller.accountId, keyId: caller.keyId, at: deps.clock.now() })
      }
      return caller
    },
    close: () => lastUsed.close(),
  }
}

type Waiting = { hash: Buffer; resolve: (caller: Caller | null) => void; reject: (error: unknown) => void }

/** The next query starts when the one before has ended, with all that came meanwhile. */
function createOneAtATime(lookUp: LookUp): (hash: Buffer) => Promise<Caller | null> {
  const waiting: Waiting[] = []
  let isRunning = false
  const run = async () => {
    while (waiting.length > 0) {
      const some = waiting.splice(0, keysPerQueryMax)
      try {
        const callers = await lookUp(some.map((each) => each.hash))
        for (const [i, { resolve }] of some.entries()) resolve(callers[i] ?? null)
      } catch (error) {
        for (const { reject } of some) reject(error)
      }
    }
    isRunning = false
  }
  return (hash) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingMax) return reject(new GateFull())
      waiting.push({ hash, resolve, reject })
      if (isRunning) return
      isRunning = true
      // With all others of this turn.
      setImmediate(() => void run())
    })
}
