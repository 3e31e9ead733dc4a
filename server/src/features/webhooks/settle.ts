import type { Clock } from '../../base/clock.ts'
import { lowestUuidAt, type Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { cancelPending, type LaneKey } from './delivery-store.ts'
import { deleteLane, findWebhookStates, lockLanes, postponeLane, raiseLanes } from './lane-store.ts'
import type { WebhookObservation } from './observation.ts'

type Deps = { database: Database; clock: Clock; observe: (observation: WebhookObservation) => void }

/** How often the pending deliveries of a disabled webhook are looked at for their age. */
const disabledEveryMs = 3_600_000
/** Rows that one transaction cancels. */
export const canceledAtOnceMax = 1_000
/** Above every id. */
export const highestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff' as Uuid

/**
 * Writes down when lanes that looked dry are due next, and answers it; null: nothing is left. Only the owner of a lane calls this. What is under way
 * is still pending, so its lane stays due and is found again after a crash.
 *
 * A disabled webhook's deliveries wait, and are canceled once they are too old; those of a removed one are canceled, and its lane goes.
 */
export async function settleLanes(deps: Deps, lanes: readonly LaneKey[]): Promise<ReadonlyMap<string, Date | null>> {
  const states = await findWebhookStates(deps.database, lanes)
  const open = lanes.filter((lane) => states.get(lane.webhookId) === true)
  const due = open.length === 0 ? new Map<string, Date | null>() : await deps.database.repeatable((tx) => raise(tx, open))
  for (const lane of lanes) if (!open.includes(lane)) due.set(lane.webhookId, await settleClosed(deps, lane))
  return due
}

async function raise(tx: Tx, lanes: readonly LaneKey[]): Promise<Map<string, Date | null>> {
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
    // A full batch: there may be more, so the lane stays due as it is.
    if (canceled === canceledAtOnceMax) return { canceled, dueAt: now }
    if (enabled === false) return { canceled, dueAt: await postponeLane(tx, lane, new Date(now.getTime() + disabledEveryMs)) }
    await deleteLane(tx, lane)
    return { canceled, dueAt: null }
  })
  if (settled.canceled > 0) deps.observe({ kind: 'webhook.deliveries_canceled', webhookId: lane.webhookId, deliveries: settled.canceled })
  return settled.dueAt
}
