import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { createUnsealer, type SecretKey } from '../../base/seal.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { startLoop } from '../../platform/lanes/loop.ts'
import type { Ownership } from '../../platform/lanes/ownership.ts'
import { type Pick, prepareStarts } from './dispatch.ts'
import { expireSends } from './expire.ts'
import { createFlights, type FlightsDeps, modeOf } from './flights.ts'
import {
  comeBack,
  endFlight,
  endHold,
  hasExpired,
  heldLaneMs,
  hintLane,
  holdForNotice,
  isHeldLongEnough,
  nextLookMs,
  takeExpired,
  takeNext,
} from './lane.ts'
import { createLaneSet } from './lane-set.ts'
import { findOpenSends, type LaneHint, type QueuedSend, withdrawIntents } from './send-queue.ts'
import { giveUpOnLostSends, settleOrphans } from './settle-unknown.ts'
import { createUploads } from './uploads.ts'
import type { UpstreamFiles } from './upstream-files.ts'

/** The lane that fetches files. */
export { type FileLanes, type FilesDeps, startFiles } from './file-lanes.ts'
/** What a restored database holds back. */
export { holdRestoredSends } from './hold-restored.ts'
/** Whom the lanes may send to. */
export { simulatedUpstream } from './simulate.ts'
export { graphUpstream } from './upstream.ts'
export { filesAtUpstream } from './upstream-files.ts'

export type SendsDeps = FlightsDeps & { database: Database; clock: Clock; ownership: Ownership; secretKey: SecretKey; files: UpstreamFiles }

export type SendLanes = {
  /** Something new waits in these lanes. A hint: lanes of other owners are passed over, and polling finds what no hint told. */
  wake(lanes: readonly LaneHint[]): void
  /** How much is in memory now. */
  depth(): { lanes: number; rows: number; inFlight: number }
  /** Starts nothing more and waits until what is under way has its outcome recorded, at most 35 s. */
  stop(): Promise<void>
}

const picksPerTickMax = 400
/** Of one transaction: where upstream was away for long, all that waits for all numbers expires together. */
const expiredAtOnceMax = 500
/** Half of what lies between two starts of a number. */
const spacingMs = 10
const idleMs = 1_000
const sweepEveryMs = 5_000
const holdsEveryMs = 500
const sweepRowsMax = 500

/** An intent of which it is not known whether it was committed, and after which nothing was posted. */
type UncertainIntent = { accountId: Uuid; messageId: Uuid; epoch: number }

/**
 * Moves sends upstream: one lane for each number and mode in the shards that this process owns. Order, pace and back-off are
 * decisions in memory; what is about to happen and what did happen are rows (rule: queue 1).
 */
