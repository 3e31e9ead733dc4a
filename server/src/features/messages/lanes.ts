import type { Clock } from '../../base/clock.ts'
import { formatId } from '../../base/id.ts'
import type { SecretKey } from '../../base/seal.ts'
import { limits } from '../../limits.ts'
import { createBatcher } from '../../platform/database/batcher.ts'
import type { Database } from '../../platform/database/database.ts'
import { isDataFailure } from '../../platform/database/failure.ts'
import { type LoopObservation, startLoop } from '../../platform/lanes/loop.ts'
import type { Ownership } from '../../platform/lanes/ownership.ts'
import { createPacer } from '../../platform/lanes/pacer.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { type Pick, prepareStarts, type Start } from './dispatch.ts'
import { expireSends } from './expire.ts'
import {
  brake,
  createLane,
  endFlight,
  fillLane,
  heldLaneMs,
  hintLane,
  isIdle,
  type Lane,
  liftBrakes,
  nextLookMs,
  takeExpired,
  takeNext,
} from './lane.ts'
import { type FinishedSend, recordOutcomes } from './record-outcomes.ts'
import { discoverLanes, type LaneHint, loadLanes, withdrawIntents } from './send-queue.ts'
import { giveUpOnLostSends, settleOrphans } from './settle-unknown.ts'
import type { Upstream } from './upstream.ts'

export type SendObservation =
  | LoopObservation
  | {
      kind: 'send.finished'
      messageId: string
      channelId: string
      livemode: boolean
      attempt: number
      outcome: string
      brake: string | null
      code: number | null
      statusCode: number | null
      ms: number
      waitedMs: number
    }
  | { kind: 'send.outcome_not_recorded'; message: string }
  | { kind: 'send.orphans_unknown'; count: number }
  | { kind: 'send.expired'; count: number }
  | { kind: 'send.gave_up_unknown'; count: number }

export type SendsDeps = {
  database: Database
  clock: Clock
  observe: (observation: SendObservation) => void
  ownership: Ownership
  live: Upstream
  test: Upstream
  secretKey: SecretKey
  wakeDeliveries: (hints: readonly DeliveryHint[]) => void
}

export type SendLanes = {
  /** Something new waits in these lanes. A hint: lanes of other owners are ignored, and polling finds what no hint told. */
  wake(lanes: readonly LaneHint[]): void
  /** How much is in memory now. */
  depth(): { lanes: number; rows: number; inFlight: number }
  /** Starts nothing more and waits until what is under way has its outcome recorded, at most 35 s. */
  stop(): Promise<void>
}

const lanesPerLoad = 500
const picksPerTickMax = 200
const pollMs = { busy: 250, idle: 1_000 }
const sweepEveryMs = 5_000
const sweepRowsMax = 500
const personBusyWhileUnknownMs = 60_000
const stopMsMax = 35_000
const slowStartMs = 1_000

/**
 * Moves sends upstream: one lane for each number and mode in the shards that this process owns. Order, pace and back-off are
 * decisions in memory; what is about to happen and what did happen are rows (rule: sends 1 to 6).
 */
