import type { Uuid } from '../../base/id.ts'
import { createRing, type Ring } from '../../base/turns.ts'
import { failingStartsMax, slots, slotsAfter } from './rules.ts'
import type { DeliveryHint } from './webhook.ts'

/** A webhook that has, or soon has, something due; only in memory, found again from the database after a restart. */
export type Lane = DeliveryHint & {
  /** `ready`: to be claimed for. `full`: its slots are taken. `resting`: looked dry. `gone`: another process's by now. */
  place: 'ready' | 'full' | 'resting' | 'gone'
  restsUntilMs: number
  /** When an attempt last started or a hint last came. */
  activeMs: number
  /** A hint came since the last claim began, which may not have seen what it hints at. */
  hinted: boolean
  /** Attempts under way, until their result is recorded. */
  inFlight: number
  slots: number
  failingSince: Date | null
  /** Whether the database was asked for `failingSince` yet; from then on we know better than it does. */
  standingKnown: boolean
  /** Has pending deliveries that are older than the partitions a claim looks at. */
  reachesBack: boolean
  /** Retries may wait: claims look for them. */
  retries: boolean
  /** When a claim last looked for retries. */
  retriesLookedMs: number
  /** Paced retries under way: at most one, and so never in the way of more than an eighth of what the webhook can take. */
  pacedInFlight: number
}

export type Grant = { lane: Lane; wanted: number }

/** The lanes of one process, and whose turn it is. Pure memory; bounded by the number of webhooks. */
export type Turns = {
  /** The lane of a hint, made when it is new. */
  laneOf(hint: DeliveryHint): Lane
  has(webhookId: Uuid): boolean
  /** Takes over, once, what the database says of a lane: one that was failing starts with a single slot. */
  learn(lane: Lane, failingSince: Date | null): void
  ready(lane: Lane): void
  rest(lane: Lane, untilMs: number): void
  /** Makes ready what has rested long enough, and answers when the next one has (Infinity: none rests). */
  wakeRested(nowMs: number): number
  hasReady(): boolean
  /**
   * rule: delivery 9. Shares out up to `free` slots: one to each account in turn, and within an account to each of its webhooks in turn.
   * Webhooks that fail have turns of their own, a few at each look, so that many of them never stand before those that answer.
   */
  grant(free: number): Grant[]
  finished(lane: Lane, received: boolean): void
  /** Forgets a lane with nothing left to do. */
  forget(lane: Lane): void
  /** Takes the lanes of these shards out of turn; what is under way ends as usual. */
  leave(shards: ReadonlySet<number>): void
}

export function createTurns(): Turns {
  const lanes = new Map<Uuid, Lane>()
  const answering = createRing<Uuid, Lane>()
  const failing = createRing<Uuid, Lane>()
  const ringOf = (lane: Lane) => (isFailing(lane) ? failing : answering)
  const resting = new Set<Lane>()
  // Never later than when the first of them has rested, so that most looks cost nothing.
  let restedMs = Number.POSITIVE_INFINITY

  const takeOut = (lane: Lane) => {
    resting.delete(lane)
    for (const ring of [answering, failing]) ring.delete(lane.accountId, lane.webhookId)
  }
  const place = (lane: Lane, at: Lane['place']) => {
    takeOut(lane)
    lane.place = at
  }
  const ready = (lane: Lane) => {
    if (lane.inFlight >= lane.slots) return place(lane, 'full')
    const ring = ringOf(lane)
    // Whoever is ready keeps its place in the ring.
    if (ring.has(lane.accountId, lane.webhookId)) return
    place(lane, 'ready')
    ring.add(lane.accountId, lane.webhookId, lane)
  }
  const leftToFailing = () => {
    let held = 0
    for (const lane of lanes.values()) if (isFailing(lane)) held += lane.inFlight
    return Math.max(0, slots.ofFailing - held)
  }
  const forget = (lane: Lane) => {
    place(lane, 'gone')
    // While attempts are under way the lane is kept, so that a hint finds it with its slots taken.
    if (lane.inFlight === 0) lanes.delete(lane.webhookId)
  }

  return {
    laneOf(hint) {
      const known = lanes.get(hint.webhookId)
      if (known !== undefined) return known
      const lane = newLane(hint)
      lanes.set(hint.webhookId, lane)
      return lane
    },
    has: (webhookId) => lanes.has(webhookId),
    learn(lane, failingSince) {
      if (lane.standingKnown) return
      lane.standingKnown = true
      lane.failingSince = failingSince
      if (failingSince === null) return
      lane.slots = 1
      if (lane.place === 'ready') ready(lane)
    },
    ready,
    rest(lane, untilMs) {
      place(lane, 'resting')
      lane.restsUntilMs = untilMs
      resting.add(lane)
      restedMs = Math.min(restedMs, untilMs)
    },
    wakeRested(nowMs) {
      if (nowMs < restedMs) return restedMs
      restedMs = Number.POSITIVE_INFINITY
      for (const lane of resting) {
        if (lane.restsUntilMs <= nowMs) ready(lane)
        else restedMs = Math.min(restedMs, lane.restsUntilMs)
      }
      return restedMs
    },
    hasReady: () => answering.accounts > 0 || failing.accounts > 0,
    grant(free) {
      const toFailing = failing.accounts === 0 ? [] : grantTurns(failing, Math.min(free, failingStartsMax, leftToFailing()))
      return [...toFailing, ...grantTurns(answering, free - toFailing.length)]
    },
    finished(lane, received) {
      lane.inFlight -= 1
      lane.slots = slotsAfter(lane.slots, received)
      if (lane.place === 'gone') forget(lane)
      else if (lane.place !== 'resting') ready(lane)
    },
    forget,
    leave(shards) {
      for (const lane of lanes.values()) if (shards.has(lane.shard)) forget(lane)
    },
  }
}

/** It has failed so often that a single attempt at a time is left to it, which is also all that a grant gives it. */
const isFailing = (lane: Lane) => lane.slots === 1

function newLane({ accountId, webhookId, shard }: DeliveryHint): Lane {
  return {
    accountId,
    webhookId,
    shard,
    place: 'gone',
    restsUntilMs: 0,
    activeMs: Number.NEGATIVE_INFINITY,
    hinted: false,
    inFlight: 0,
    slots: slots.ofWebhook,
    failingSince: null,
    standingKnown: false,
    reachesBack: false,
    retries: false,
    retriesLookedMs: Number.NEGATIVE_INFINITY,
    pacedInFlight: 0,
  }
}

/**
 * An account has at most `limits.webhooksMax` webhooks of `slots.ofWebhook` slots, 80 together, so none can ever hold half of the
 * process's slots, and no rule is needed to stop it (`rules.test.ts` watches the numbers).
 */
function grantTurns(ring: Ring<Uuid, Lane>, free: number): Grant[] {
  const granted = new Map<Lane, number>()
  ring.deal(free, (lane) => {
    const wanted = (granted.get(lane) ?? 0) + 1
    if (lane.inFlight + wanted > lane.slots) return false
    granted.set(lane, wanted)
    return true
  })
  return [...granted].map(([lane, wanted]) => ({ lane, wanted }))
}