export function startSends(deps: SendsDeps, options: { sendsPerSecond: number }): SendLanes {
  const { database, clock, observe, ownership } = deps
  const unseal = createUnsealer(deps.secretKey)
  const lanes = createLaneSet(deps, options)
  const flights = createFlights(deps, () => loop.wake())
  const uploads = createUploads(deps, () => loop.wake())
  let uncertain: UncertainIntent[] = []
  let orphansLikely = true
  let sweepAtMs = 0
  let holdsAtMs = 0

  ownership.onChange(({ taken, gone }) => {
    lanes.change(taken, gone)
    if (taken.length === 0) return
    orphansLikely = true
    loop.wake()
  })
  ownership.beforeRelease(async (shards) => {
    await loop.resting()
    await flights.settled((lane) => shards.includes(lane.shard))
  })

  const tick = async (): Promise<number> => {
    const owned = ownership.owned()
    if (owned.size === 0) return idleMs
    await withdrawUncertain()
    await settleUnknown(owned)
    await endHolds()
    await lanes.refill(owned)
    await expire()
    const picks = pick()
    if (picks.length > 0) await start(owned, picks)
    return Math.max(0, nextMs() - clock.monotonicMs())
  }

  /** Before anything else starts: what stays in flight here would be taken for sent. */
  const withdrawUncertain = async (): Promise<void> => {
    if (uncertain.length === 0) return
    await withdrawIntents(database, uncertain)
    uncertain = []
  }

  const settleUnknown = async (owned: ReadonlyMap<number, number>): Promise<void> => {
    const nowMs = clock.monotonicMs()
    const sweeping = nowMs >= sweepAtMs
    if (sweeping || orphansLikely) {
      const orphans = await settleOrphans(deps, owned, sweepRowsMax)
      for (const orphan of orphans) holdForNotice(lanes.of(orphan), orphan.messageId, orphan.contactId, nowMs)
      if (orphans.length > 0) observe({ kind: 'send.orphans_unknown', count: orphans.length })
      orphansLikely = orphans.length === sweepRowsMax
    }
    if (!sweeping) return
    sweepAtMs = nowMs + sweepEveryMs
    const lost = await giveUpOnLostSends(deps, [...owned.keys()], sweepRowsMax)
    if (lost > 0) observe({ kind: 'send.gave_up_unknown', count: lost })
  }

  /** Whom an unknown outcome holds back is free as soon as a notice, here or on another process, has settled it. */
  const endHolds = async (): Promise<void> => {
    const nowMs = clock.monotonicMs()
    if (nowMs < holdsAtMs) return
    holdsAtMs = nowMs + holdsEveryMs
    const held = [...lanes.all()].flatMap((lane) => [...lane.unknown.keys()].map((messageId) => ({ lane, messageId })))
    if (held.length === 0) return
    const some = held.slice(0, sweepRowsMax)
    const open = await findOpenSends(
      database,
      some.map(({ lane, messageId }) => ({ accountId: lane.accountId, messageId })),
    )
    for (const { lane, messageId } of some) {
      const isOpen = open.has(messageId)
      if (!isOpen || isHeldLongEnough(lane, messageId, nowMs)) endHold(lane, messageId)
      // Settled by a notice, or put back by the owner before us, who knows that it was not accepted: then it comes first.
      if (!isOpen) comeBack(lane)
    }
  }

  const expire = async (): Promise<void> => {
    const now = clock.now()
    const late: QueuedSend[] = []
    for (const lane of lanes.all()) {
      if (late.length >= expiredAtOnceMax) break
      if (hasExpired(lane, now)) for (const row of takeExpired(lane, now, expiredAtOnceMax - late.length)) late.push(row)
    }
    if (late.length > 0) observe({ kind: 'send.expired', count: await expireSends(deps, late) })
  }

  const pick = (): Pick[] => {
    const nowMs = clock.monotonicMs()
    const now = clock.now()
    const picks: Pick[] = []
    const room = { live: flights.room('live'), test: flights.room('test') }
    for (const lane of lanes.all()) {
      const mode = modeOf(lane)
      while (room[mode] > 0 && picks.length < picksPerTickMax) {
        const row = takeNext(lane, nowMs, now)
        if (row === null) break
        picks.push({ lane, row, pickedMs: nowMs })
        room[mode] -= 1
      }
    }
    return picks
  }

  const start = async (owned: ReadonlyMap<number, number>, picks: readonly Pick[]): Promise<void> => {
    const epochs = new Map(picks.map(({ lane }) => [lane.shard, owned.get(lane.shard) ?? noEpoch]))
    try {
      const prepared = await prepareStarts(
        { database, clock, unseal, files: deps.files },
        { processId: ownership.processId, shards: epochs },
        picks,
      )
      for (const each of prepared.starts) {
        each.lane.pacer.limitTo(
          each.onBusinessApp ? Math.min(limits.sendsPerSecondOnBusinessApp, options.sendsPerSecond) : options.sendsPerSecond,
        )
        each.lane.pacer.left(each.pickedMs, clock.monotonicMs())
        flights.launch(each)
      }
      for (const each of prepared.uploads) uploads.launch(each)
      for (const each of prepared.held) putBack(each, heldLaneMs)
      for (const each of prepared.gone) putBack(each, 0)
    } catch (error) {
      uncertain.push(
        ...picks.map(({ lane, row }) => ({ accountId: row.accountId, messageId: row.messageId, epoch: epochs.get(lane.shard) ?? noEpoch })),
      )
      for (const each of picks) putBack(each, 0)
      throw error
    }
  }

  const putBack = ({ lane, row }: Pick, parkedMs: number): void => {
    const nowMs = clock.monotonicMs()
    endFlight(lane, row.contactId, 0, nowMs)
    comeBack(lane)
    if (parkedMs > 0) lane.parkedUntilMs = nowMs + parkedMs
  }

  const nextMs = (): number => {
    const nowMs = clock.monotonicMs()
    const now = clock.now()
    let next = Math.min(lanes.nextMs(), sweepAtMs)
    const hasRoom = { live: flights.room('live') > 0, test: flights.room('test') > 0 }
    // Without room a landing wakes the loop.
    for (const lane of lanes.all()) if (hasRoom[modeOf(lane)]) next = Math.min(next, nextLookMs(lane, nowMs, now))
    return next
  }

  const loop = startLoop({ name: 'sends', clock, observe, spacingMs, tick })
  return {
    wake(hints) {
      const owned = ownership.owned()
      const ours = hints.filter((hint) => owned.has(hint.shard))
      for (const hint of ours) hintLane(lanes.of(hint))
      if (ours.length > 0) loop.wake()
    },
    depth() {
      const all = [...lanes.all()]
      return { lanes: all.length, rows: all.reduce((sum, lane) => sum + lane.rows.length, 0), inFlight: flights.count() }
    },
    async stop() {
      await loop.stop()
      await flights.settled(() => true)
      flights.giveUp()
    },
  }
}

/** No shard has it: an intent under it changes nothing. */
const noEpoch = -1
