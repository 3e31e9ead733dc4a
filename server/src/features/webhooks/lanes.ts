import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { createUnsealer, type SecretKey } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { StrangerClient } from '../../platform/fetch/post-to-stranger.ts'
import { startLoop } from '../../platform/lanes/loop.ts'
import type { Ownership } from '../../platform/lanes/ownership.ts'
import type { Vitals } from '../../platform/observe/vitals.ts'
import { claim } from './claim.ts'
import { type Claimed, deliver, type Ended } from './deliver.ts'
import { createDueSearch } from './due-search.ts'
import { createLeftAlone } from './left-alone.ts'
import type { WebhookObservation } from './observation.ts'
import { createAttemptRecorder } from './record-attempt.ts'
import { claimUsableMs, slots } from './rules.ts'
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
  vitals?: Vitals | undefined
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
/** The deadline of an attempt, and time to record it. */
const stopMsMax = 11_000
const settledAtOnceMax = 100
const spacingMs = 10

/**
 * Posts what is due in the lanes of the shards that this process owns. Nothing is remembered but what is under way: after a crash everything pending
 * is found again, because a lane stays due in the database until nothing due is left in it.
 *
 * rule: delivery 5. Several attempts of a webhook run at once, and a failed one comes again later than those after it.
 */
export function startDeliveries(deps: DeliveriesDeps): Deliveries {
  const { database, clock, observe, ownership, strangers } = deps
  const unseal = createUnsealer(deps.secretKey)
  const turns = createTurns()
  const search = createDueSearch({ database, clock, ownership, turns })
  const recorder = createAttemptRecorder(deps)
  // By the id of the delivery, or of the retry: one of each kind may be under way for the same delivery.
  const underWay = new Map<Uuid, { lane: Lane; ended: Promise<void> }>()
  const leftAlone = createLeftAlone(clock)
  let pacedUnderWay = 0
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
    const askedMs = clock.monotonicMs()
    const claimed = await claim(deps, grants, { ids: [...underWay.keys(), ...leftAlone.ids()], paced: pacedUnderWay })
    // Too old to be signed with. Nothing was written, so the lanes just stay ready; from here to the signature nothing waits.
    if (clock.monotonicMs() - askedMs >= claimUsableMs) {
      for (const { lane } of grants) lane.retries ||= lane.retriesLookedMs >= askedMs
      return
    }
    const dry = grants.filter((grant) => !start(grant, claimed.get(grant.lane.webhookId) ?? [])).map(({ lane }) => lane)
    await settle(dry)
  }

  /** Starts what was claimed for a lane; false: there is nothing to do in it, and has not been for a while. */
  const start = ({ lane, wanted }: Grant, claimed: readonly Claimed[]): boolean => {
    // The shard may have gone to another process during the claim.
    if (stopped || lane.place === 'gone' || !ownership.owned().has(lane.shard)) return true
    const nowMs = clock.monotonicMs()
    const [first] = claimed
    if (first !== undefined) turns.learn(lane, first.failingSince)
    // Said by the database where the hint was lost. Right after a look it is old news: only a settled lane takes it back.
    if (claimed.some((each) => 'hasRetries' in each && each.hasRetries) && nowMs - lane.retriesLookedMs >= restMs) lane.retries = true
    const free = Math.max(0, lane.slots - lane.inFlight)
    for (const each of claimed.slice(0, free)) begin(lane, each)
    if (claimed.slice(free).some((each) => 'retryId' in each)) lane.retries = true
    if (claimed.length > 0) lane.activeMs = nowMs
    if (claimed.length === wanted || lane.hinted) turns.ready(lane)
    // While anything is under way, or left alone, the lane is not settled: `settleLanes` says why.
    else if (lane.inFlight > 0 || lane.retries || nowMs - lane.activeMs < restMs || leftAlone.holds(lane.webhookId))
      turns.rest(lane, nowMs + restMs)
    else return false
    return true
  }

  const begin = (lane: Lane, claimed: Claimed): void => {
    const key = keyOf(claimed)
    const paced = 'retryId' in claimed && claimed.paced ? 1 : 0
    lane.inFlight += 1
    lane.pacedInFlight += paced
    pacedUnderWay += paced
    const ended = run(lane, claimed).finally(() => {
      lane.pacedInFlight -= paced
      pacedUnderWay -= paced
      underWay.delete(key)
      loop.wake()
    })
    underWay.set(key, { lane, ended })
  }

  const run = async (lane: Lane, claimed: Claimed): Promise<void> => {
    try {
      const attempt = await deliver({ clock, strangers, unseal }, claimed)
      const received = isSuccess(attempt)
      const failing = standing(lane, received, clock.now())
      if ((await recorder.record({ ...attempt, failing })) === 'refused') leftAlone.add(keyOf(claimed), lane.webhookId)
      observeAttempt(observe, claimed, attempt)
      turns.finished(lane, received)
      // A lane that rests for want of deliveries goes on with its retries.
      if (lane.retries && lane.place === 'resting') turns.ready(lane)
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
    const waiting = await settleLanes(deps, lanes.slice(0, settledAtOnceMax))
    for (const lane of lanes.slice(0, settledAtOnceMax)) {
      const { dueAt, hasRetries } = waiting.get(lane.webhookId) ?? { dueAt: null, hasRetries: false }
      lane.retries ||= hasRetries
      // Due, and yet nothing was found: it may lie further back than a claim looks.
      lane.reachesBack = dueAt !== null && dueAt <= now
      if (lane.hinted || lane.reachesBack || lane.retries) turns.ready(lane)
      else if (dueAt !== null && dueAt.getTime() - now.getTime() <= restMs)
        turns.rest(lane, clock.monotonicMs() + dueAt.getTime() - now.getTime())
      else turns.forget(lane)
    }
  }

  const loop = startLoop({ name: 'deliveries', clock, observe, vitals: deps.vitals, spacingMs, tick })
  ownership.onChange(({ gone, taken }) => {
    turns.leave(new Set(gone))
    if (taken.length > 0) search.startAgain()
    loop.wake()
  })
  ownership.beforeRelease({
    resting: () => loop.resting(),
    busyShards: () => [...underWay.values()].map(({ lane }) => lane.shard),
  })

  return {
    wake(hints) {
      if (stopped) return
      for (const hint of hints) if (ownership.owned().has(hint.shard)) noteHint(turns.laneOf(hint), hint)
      loop.wake()
    },
    async stop() {
      stopped = true
      await loop.stop()
      await within(clock, stopMsMax, () => [...underWay.values()].map((each) => each.ended))
      recorder.giveUp()
    },
  }

  function noteHint(lane: Lane, hint: DeliveryHint): void {
    lane.hinted = true
    if (hint.hasRetries === true) lane.retries = true
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

const keyOf = (claimed: Claimed): Uuid => ('retryId' in claimed ? claimed.retryId : claimed.id)

const isSuccess = (ended: Ended): boolean => ('retryId' in ended ? ended.received : ended.move.status === 'succeeded')

function observeAttempt(observe: DeliveriesDeps['observe'], claimed: Claimed, ended: Ended): void {
  const { statusCode, durationMs } = ended
  const about = { kind: 'webhook.attempt', webhookId: claimed.webhookId, eventType: claimed.eventType, statusCode, durationMs } as const
  if ('retryId' in ended) observe({ ...about, attempt: null, manual: true, outcome: ended.received ? 'succeeded' : 'unchanged' })
  else observe({ ...about, attempt: ended.attempt + 1, manual: false, outcome: ended.move.status })
}

async function within(clock: Clock, ms: number, work: () => readonly Promise<void>[]): Promise<void> {
  const late = Promise.withResolvers<void>()
  const cancel = clock.after(ms, late.resolve)
  await Promise.race([Promise.all(work()), late.promise])
  cancel()
}
