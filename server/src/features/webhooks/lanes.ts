import type { Clock } from '../../base/clock.ts'
import { lowestUuidAt, type Uuid } from '../../base/id.ts'
import type { SecretKey } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { StrangerClient } from '../../platform/fetch/post-to-stranger.ts'
import { startLoop } from '../../platform/lanes/loop.ts'
import type { Ownership } from '../../platform/lanes/ownership.ts'
import { deliver } from './deliver.ts'
import { type AttemptRow, type DueDelivery, takeDue } from './delivery-store.ts'
import { createDueSearch } from './due-search.ts'
import type { WebhookObservation } from './observation.ts'
import { createAttemptRecorder } from './record-attempt.ts'
import { slots } from './rules.ts'
import { settleLanes } from './settle.ts'
import { createTurns, type Grant, type Lane } from './turns.ts'
import type { DeliveryHint } from './webhook.ts'

export type DeliveriesDeps = {
  database: Database
  clock: Clock
  observe: (observation: WebhookObservation) => void
  ownership: Pick<Ownership, 'owned' | 'onChange' | 'beforeRelease'>
  strangers: Pick<StrangerClient, 'post'>
  secretKey: SecretKey
}

export type Deliveries = {
  /** Looks at these lanes at once. A hint: without it they are found within a second. */
  wake(hints: readonly DeliveryHint[]): void
  /** Starts no attempt any more, and resolves when those under way have ended and are recorded, or after 11 s. */
  stop(): Promise<void>
}

/** How long a lane that looked dry is left alone, and kept in mind, before it is looked at again. */
const restMs = 1_000
/** A lane that could not be worked on at all, for example for want of the right secret key. */
const troubledRestMs = 60_000
/** The ladder and the longest wait of a disabled webhook together end within this; what is older is found by the slower way. */
const reachMs = 4 * 86_400_000
const dayMs = 86_400_000
/** The deadline of an attempt, and time to record it. */
const stopMsMax = 11_000
/** Less than a lease: giving shards back must not make us lose the others. */
const releaseMsMax = 5_000
const settledAtOnceMax = 100
const lowestUuid = '00000000-0000-0000-0000-000000000000' as Uuid

/**
 * Posts what is due in the lanes of the shards that this process owns. Nothing is remembered but what is under way: after a crash everything pending
 * is found again, because a lane stays due in the database until nothing due is left in it.
 *
 * rule: delivery 5. Several attempts of a webhook run at once, and a failed one comes again later than those after it.
 */
