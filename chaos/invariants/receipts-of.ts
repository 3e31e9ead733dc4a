import { type AttemptRow, type DeliveryRow, type Fault, type Receipt, type Run, uuidOf } from '../histories.ts'

/** What is known of one delivery, from both sides. */
export type Seen = {
  delivery: DeliveryRow
  type: string
  path: string
  attempts: AttemptRow[]
  receipts: Receipt[]
}

/** Lays each delivery beside the receipts of its event at its webhook. */
export function deliveriesSeen(run: Run): Seen[] {
  const paths = new Map(run.stage.accounts.flatMap((account) => account.webhooks.map((each) => [each.id, each.path])))
  const types = new Map(run.database.events.map((each) => [each.id, each.type]))
  const attempts = Map.groupBy(run.database.attempts, (each) => each.deliveryId)
  const receipts = Map.groupBy(run.receipts, (each) => `${each.path} ${uuidOf(each.eventId)}`)
  return run.database.deliveries.map((delivery) => {
    const path = paths.get(delivery.webhookId) ?? ''
    return {
      delivery,
      type: types.get(delivery.eventId) ?? '',
      path,
      attempts: (attempts.get(delivery.id) ?? []).sort((a, b) => a.n - b.n),
      receipts: (receipts.get(`${path} ${delivery.eventId}`) ?? []).sort((a, b) => a.atMs - b.atMs),
    }
  })
}

/** The attempt's deadline, and time to record it. */
const underWayMsMax = 12_000

/** Says whether an attempt that arrived then may have been under way, or not yet recorded, when a gateway was killed, stopped or lost its shards. */
export function cutOff(faults: readonly Fault[], atMs: number): boolean {
  return faults.some((each) => endsAttempts(each) && atMs >= each.fromMs - underWayMsMax && atMs <= each.toMs + underWayMsMax)
}

/** How long gateways stood still during or right before an attempt: its moments were taken before, its bytes left after. */
export function stoodStillMs(faults: readonly Fault[], { startedMs, ms }: AttemptRow): number {
  const near = (each: Fault) => each.fromMs <= startedMs + ms + 1_000 && each.toMs >= startedMs - 1_000
  const pauses = faults.filter((each) => each.name === 'pause-gateway' && near(each))
  return pauses.reduce((sum, each) => sum + each.toMs - each.fromMs, 0)
}

/** Faults after which a gateway no longer knows what it was doing; while only its database is away it does. */
const endsAttempts = (fault: Fault) =>
  ![
    'kill-postmaster',
    'kill-backend',
    'stop-postmaster-at-once',
    'cut-before-commit',
    'cut-during-commit',
    'cut-after-commit',
    'read-only',
  ].includes(fault.name)
