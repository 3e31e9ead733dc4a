import type { Clock } from '../../base/clock.ts'
import { lowestUuidAt, type Uuid } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Claimed } from './deliver.ts'
import { type DueDelivery, takeDue } from './delivery-store.ts'
import { dropRetries, takeRetries, type WaitingRetry } from './retry-store.ts'
import { slots } from './rules.ts'
import type { Grant } from './turns.ts'

type Deps = { database: Database; clock: Clock }

/** What this process has under way: the ids of deliveries and of retries, and how many of those are paced. A list: several statements read it. */
export type UnderWay = { ids: readonly Uuid[]; paced: number }

/** The ladder and the longest wait of a disabled webhook together end within this; what is older is found by the slower way. */
const reachMs = 4 * 86_400_000
const dayMs = 86_400_000
const lowestUuid = '00000000-0000-0000-0000-000000000000' as Uuid

/**
 * Finds what to start for each lane that has a turn, by webhook: retries that were asked for one by one, then deliveries that are due, and in what
 * is left of the turn one paced retry. Never more than was granted. Only lanes that have retries cost more than one statement.
 */
export async function claim(deps: Deps, grants: readonly Grant[], underWay: UnderWay): Promise<ReadonlyMap<Uuid, readonly Claimed[]>> {
  const looking = grants.filter(({ lane }) => lane.retries)
  for (const { lane } of looking) {
    // A hint that comes from here on has seen something that this may miss.
    lane.retries = false
    lane.retriesLookedMs = deps.clock.monotonicMs()
  }
  // Somebody waits for these, and 60 a minute cannot hold deliveries up.
  const asked = await retries(deps, looking, underWay, false)
  const rest = lessen(grants, asked)
  const due = [...(await dueDeliveries(deps, rest, underWay, false)), ...(await dueDeliveries(deps, rest, underWay, true))]
  const turns = pacedTurns(lessen(rest, due), looking, underWay)
  const paced = await retries(deps, turns, underWay, true)
  for (const { lane } of looking) {
    const looked = turns.some((each) => each.lane === lane)
    if (!looked || paced.some((each) => each.webhookId === lane.webhookId)) lane.retries = true
  }
  return Map.groupBy<Uuid, Claimed>([...asked, ...due, ...paced], (each) => each.webhookId)
}

/** rule: delivery 11. One at a time for a webhook and a few for the process, so that what is due always finds slots. */
function pacedTurns(left: readonly Grant[], looking: readonly Grant[], underWay: UnderWay): Grant[] {
  const lanes = new Set(looking.map(({ lane }) => lane))
  return left
    .filter(({ lane, wanted }) => wanted > 0 && lane.pacedInFlight === 0 && lanes.has(lane))
    .slice(0, Math.max(0, slots.ofPacedRetries - underWay.paced))
    .map(({ lane }) => ({ lane, wanted: 1 }))
}

async function retries({ database }: Deps, grants: readonly Grant[], underWay: UnderWay, paced: boolean): Promise<WaitingRetry[]> {
  if (grants.length === 0) return []
  const turns = grants.map(({ lane, wanted }) => ({ accountId: lane.accountId, webhookId: lane.webhookId, wanted }))
  const { retries: found, gone } = await takeRetries(database, { turns, paced, underWay: underWay.ids })
  if (gone.length > 0) await dropRetries(database, gone)
  return found
}

async function dueDeliveries(
  { database, clock }: Deps,
  grants: readonly Grant[],
  underWay: UnderWay,
  reachesBack: boolean,
): Promise<DueDelivery[]> {
  const mine = grants.filter(({ lane, wanted }) => wanted > 0 && lane.reachesBack === reachesBack)
  if (mine.length === 0) return []
  const due = clock.now()
  const from = (ms: number) => (reachesBack ? lowestUuid : lowestUuidAt(new Date(due.getTime() - ms)))
  return takeDue(database, {
    turns: mine.map(({ lane, wanted }) => ({ accountId: lane.accountId, webhookId: lane.webhookId, wanted })),
    due,
    deliveriesFrom: from(reachMs),
    eventsFrom: from(reachMs + dayMs),
    underWay: underWay.ids,
  })
}

/** What is left of each turn. */
function lessen(grants: readonly Grant[], claimed: readonly Claimed[]): Grant[] {
  if (claimed.length === 0) return [...grants]
  const counts = Map.groupBy(claimed, (each) => each.webhookId)
  return grants.map(({ lane, wanted }) => ({ lane, wanted: wanted - (counts.get(lane.webhookId)?.length ?? 0) }))
}
