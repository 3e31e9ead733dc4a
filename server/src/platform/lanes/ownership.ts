import { hostname } from 'node:os'
import { type Clock, pause } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import type { Database } from '../database/database.ts'
import { faultWords } from '../database/failure.ts'
import type { Vitals } from '../observe/vitals.ts'
import type { HistoryGuard } from './history-guard.ts'
import { type Loop, type LoopObservation, startLoop } from './loop.ts'
import { shardCount } from './shard.ts'
import {
  beat,
  countProcesses,
  forgetAllProcesses,
  forgetDeadProcesses,
  leave,
  releaseShards,
  type ShardEpoch,
  takeShards,
} from './store.ts'

export type OwnershipObservation =
  | LoopObservation
  | { kind: 'shards.taken'; shards: number; owned: number }
  | { kind: 'shards.released'; shards: number; owned: number }
  | { kind: 'shards.lost'; shards: number }
  | { kind: 'shards.not_given_back'; shards: number; message: string }

/** A shard that this process owns; intents are fenced by its epoch. */
export type OwnedShards = ReadonlyMap<number, number>

export type Ownership = {
  readonly processId: Uuid
  /** The shards this process may work on now; empty once the heartbeat is older than the lease allows. */
  owned(): OwnedShards
  /** Whether the heartbeat is younger than the lease allows. */
  holdsLease(): boolean
  /** Calls back after each change, with what came and what went. */
  onChange(listener: (change: { taken: readonly number[]; gone: readonly number[] }) => void): void
  /** From now on a shard is handed over only when this worker has nothing under way in it, or after 36 s. */
  beforeRelease(worker: ShardWorker): void
  /** Processes that share the work on this database, this one included until it retires, as of the last beat. */
  processes(): number
  /** Takes a first share, then keeps it. */
  start(): Promise<void>
  /**
   * Owns nothing any more, and gives each shard back as soon as nothing is under way in it: idle ones at once. The lease is kept meanwhile.
   * Ends after 36 s at most. With the database away it only tells so.
   */
  retire(): Promise<void>
  /** Retires, and ends. */
  stop(): Promise<void>
}

/** What works in shards, and is asked before they are handed over. */
export type ShardWorker = {
  /** Resolves when the look under way has ended, which may still start something in a shard that has just gone. */
  resting(): Promise<void>
  /** The shards in which something is under way now. */
  busyShards(): Iterable<number>
}

const beatEveryMs = 3_000
/** By our own monotonic clock, earlier than the 10 s that the database grants: a paused process finds out before another takes over. */
const trustBeatMs = 9_000
/** A call upstream takes 30 s at most; recording it a little more. */
const handOverMsMax = 36_000
const handOverEveryMs = 50

/** A shard that was given up here, and is this process's in the database until what is under way in it has ended. */
type Leaving = { epoch: number; sinceMs: number; rested: boolean }

type Deps = {
  database: Database
  clock: Clock
  observe: (observation: OwnershipObservation) => void
  vitals?: Vitals | undefined
}

/**
 * Shares the 256 shards out among the live processes of one database. `alone`: the data directory is locked, so nobody else can be alive.
 * `guard` is asked at every beat: while it throws, this process works on nothing.
 */
