import { hostname } from 'node:os'
import type { Clock } from '../../base/clock.ts'
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
  /** Something asks, before shards are handed over, to finish what is under way in them. Bounded by the caller. */
  beforeRelease(settle: (shards: readonly number[]) => Promise<void>): void
  /** Live processes on this database, this one included, as of the last beat. */
  processes(): number
  /** Takes a first share, then keeps it. */
  start(): Promise<void>
  /** Gives everything back, so that another process can go on at once. With the database away it only tells so. */
  stop(): Promise<void>
}

const beatEveryMs = 3_000
/** By our own monotonic clock, earlier than the 10 s that the database grants: a paused process finds out before another takes over. */
const trustBeatMs = 9_000

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
  const settlers: Parameters<Ownership['beforeRelease']>[0][] = []
  let lastBeatMs = Number.NEGATIVE_INFINITY
  let processes = 1
  let loop: Loop | null = null

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
  const release = async (count: number) => {
    const shards = [...owned.keys()].slice(0, count)
    const epochs = shards.map((shard) => owned.get(shard) ?? 0)
    drop(shards)
    await Promise.all(settlers.map((settle) => settle(shards)))
    await releaseShards(database, processId, shards, epochs)
    observe({ kind: 'shards.released', shards: shards.length, owned: owned.size })
  }

  const tick = async (): Promise<number> => {
    const sentMs = clock.monotonicMs()
    const stillMine = await beat(database, processId, { host: hostname(), pid: process.pid, now: clock.now() })
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
    const share = Math.ceil(shardCount / processes)
    if (owned.size > share) await release(owned.size - share)
    else if (owned.size < share) take(await takeShards(database, processId, share - owned.size))
    // While shards are still missing another process is about to hand them over.
    return owned.size < Math.floor(shardCount / processes) ? 250 : beatEveryMs
  }

  return {
    processId,
    owned: () => (holdsLease() ? owned : new Map()),
    holdsLease,
    onChange: (listener) => listeners.push(listener),
    beforeRelease: (settle) => settlers.push(settle),
    processes: () => processes,
    async start() {
      // With the data directory locked nobody else can be alive: who is written down there died.
      if (options.alone) await forgetAllProcesses(database)
      await tick()
      loop = startLoop({ name: 'ownership', clock, observe, vitals: deps.vitals, tick })
    },
    async stop() {
      await loop?.stop()
      const shards = owned.size
      try {
        if (shards > 0) await release(shards)
        await leave(database, processId)
      } catch (error) {
        observe({ kind: 'shards.not_given_back', shards, message: faultWords(error) })
      }
    },
  }
}
