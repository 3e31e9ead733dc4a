import type { Clock } from '../../base/clock.ts'
import { formatId, type Uuid } from '../../base/id.ts'
import { createUnsealer, type SecretKey } from '../../base/seal.ts'
import { createRing } from '../../base/turns.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { faultWords, isDataFailure } from '../../platform/database/failure.ts'
import { inHalves } from '../../platform/database/halves.ts'
import { startLoop } from '../../platform/lanes/loop.ts'
import type { Ownership } from '../../platform/lanes/ownership.ts'
import { markDisconnected } from '../channels/public.ts'
import { type Pick, type Prepared, prepareStarts } from './dispatch.ts'
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
  type Lane,
  looked,
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
export { createInboundQuota } from './inbound-quota.ts'
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

const modes = ['live', 'test'] as const
/** When a send that stands alone with its fault is tried again. */
const againMs = 10_000
const unsettledMax = 10_000
const tokenNotOpened = 'The token of this number cannot be opened: it was given under another SECRET_KEY. Give the token again.'

/** An intent of which it is not known whether it was committed, and after which nothing was posted. */
type UncertainIntent = { accountId: Uuid; messageId: Uuid; shard: number; epoch: number }

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
  const rings = { live: createRing<Uuid, Lane>(), test: createRing<Uuid, Lane>() }
  /** Until when sends whose end cannot be written down are left alone. */
  const unsettled = new Map<Uuid, number>()
  let uncertain: UncertainIntent[] = []
  let orphansLikely = true
  let sweepAtMs = 0
  let holdsAtMs = 0
  let holdsFrom = 0

  ownership.onChange(({ taken, gone }) => {
    lanes.change(taken, gone)
    if (taken.length === 0) return
    orphansLikely = true
    loop.wake()
  })
  ownership.beforeRelease({
    resting: () => loop.resting(),
    busyShards: () => [...flights.lanesUnderWay(), ...uncertain].map(({ shard }) => shard),
  })

  const tick = async (): Promise<number> => {
    await withdrawUncertain()
    const owned = ownership.owned()
    if (owned.size === 0) return idleMs
    await settleUnknown(owned)
    await endHolds()
    await lanes.refill(owned)
    const due = lanesDue()
    await expire(due)
    const picks = pick(due)
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
    const held: { lane: Lane; messageId: Uuid }[] = []
    for (const lane of lanes.all()) for (const messageId of lane.unknown.keys()) held.push({ lane, messageId })
    if (held.length === 0) return
    // In turn where there are more than one look reads.
    holdsFrom = holdsFrom < held.length ? holdsFrom : 0
    const some = held.slice(holdsFrom, holdsFrom + sweepRowsMax)
    holdsFrom += some.length
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

  /** The lanes to which something happened, or in which something is due: the only ones that a tick looks into. */
  const lanesDue = (): Lane[] => {
    const nowMs = clock.monotonicMs()
    const due: Lane[] = []
    for (const lane of lanes.all()) if (lane.lookMs <= nowMs) due.push(lane)
    return due
  }

  const expire = async (due: readonly Lane[]): Promise<void> => {
    const now = clock.now()
    const late: QueuedSend[] = []
    for (const lane of due) {
      if (late.length >= expiredAtOnceMax) break
      if (hasExpired(lane, now)) for (const row of takeExpired(lane, now, expiredAtOnceMax - late.length)) late.push(row)
    }
    if (late.length === 0) return
    const nowMs = clock.monotonicMs()
    const ended = await expireSends(
      deps,
      late.filter(({ messageId }) => (unsettled.get(messageId) ?? 0) <= nowMs),
    )
    if (ended.count > 0) observe({ kind: 'send.expired', count: ended.count })
    if (unsettled.size > unsettledMax) unsettled.clear()
    for (const { messageId } of ended.refused) unsettled.set(messageId, nowMs + againMs)
  }

  /** rule: queue 8. Picks for the calls that may start, in turns of accounts, and within an account of its numbers. */
  const pick = (due: readonly Lane[]): Pick[] => {
    const nowMs = clock.monotonicMs()
    const now = clock.now()
    for (const lane of due) rings[modeOf(lane)].add(lane.accountId, lane.channelId, lane)
    const picks: Pick[] = []
    const take = (lane: Lane): boolean => {
      const row = lanes.has(lane) ? takeNext(lane, nowMs, now) : null
      if (row === null) rings[modeOf(lane)].delete(lane.accountId, lane.channelId)
      else picks.push({ lane, row, pickedMs: nowMs })
      return row !== null
    }
    for (const mode of modes) rings[mode].deal(Math.min(flights.room(mode), picksPerTickMax - picks.length), take)
    for (const lane of due) looked(lane, nowMs, now)
    return picks
  }

  /** Starts what was picked. Where the data of one are refused it is done in halves, so that it stops no other. */
  const start = (owned: ReadonlyMap<number, number>, picks: readonly Pick[]): Promise<void> =>
    inHalves(picks, (some) => startTogether(owned, some), {
      done: () => {},
      failed: (some, error) => {
        if (!isDataFailure(error)) throw error
        for (const each of some) holdBack(each, error)
      },
    })

  const startTogether = async (owned: ReadonlyMap<number, number>, picks: readonly Pick[]): Promise<void> => {
    const epochs = new Map(picks.map(({ lane }) => [lane.shard, owned.get(lane.shard) ?? noEpoch]))
    const prepared = await prepare(epochs, picks)
    for (const each of prepared.starts) {
      each.lane.pacer.limitTo(
        each.onBusinessApp ? Math.min(limits.sendsPerSecondOnBusinessApp, options.sendsPerSecond) : options.sendsPerSecond,
      )
      each.lane.pacer.left(each.pickedMs, clock.monotonicMs())
      flights.launch(each)
    }
    for (const each of prepared.uploads) uploads.launch(each)
    for (const each of [...prepared.held, ...prepared.unusable]) putBack(each, heldLaneMs)
    for (const each of prepared.gone) putBack(each, 0)
    for (const { item, error } of prepared.failed) holdBack(item, error)
    await disconnect(prepared.unusable)
  }

  const prepare = async (shards: ReadonlyMap<number, number>, picks: readonly Pick[]): Promise<Prepared> => {
    try {
      return await prepareStarts({ database, clock, unseal, files: deps.files }, { processId: ownership.processId, shards }, picks)
    } catch (error) {
      // Of refused data it is known that no intent was written, and what is refused is tried in halves.
      if (isDataFailure(error)) throw error
      uncertain.push(
        ...picks.map(({ lane: { shard }, row: { accountId, messageId } }) => ({
          ...{ accountId, messageId, shard },
          epoch: shards.get(shard) ?? noEpoch,
        })),
      )
      for (const each of picks) putBack(each, 0)
      throw error
    }
  }

  /** This one cannot be prepared: its person waits, so that their order is kept, and everybody else goes on. */
  const holdBack = ({ lane, row }: Pick, error: unknown): void => {
    const nowMs = clock.monotonicMs()
    observe({ kind: 'send.not_prepared', messageId: formatId('msg', row.messageId), message: faultWords(error) })
    endFlight(lane, row.contactId, nowMs + againMs, nowMs)
    comeBack(lane)
  }

  /** Numbers whose tokens cannot be opened are like those whose tokens upstream refuses. */
  const disconnect = async (unusable: readonly Pick[]): Promise<void> => {
    const channels = new Map(unusable.map(({ lane }) => [lane.channelId, lane.accountId]))
    if (channels.size === 0) return
    for (const channelId of channels.keys()) observe({ kind: 'send.token_not_opened', channelId: formatId('ch', channelId) })
    const gone = [...channels].map(([channelId, accountId]) => ({ accountId, channelId, because: tokenNotOpened, at: clock.now() }))
    await database.transaction((tx) => markDisconnected(tx, gone))
  }

  const putBack = ({ lane, row }: Pick, parkedMs: number): void => {
    const nowMs = clock.monotonicMs()
    endFlight(lane, row.contactId, 0, nowMs)
    comeBack(lane)
    if (parkedMs > 0) lane.parkedUntilMs = nowMs + parkedMs
  }

  const nextMs = (): number => {
    let next = Math.min(lanes.nextMs(), sweepAtMs)
    const hasRoom = { live: flights.room('live') > 0, test: flights.room('test') > 0 }
    // Without room a landing wakes the loop.
    for (const lane of lanes.all()) if (hasRoom[modeOf(lane)]) next = Math.min(next, lane.lookMs)
    return next
  }

  const loop = startLoop({ name: 'sends', clock, observe, vitals: deps.vitals, spacingMs, tick })
  return {
    wake(hints) {
      const owned = ownership.owned()
      const ours = hints.filter((hint) => owned.has(hint.shard))
      for (const hint of ours) hintLane(lanes.of(hint))
      if (ours.length > 0) loop.wake()
    },
    depth() {
      const depth = { lanes: 0, rows: 0, inFlight: flights.count() }
      for (const lane of lanes.all()) {
        depth.lanes += 1
        depth.rows += lane.rows.length
      }
      return depth
    },
    async stop() {
      await loop.stop()
      // With the database away they stay: the next owner takes them for sent.
      await withdrawUncertain().catch(() => {})
      uncertain = []
      await flights.settled()
      flights.giveUp()
    },
  }
}

/** No shard has it: an intent under it changes nothing. */
const noEpoch = -1
