import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { createPacer } from '../../platform/lanes/pacer.ts'
import { beginLoad, comeBack, createLane, fillLane, isIdle, type Lane, lookAgain } from './lane.ts'
import { discoverLanes, type LaneHint, loadLanes } from './send-queue.ts'

/** The lanes that this process has in memory, filled from the queue. */
export type LaneSet = {
  all(): Iterable<Lane>
  /** Whether it is among them still. */
  has(lane: Lane): boolean
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
/** One look reads no more rows than it can without holding up the rest of the process. */
const rowsPerLoadMax = 5_000
/** All lanes together hold about so many rows; beyond, each still gets its few. */
const rowsHeldMaxDefault = 100_000
const rowsOfLaneMin = 4
/** With very many lanes looking for them takes long: so many times as long passes between two looks. */
const restsPerLook = 5
const discoverEveryMs = { busy: 250, idle: 1_000 }
const slowStartMs = 1_000

export function createLaneSet(
  deps: { database: Database; clock: Clock },
  options: { sendsPerSecond: number; rowsHeldMax?: number },
): LaneSet {
  const { database, clock } = deps
  const rowsHeldMax = options.rowsHeldMax ?? rowsHeldMaxDefault
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
    const found = await discoverLanes(database, [...owned.keys()])
    for (const hint of found) lookAgain(of(hint), nowMs)
    for (const [key, lane] of lanes) if (isIdle(lane, nowMs)) lanes.delete(key)
    const tookMs = clock.monotonicMs() - nowMs
    discoverAtMs = nowMs + Math.max(lanes.size > 0 ? discoverEveryMs.busy : discoverEveryMs.idle, restsPerLook * tookMs)
  }

  const read = async (wanted: readonly { lane: Lane; depth: number }[]) => {
    try {
      return await loadLanes(
        database,
        wanted.map(({ lane, depth }) => ({ ...placeOf(lane), depth })),
      )
    } catch (error) {
      // What the lanes lacked before they lack still.
      for (const { lane } of wanted) comeBack(lane)
      throw error
    }
  }

  /** Those that want rows, the ones that waited longest first, as many as one look reads. */
  const wanting = (): Lane[] => {
    const found: Lane[] = []
    for (const lane of lanes.values()) if (lane.needsLoad && found.push(lane) === lanesPerLoad) break
    return found
  }

  const load = async (): Promise<void> => {
    const wanted = depthsOf(wanting(), lanes, rowsHeldMax)
    if (wanted.length === 0) return
    for (const { lane } of wanted) {
      beginLoad(lane, clock.monotonicMs())
      // Last from now on, so that the same ones are not read again and again before the others.
      lanes.delete(keyOf(lane))
      lanes.set(keyOf(lane), lane)
    }
    const rows = Map.groupBy(await read(wanted), keyOf)
    for (const { lane, depth } of wanted) fillLane(lane, rows.get(keyOf(lane)) ?? [], depth)
  }

  return {
    all: () => lanes.values(),
    has: (lane) => lanes.get(keyOf(lane)) === lane,
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

/** How many rows each of these lanes may have, so that neither one look nor all lanes together hold too many. */
function depthsOf(wanting: readonly Lane[], lanes: ReadonlyMap<string, Lane>, rowsHeldMax: number): { lane: Lane; depth: number }[] {
  if (wanting.length === 0) return []
  let held = 0
  for (const lane of lanes.values()) held += lane.rows.length
  const ofLook = Math.floor(rowsPerLoadMax / wanting.length)
  const ofLane = Math.floor(rowsHeldMax / lanes.size)
  return wanting.map((lane) => {
    held -= lane.rows.length
    const room = Math.max(ofLane, rowsHeldMax - held)
    const depth = Math.max(rowsOfLaneMin, Math.min(lane.rowsWanted, ofLook, room))
    held += depth
    return { lane, depth }
  })
}

const placeOf = ({ accountId, channelId, livemode, shard }: Lane): LaneHint => ({ accountId, channelId, livemode, shard })

const keyOf = ({ channelId, livemode }: Pick<LaneHint, 'channelId' | 'livemode'>) => `${channelId} ${livemode}`
