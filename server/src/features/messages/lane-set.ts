import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { createPacer } from '../../platform/lanes/pacer.ts'
import { beginLoad, comeBack, createLane, fillLane, isIdle, type Lane, lookAgain } from './lane.ts'
import { discoverLanes, type LaneHint, loadLanes } from './send-queue.ts'

/** The lanes that this process has in memory, filled from the queue. */
export type LaneSet = {
  all(): Iterable<Lane>
  /** The lane of a hint, made when it is new. */
  of(hint: LaneHint): Lane
  /** Shards that came and went: lanes of lost ones are forgotten, lanes of new ones start slowly and are looked for at once. */
  change(taken: readonly number[], gone: readonly number[]): void
  /** Finds lanes in which something waits, when that is due, and reads the next rows of those that want some. */
  refill(owned: ReadonlyMap<number, number>): Promise<void>
  /** When lanes are looked for next, in monotonic milliseconds. */
  nextMs(): number
}

const lanesPerLoad = 500
const discoverEveryMs = { busy: 250, idle: 1_000 }
const slowStartMs = 1_000

export function createLaneSet(deps: { database: Database; clock: Clock }, options: { sendsPerSecond: number }): LaneSet {
  const { database, clock } = deps
  const lanes = new Map<string, Lane>()
  const takenMs = new Map<number, number>()
  let discoverAtMs = 0

  const of = (hint: LaneHint): Lane => {
    const known = lanes.get(keyOf(hint))
    if (known !== undefined) return known
    const nowMs = clock.monotonicMs()
    const lane = createLane(hint, createPacer(options.sendsPerSecond, nowMs, (takenMs.get(hint.shard) ?? nowMs) + slowStartMs))
    lanes.set(keyOf(hint), lane)
    return lane
  }

  const discover = async (owned: ReadonlyMap<number, number>): Promise<void> => {
    const nowMs = clock.monotonicMs()
    if (nowMs < discoverAtMs) return
    for (const hint of await discoverLanes(database, [...owned.keys()])) lookAgain(of(hint), nowMs)
    for (const [key, lane] of lanes) if (isIdle(lane, nowMs)) lanes.delete(key)
    discoverAtMs = nowMs + (lanes.size > 0 ? discoverEveryMs.busy : discoverEveryMs.idle)
  }

  const read = async (group: readonly Lane[], rowsMax: number) => {
    try {
      return await loadLanes(database, group, rowsMax)
    } catch (error) {
      // What the lanes lacked before they lack still.
      for (const lane of group) comeBack(lane)
      throw error
    }
  }

  const load = async (): Promise<void> => {
    const wanting = [...lanes.values()].filter((lane) => lane.needsLoad).slice(0, lanesPerLoad)
    // Lanes of one depth are read together; nearly all have the first depth.
    for (const [rowsMax, group] of Map.groupBy(wanting, (lane) => lane.rowsMax)) {
      for (const lane of group) beginLoad(lane, clock.monotonicMs())
      const rows = Map.groupBy(await read(group, rowsMax), keyOf)
      for (const lane of group) fillLane(lane, rows.get(keyOf(lane)) ?? [])
    }
  }

  return {
    all: () => lanes.values(),
    of,
    change(taken, gone) {
      const nowMs = clock.monotonicMs()
      for (const shard of taken) takenMs.set(shard, nowMs)
      if (taken.length > 0) discoverAtMs = 0
      const lost = new Set(gone)
      for (const [key, lane] of lanes) if (lost.has(lane.shard)) lanes.delete(key)
    },
    async refill(owned) {
      await discover(owned)
      await load()
    },
    nextMs: () => discoverAtMs,
  }
}

const keyOf = ({ channelId, livemode }: Pick<LaneHint, 'channelId' | 'livemode'>) => `${channelId} ${livemode}`