export function createOwnership(deps: Deps, options: { alone: boolean; guard?: HistoryGuard }): Ownership {
  const { database, clock, observe } = deps
  const processId = newUuid(clock.now())
  const owned = new Map<number, number>()
  const listeners: Parameters<Ownership['onChange']>[0][] = []
  const workers: ShardWorker[] = []
  const leaving = new Map<number, Leaving>()
  let lastBeatMs = Number.NEGATIVE_INFINITY
  let processes = 1
  let retiring = false
  let loop: Loop | null = null
  let handing: Loop | null = null

  const holdsLease = () => clock.monotonicMs() - lastBeatMs < trustBeatMs
  const tell = (taken: readonly number[], gone: readonly number[]) => {
    for (const listener of listeners) listener({ taken, gone })
  }
  const drop = (shards: readonly number[]) => {
    for (const shard of shards) owned.delete(shard)
    tell([], shards)
  }
  const take = (rows: readonly ShardEpoch[]) => {
    for (const row of rows) owned.set(row.shard, row.epoch)
    if (rows.length === 0) return
    observe({ kind: 'shards.taken', shards: rows.length, owned: owned.size })
    tell(
      rows.map((row) => row.shard),
      [],
    )
  }
  /** Drops shards at once. Resolves when nothing can start in them any more. */
  const giveUp = (count: number): Promise<void> => {
    const sinceMs = clock.monotonicMs()
    const given: Leaving[] = []
    const shards = [...owned.keys()].slice(0, count)
    for (const shard of shards) {
      const entry = { epoch: owned.get(shard) ?? 0, sinceMs, rested: false }
      leaving.set(shard, entry)
      given.push(entry)
    }
    drop(shards)
    return Promise.all(workers.map((worker) => worker.resting())).then(() => {
      for (const entry of given) entry.rested = true
      handing?.wake()
    })
  }

  /** Beside the beat, which goes on: one slow call must not cost the lease of all other shards. */
  const handOver = async (): Promise<number> => {
    if (leaving.size === 0) return beatEveryMs
    const busy = new Set(workers.flatMap((worker) => [...worker.busyShards()]))
    const lateMs = clock.monotonicMs() - handOverMsMax
    const free = [...leaving].filter(([shard, { sinceMs, rested }]) => sinceMs <= lateMs || (rested && !busy.has(shard)))
    if (free.length > 0) {
      const shards = free.map(([shard]) => shard)
      const epochs = free.map(([, { epoch }]) => epoch)
      await releaseShards(database, processId, shards, epochs)
      for (const shard of shards) leaving.delete(shard)
      observe({ kind: 'shards.released', shards: shards.length, owned: owned.size })
    }
    return leaving.size === 0 ? beatEveryMs : handOverEveryMs
  }

  const tick = async (): Promise<number> => {
    const sentMs = clock.monotonicMs()
    const stillMine = await beat(database, processId, { host: hostname(), pid: process.pid, now: clock.now(), retiring })
    await options.guard?.check()
    lastBeatMs = sentMs
    const lost = [...owned.keys()].filter((shard) => stillMine.get(shard) !== owned.get(shard))
    if (lost.length > 0) {
      observe({ kind: 'shards.lost', shards: lost.length })
      drop(lost)
    }
    if (!options.alone) {
      await forgetDeadProcesses(database)
      processes = await countProcesses(database)
    }
    if (retiring) return beatEveryMs
    const share = Math.ceil(shardCount / processes)
    if (owned.size > share) void giveUp(owned.size - share)
    else if (owned.size < share) take(await takeShards(database, processId, share - owned.size))
    // While shards are still missing another process is about to hand them over.
    return owned.size < Math.floor(shardCount / processes) ? 250 : beatEveryMs
  }

  const giveBack = async (): Promise<void> => {
    retiring = true
    await giveUp(owned.size)
    await handing?.stop()
    // The beat under way may have taken some more; the next one tells the others that we share no longer.
    await loop?.resting()
    await giveUp(owned.size)
    loop?.wake()
    const untilMs = clock.monotonicMs() + handOverMsMax
    for (;;) {
      await handOver()
      if (leaving.size === 0 || clock.monotonicMs() > untilMs) return
      await pause(clock, handOverEveryMs)
    }
  }
  const notGivenBack = (error: unknown) =>
    observe({ kind: 'shards.not_given_back', shards: owned.size + leaving.size, message: faultWords(error) })

  return {
    processId,
    owned: () => (holdsLease() ? owned : new Map()),
    holdsLease,
    onChange: (listener) => listeners.push(listener),
    beforeRelease: (worker) => void workers.push(worker),
    processes: () => processes,
    async start() {
      // With the data directory locked nobody else can be alive: who is written down there died.
      if (options.alone) await forgetAllProcesses(database)
      await tick()
      loop = startLoop({ name: 'ownership', clock, observe, vitals: deps.vitals, tick })
      handing = startLoop({ name: 'hand-over', clock, observe, vitals: deps.vitals, tick: handOver })
    },
    retire: () => giveBack().catch(notGivenBack),
    async stop() {
      try {
        await giveBack()
        await loop?.stop()
        await leave(database, processId)
      } catch (error) {
        notGivenBack(error)
        await loop?.stop()
      }
    },
  }
}
