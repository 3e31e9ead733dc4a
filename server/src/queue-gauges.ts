import type { Clock } from './base/clock.ts'
import { type InboxDepth, inboxDepth } from './features/conversations/public.ts'
import { type SendDepth, sendDepth } from './features/messages/public.ts'
import { type NoticeDepth, noticeDepth } from './features/notices/public.ts'
import { type DeliveryDepth, deliveryDepth } from './features/webhooks/public.ts'
import type { Database } from './platform/database/database.ts'
import { type Loop, type LoopObservation, startLoop } from './platform/lanes/loop.ts'
import type { Metrics } from './platform/observe/metrics.ts'

type Deps = { database: Database; clock: Clock; metrics: Metrics; observe: (observation: LoopObservation) => void }

const everyMs = 10_000

/** Depth and age of each queue as gauges, read from the database every ten seconds; nothing is shown while it is away. */
export function startQueueGauges({ database, clock, metrics, observe }: Deps): Loop {
  let sends: SendDepth | null = null
  let deliveries: DeliveryDepth | null = null
  let notices: NoticeDepth | null = null
  let inbox: InboxDepth | null = null
  const gauge = (name: string, help: string, value: () => number | null | undefined) => metrics.gauge({ name, help }, () => value() ?? null)

  gauge('sends_queued', 'Sends that wait to leave.', () => sends?.queued)
  gauge('sends_in_flight', 'Sends under way to upstream.', () => sends?.inFlight)
  gauge('sends_unknown', 'Sends whose outcome is unknown and waits for a notice.', () => sends?.unknown)
  gauge('sends_oldest_seconds', 'How long the oldest waiting send has waited.', () => sends?.oldestSeconds)
  gauge('webhooks_due', 'Webhooks that have something due.', () => deliveries?.dueWebhooks)
  gauge('webhooks_failing', 'Webhooks whose last attempt failed.', () => deliveries?.failingWebhooks)
  gauge('deliveries_late_seconds', 'How overdue the most overdue delivery is.', () => deliveries?.lateSeconds)
  gauge('notices_waiting', 'Notices that wait to be worked through.', () => notices?.waiting)
  gauge('notices_oldest_seconds', 'How long the oldest of them has waited.', () => notices?.oldestSeconds)
  gauge('notices_replaying', 'Notices that wait to be worked through again.', () => notices?.replaying)
  gauge('notice_items_set_aside', 'Items of notices that lie set aside.', () => notices?.setAside)
  gauge('notice_items_set_aside_oldest_seconds', 'How long the oldest of them has lain there.', () => notices?.setAsideOldestSeconds)
  gauge(
    'conversations_behind_seconds',
    'How long the oldest change of a message waits to be seen in conversations.',
    () => inbox?.conversationsSeconds,
  )
  gauge('search_behind_seconds', 'How long the oldest change of a message waits to be found by the search.', () => inbox?.searchSeconds)

  return startLoop({
    name: 'queue gauges',
    clock,
    observe,
    async tick() {
      const now = clock.now()
      sends = deliveries = notices = inbox = null
      sends = await sendDepth(database, now)
      deliveries = await deliveryDepth(database, now)
      notices = await noticeDepth(database, now)
      inbox = await inboxDepth(database, now)
      return everyMs
    },
  })
}