export function startSends(deps: SendsDeps, options: { sendsPerSecond: number }): SendLanes {
  const { database, clock, observe, ownership } = deps
  const lanes = new Map<string, Lane>()
  const takenMs = new Map<number, number>()
  let orphansIn = true
  let uncertain: { accountId: Pick['row']['accountId']; messageId: Pick['row']['messageId']; epoch: number }[] = []
  let discoverAtMs = 0
  let sweepAtMs = 0
  let stopping = false
  const inFlight = { live: 0, test: 0 }
  let onQuiet = () => {}

  ownership.onChange(({ taken, gone }) => {
    const nowMs = clock.monotonicMs()
    for (const shard of taken) takenMs.set(shard, nowMs)
    if (taken.length > 0) {
      orphansIn = true
      discoverAtMs = 0
      loop.wake()
    }
    const lost = new Set(gone)
    for (const [key, lane] of lanes) if (lost.has(lane.shard)) lanes.delete(key)
  })
  ownership.beforeRelease((shards) => settled(new Set(shards)))

  const laneOf = (hint: LaneHint): Lane => {
    const key = `${hint.channelId} ${hint.livemode}`
    const known = lanes.get(key)
    if (known !== undefined) return known
    const nowMs = clock.monotonicMs()
    const lane = createLane(hint, createPacer(options.sendsPerSecond, nowMs, (takenMs.get(hint.shard) ?? nowMs) + slowStartMs))
    lanes.set(key, lane)
    return lane
  }

  const discover = async (owned: ReadonlyMap<number, number>) => {
    const nowMs = clock.monotonicMs()
    if (nowMs < discoverAtMs) return
    for (const hint of await discoverLanes(database, [...owned.keys()])) hintLane(laneOf(hint))
    for (const [key, lane] of lanes) if (isIdle(lane, nowMs)) lanes.delete(key)
    discoverAtMs = nowMs + (lanes.size > 0 ? pollMs.busy : pollMs.idle)
  }

  const load = async () => {
    const wanted = [...lanes.values()].filter((lane) => lane.needsLoad).slice(0, lanesPerLoad)
    // Lanes of one depth are read together; nearly all have the first depth.
    for (const [rowsMax, group] of Map.groupBy(wanted, (lane) => lane.rowsMax)) {
      const rows = Map.groupBy(await loadLanes(database, group, rowsMax), (row) => `${row.channelId} ${row.livemode}`)
      for (const lane of group) fillLane(lane, rows.get(`${lane.channelId} ${lane.livemode}`) ?? [])
    }
  }

  const expire = async () => {
    const now = clock.now()
    const late = [...lanes.values()].flatMap((lane) => takeExpired(lane, now))
    if (late.length === 0) return
    const expired = await expireSends(deps, late)
    observe({ kind: 'send.expired', count: expired })
  }

  const settleUnknown = async (owned: ReadonlyMap<number, number>) => {
    if (uncertain.length > 0) {
      await withdrawIntents(database, uncertain)
      uncertain = []
    }
    const nowMs = clock.monotonicMs()
    if (!orphansIn && nowMs < sweepAtMs) return
    const orphans = await settleOrphans(deps, owned, sweepRowsMax)
    for (const orphan of orphans) laneOf(orphan).busy.set(orphan.contactId, nowMs + personBusyWhileUnknownMs)
    if (orphans.length > 0) observe({ kind: 'send.orphans_unknown', count: orphans.length })
    orphansIn = orphans.length === sweepRowsMax
    if (nowMs < sweepAtMs) return
    sweepAtMs = nowMs + sweepEveryMs
    const lost = await giveUpOnLostSends(deps, [...owned.keys()], sweepRowsMax)
    if (lost > 0) observe({ kind: 'send.gave_up_unknown', count: lost })
  }

  const pick = (): Pick[] => {
    const nowMs = clock.monotonicMs()
    const now = clock.now()
    const picks: Pick[] = []
    const room = { live: deps.live.concurrentMax - inFlight.live, test: deps.test.concurrentMax - inFlight.test }
    for (const lane of lanes.values()) {
      const mode = lane.livemode ? 'live' : 'test'
      for (
        let row = room[mode] > 0 ? takeNext(lane, nowMs, now) : null;
        row !== null;
        row = room[mode] > 0 ? takeNext(lane, nowMs, now) : null
      ) {
        picks.push({ lane, row })
        room[mode] -= 1
        if (picks.length >= picksPerTickMax) return picks
      }
    }
    return picks
  }

  const start = async (owned: ReadonlyMap<number, number>, picks: readonly Pick[]) => {
    try {
      const prepared = await prepareStarts(deps, { processId: ownership.processId, shards: shardsOf(picks, owned) }, picks)
      for (const each of prepared.starts) run(each)
      for (const each of prepared.held) putBack(each, heldLaneMs)
      for (const each of prepared.gone) putBack(each, 0)
    } catch (error) {
      // Nothing was posted. Whether the intents were committed is not known: they are taken back before anything else starts.
      uncertain = [
        ...uncertain,
        ...picks.map(({ lane, row }) => ({ accountId: row.accountId, messageId: row.messageId, epoch: owned.get(lane.shard) ?? -1 })),
      ]
      for (const each of picks) putBack(each, 0)
      throw error
    }
  }

  const putBack = ({ lane, row }: Pick, parkedMs: number) => {
    const nowMs = clock.monotonicMs()
    endFlight(lane, row.contactId, 0, nowMs)
    lane.needsLoad = true
    if (parkedMs > 0) lane.parkedUntilMs = nowMs + parkedMs
  }

  const run = (started: Start) => {
    const mode = started.lane.livemode ? 'live' : 'test'
    started.lane.pacer.limitTo(
      started.onBusinessApp ? Math.min(limits.sendsPerSecondOnBusinessApp, options.sendsPerSecond) : options.sendsPerSecond,
    )
    inFlight[mode] += 1
    void post(started).finally(() => {
      inFlight[mode] -= 1
      onQuiet()
    })
  }

  const record = createBatcher<FinishedSend, null>({
    itemsMax: 200,
    waitingMax: 100_000,
    run: (finished) => recordOutcomes(deps, finished),
  })

  const post = async ({ lane, row, send, intentAt }: Start) => {
    const beganMs = clock.monotonicMs()
    const outcome = await deps[lane.livemode ? 'live' : 'test'].post(send)
    const endedMs = clock.monotonicMs()
    const endedAt = clock.now()
    const freeAtMs =
      outcome.kind === 'not_accepted'
        ? brake(lane, outcome.brake, row.contactId, endedMs)
        : outcome.kind === 'unknown'
          ? endedMs + personBusyWhileUnknownMs
          : 0
    if (outcome.kind === 'accepted') liftBrakes(lane, row.contactId)
    const notBefore = outcome.kind === 'not_accepted' && freeAtMs > endedMs ? new Date(endedAt.getTime() + freeAtMs - endedMs) : null
    const ms = Math.round(endedMs - beganMs)
    await recordSurely({ ...send, contactId: row.contactId, livemode: lane.livemode, intentAt, endedAt, ms, outcome, notBefore })
    // Only now: whoever is next must see the outcome in the database.
    endFlight(lane, row.contactId, freeAtMs, clock.monotonicMs())
    if (outcome.kind === 'not_accepted') lane.needsLoad = true
    observe({
      kind: 'send.finished',
      messageId: formatId('msg', send.messageId),
      channelId: formatId('ch', send.channelId),
      livemode: lane.livemode,
      attempt: send.attempt,
      outcome: outcome.kind,
      brake: outcome.kind === 'not_accepted' ? outcome.brake : null,
      code: outcome.kind === 'accepted' ? null : outcome.code,
      statusCode: outcome.statusCode,
      ms,
      waitedMs: intentAt.getTime() - row.expiresAt.getTime() + limits.queueWaitMsMax,
    })
    loop.wake()
  }

  /** A fact is not given up while we live: the database comes back. Memory is bounded, because each holds its place in flight. */
  const recordSurely = async (known: FinishedSend): Promise<void> => {
    let finished = known
    for (;;) {
      try {
        await record(finished)
        return
      } catch (error) {
        // What upstream said cannot be stored: then only a notice can tell.
        if (isDataFailure(error))
          finished = { ...known, outcome: { kind: 'unknown', because: 'not recordable', code: null, statusCode: null } }
        observe({ kind: 'send.outcome_not_recorded', message: error instanceof Error ? error.message : String(error) })
        if (stopping) return
        await new Promise<void>((resolve) => clock.after(1_000, resolve))
      }
    }
  }

  const tick = async (): Promise<number> => {
    const owned = ownership.owned()
    if (owned.size === 0) return pollMs.idle
    await settleUnknown(owned)
    await discover(owned)
    await load()
    await expire()
    const picks = pick().filter((each) => lanes.get(`${each.lane.channelId} ${each.lane.livemode}`) === each.lane)
    if (picks.length > 0) await start(owned, picks)
    const nowMs = clock.monotonicMs()
    const now = clock.now()
    const full = inFlight.live >= deps.live.concurrentMax || inFlight.test >= deps.test.concurrentMax
    let next = Math.min(discoverAtMs, sweepAtMs)
    if (!full) for (const lane of lanes.values()) next = Math.min(next, nextLookMs(lane, nowMs, now))
    return Math.max(0, next - nowMs)
  }

  /** Resolves when nothing is under way in these shards (all: null), or when the bound is reached. */
  const settled = (shards: ReadonlySet<number> | null): Promise<void> => {
    const quiet = () =>
      shards === null
        ? inFlight.live + inFlight.test === 0
        : ![...lanes.values()].some((lane) => shards.has(lane.shard) && lane.inFlight > 0)
    return new Promise((resolve) => {
      const done = () => {
        cancel()
        resolve()
      }
      const cancel = clock.after(stopMsMax, done)
      onQuiet = () => {
        if (quiet()) done()
      }
      onQuiet()
    })
  }

  const loop = startLoop({ name: 'sends', clock, observe, tick })
  return {
    wake(hints) {
      const owned = ownership.owned()
      let any = false
      for (const hint of hints) {
        if (!owned.has(hint.shard)) continue
        hintLane(laneOf(hint))
        any = true
      }
      if (any) loop.wake()
    },
    depth: () => ({
      lanes: lanes.size,
      rows: [...lanes.values()].reduce((sum, lane) => sum + lane.rows.length, 0),
      inFlight: inFlight.live + inFlight.test,
    }),
    async stop() {
      await loop.stop()
      await settled(null)
      stopping = true
    },
  }
}

function shardsOf(picks: readonly Pick[], owned: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  return new Map(picks.map(({ lane }) => [lane.shard, owned.get(lane.shard) ?? -1]))
}