export function startDeliveries(deps: DeliveriesDeps): Deliveries {
  const { database, clock, observe, ownership } = deps
  const turns = createTurns()
  const search = createDueSearch({ database, clock, ownership, turns })
  const recorder = createAttemptRecorder(deps)
  const underWay = new Map<Uuid, { lane: Lane; ended: Promise<void> }>()
  let stopped = false

  const tick = async (): Promise<number> => {
    if (ownership.owned().size === 0) return restMs
    await search.run()
    turns.wakeRested(clock.monotonicMs())
    const grants = turns.grant(slots.ofProcess - underWay.size)
    if (grants.length > 0) await work(grants)
    if (turns.hasReady() && underWay.size < slots.ofProcess) return 0
    return Math.max(0, Math.min(search.nextMs(), turns.wakeRested(clock.monotonicMs())) - clock.monotonicMs())
  }

  const work = async (grants: readonly Grant[]): Promise<void> => {
    for (const { lane } of grants) lane.hinted = false
    const claimed = [...(await claim(grants, false)), ...(await claim(grants, true))]
    const byLane = Map.groupBy(claimed, (each) => each.webhookId)
    const dry = grants.filter((grant) => !start(grant, byLane.get(grant.lane.webhookId) ?? [])).map(({ lane }) => lane)
    await settle(dry)
  }

  const claim = async (grants: readonly Grant[], reachesBack: boolean): Promise<DueDelivery[]> => {
    const mine = grants.filter(({ lane }) => lane.reachesBack === reachesBack)
    if (mine.length === 0) return []
    const due = clock.now()
    const from = (ms: number) => (reachesBack ? lowestUuid : lowestUuidAt(new Date(due.getTime() - ms)))
    return takeDue(database, {
      turns: mine.map(({ lane, wanted }) => ({ accountId: lane.accountId, webhookId: lane.webhookId, wanted })),
      due,
      deliveriesFrom: from(reachMs),
      eventsFrom: from(reachMs + dayMs),
      underWay: underWay.keys(),
    })
  }

  /** Starts what was claimed for a lane; false: there is nothing to do in it, and has not been for a while. */
  const start = ({ lane, wanted }: Grant, claimed: readonly DueDelivery[]): boolean => {
    // The shard may have gone to another process during the claim.
    if (stopped || lane.place === 'gone' || !ownership.owned().has(lane.shard)) return true
    const nowMs = clock.monotonicMs()
    const [first] = claimed
    if (first !== undefined) turns.learn(lane, first.failingSince)
    for (const due of claimed.slice(0, Math.max(0, lane.slots - lane.inFlight))) begin(lane, due)
    if (claimed.length > 0) lane.activeMs = nowMs
    if (claimed.length === wanted || lane.hinted) turns.ready(lane)
    else if (lane.inFlight > 0 || nowMs - lane.activeMs < restMs) turns.rest(lane, nowMs + restMs)
    else return false
    return true
  }

  const begin = (lane: Lane, due: DueDelivery): void => {
    lane.inFlight += 1
    const ended = run(lane, due).finally(() => {
      underWay.delete(due.id)
      loop.wake()
    })
    underWay.set(due.id, { lane, ended })
  }

  const run = async (lane: Lane, due: DueDelivery): Promise<void> => {
    let received = false
    try {
      const attempt = await deliver(deps, due)
      received = attempt.move.status === 'succeeded'
      const failing = standing(lane, received, clock.now())
      await recorder.record({ ...attempt, failing })
      observeAttempt(observe, due, attempt)
      turns.finished(lane, received)
    } catch (error) {
      observe({
        kind: 'webhook.attempt_not_made',
        webhookId: lane.webhookId,
        message: error instanceof Error ? error.message : String(error),
      })
      turns.finished(lane, false)
      if (lane.place !== 'gone') turns.rest(lane, clock.monotonicMs() + troubledRestMs)
    }
  }

  const settle = async (lanes: readonly Lane[]): Promise<void> => {
    if (lanes.length === 0) return
    const now = clock.now()
    const due = await settleLanes(deps, lanes.slice(0, settledAtOnceMax))
    for (const lane of lanes.slice(0, settledAtOnceMax)) {
      const dueAt = due.get(lane.webhookId) ?? null
      // Due, and yet nothing was found: it may lie further back than a claim looks.
      lane.reachesBack = dueAt !== null && dueAt <= now
      if (lane.hinted || lane.reachesBack) turns.ready(lane)
      else if (dueAt !== null && dueAt.getTime() - now.getTime() <= restMs)
        turns.rest(lane, clock.monotonicMs() + dueAt.getTime() - now.getTime())
      else turns.forget(lane)
    }
  }

  const loop = startLoop({ name: 'deliveries', clock, observe, tick })
  ownership.onChange(({ gone, taken }) => {
    turns.leave(new Set(gone))
    if (taken.length > 0) search.startAgain()
    loop.wake()
  })
  ownership.beforeRelease((shards) => {
    const theirs = new Set(shards)
    return within(clock, releaseMsMax, () => [...underWay.values()].filter(({ lane }) => theirs.has(lane.shard)).map((each) => each.ended))
  })

  return {
    wake(hints) {
      if (stopped) return
      for (const hint of hints) if (ownership.owned().has(hint.shard)) noteHint(turns.laneOf(hint))
      loop.wake()
    },
    async stop() {
      stopped = true
      await loop.stop()
      await within(clock, stopMsMax, () => [...underWay.values()].map((each) => each.ended))
      recorder.giveUp()
    },
  }

  function noteHint(lane: Lane): void {
    lane.hinted = true
    lane.activeMs = clock.monotonicMs()
    turns.ready(lane)
  }
}

/** What an attempt changes in a webhook's standing, which the lane keeps in mind from now on. */
function standing(lane: Lane, received: boolean, now: Date): { since: Date | null } | null {
  if (received === (lane.failingSince === null)) return null
  lane.failingSince = received ? null : now
  return { since: lane.failingSince }
}

function observeAttempt(observe: DeliveriesDeps['observe'], due: DueDelivery, { statusCode, durationMs, move }: AttemptRow): void {
  const { webhookId, eventType } = due
  observe({ kind: 'webhook.attempt', webhookId, eventType, attempt: due.attempt + 1, statusCode, durationMs, outcome: move.status })
}

async function within(clock: Clock, ms: number, work: () => readonly Promise<void>[]): Promise<void> {
  const late = Promise.withResolvers<void>()
  const cancel = clock.after(ms, late.resolve)
  await Promise.race([Promise.all(work()), late.promise])
  cancel()
}
