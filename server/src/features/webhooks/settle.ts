import type { Clock } from '../../base/clock.ts'
import { lowestUuidAt, type Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { cancelPending, type LaneKey } from './delivery-store.ts'
import { deleteLane, findWebhookStates, type LaneState, lockLanes, postponeLane, raiseLanes } from './lane-store.ts'
import type { WebhookObservation } from './observation.ts'
import { dropRetriesOfLane } from './retry-store.ts'

type Deps = { database: Database; clock: Clock; observe: (observation: WebhookObservation) => void }

/** How often the pending deliveries of a disabled webhook are looked at for their age. */
const disabledEveryMs = 3_600_000
/** Rows that one transaction cancels. */
export const canceledAtOnceMax = 1_000
/** Above every id. */
export const highestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff' as Uuid

/**
 * Writes down when lanes that looked dry are due next, and answers what waits in them. Only the owner of a lane calls this, and only while
 * nothing of the lane is under way: the retries of a removed webhook go, and with them the place of what one under way would record.
 *
 * A disabled webhook's deliveries and retries wait, and are canceled once they are too old; those of a removed one are canceled, and its lane goes.
 */
export async function settleLanes(deps: Deps, lanes: readonly LaneKey[]): Promise<ReadonlyMap<string, LaneState>> {
  const states = await findWebhookStates(deps.database, lanes)
  const open = lanes.filter((lane) => states.get(lane.webhookId) === true)
  const waiting = open.length === 0 ? new Map<string, LaneState>() : await deps.database.repeatable((tx) => raise(tx, open))
  for (const lane of lanes)
    if (!open.includes(lane)) waiting.set(lane.webhookId, { dueAt: await settleClosed(deps, lane), hasRetries: false })
  return waiting
}

async function raise(tx: Tx, lanes: readonly LaneKey[]): Promise<Map<string, LaneState>> {
  // Two statements, in this order: `bumpLanes` says why.
  await lockLanes(tx, lanes)
  return raiseLanes(tx, lanes)
}

async function settleClosed(deps: Deps, lane: LaneKey): Promise<Date | null> {
  const now = deps.clock.now()
  const settled = await deps.database.repeatable(async (tx) => {
    await lockLanes(tx, [lane])
    // Asked again under the lock: whoever enables a webhook makes its lane due, and that must not be written over.
    const enabled = (await findWebhookStates(tx, [lane])).get(lane.webhookId) ?? null
    if (enabled === true) return { canceled: 0, dueAt: now }
    const below = enabled === null ? highestUuid : lowestUuidAt(new Date(now.getTime() - limits.webhookPendingMsMax))
    const canceled = await cancelPending(tx, lane, { below, limit: canceledAtOnceMax })
    const dropped = await dropRetriesOfLane(tx, lane, { below, limit: canceledAtOnceMax })
    // A full batch: there may be more, so the lane stays due as it is.
    if (canceled === canceledAtOnceMax || dropped === canceledAtOnceMax) return { canceled, dueAt: now }
    if (enabled === false) return { canceled, dueAt: await postponeLane(tx, lane, new Date(now.getTime() + disabledEveryMs)) }
    await deleteLane(tx, lane)
    return { canceled, dueAt: null }
  })
  if (settled.canceled > 0) deps.observe({ kind: 'webhook.deliveries_canceled', webhookId: lane.webhookId, deliveries: settled.canceled })
  return settled.dueAt
}
