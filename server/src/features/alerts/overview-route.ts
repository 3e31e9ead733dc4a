import { Type } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { formatId } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { type Reads, readingAs } from '../../platform/database/reads.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { channelDetailsJson, channelDetailsSchema, listChannels } from '../channels/public.ts'
import { queueOf } from '../messages/public.ts'
import { figuresOfToday } from '../usage/public.ts'
import { failingWebhooksOf } from '../webhooks/public.ts'
import { listAlerts } from './store.ts'
import { alertJson, alertSchema } from './wire.ts'

type Deps = { reads: Reads; clock: Clock }

const count = Type.Integer()
const byStatus = { total: count, queued: count, sent: count, delivered: count, read: count, failed: count }
const figures = {
  day: Type.String({ description: 'The day in Brasília time.', examples: ['2026-11-27'] }),
  sent: Type.Object(byStatus, {
    description: 'Sends through the API that were asked for today, by their status now, as in the usage of the month.',
  }),
  sent_by_team: Type.Object(byStatus, { description: 'The same of what the team sent from the console and the phone.' }),
  received: count,
}

const overviewSchema = Type.Object({
  object: Type.Literal('overview'),
  today: Type.Object(figures, { description: 'Live messages only, in test mode too.' }),
  queue: Type.Object({
    waiting: Type.Integer({ description: 'Sends of this mode that have not left, 10,000 at most.' }),
    oldest_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description: 'When the oldest was accepted.' }),
  }),
  channels: Type.Array(channelDetailsSchema),
  failing_webhooks: Type.Array(Type.Object({ id: Type.String(), failing_since: Type.String({ format: 'date-time' }) })),
  open_alerts: Type.Array(alertSchema, { description: 'None for a role that may not see alerts.' }),
})

const alertsShownMax = 20

/** The page on which the console begins. */
export function overviewRoute(account: HttpServer, deps: Deps): void {
  account.get(
    '/overview',
    {
      config: { access: { scope: 'messages:read', testKeys: true } },
      schema: {
        operationId: 'getOverview',
        summary: 'How the account is doing now',
        tags: ['Alerts'],
        response: { 200: overviewSchema, ...errors() },
      },
    },
    async ({ caller }) => overview(readingAs(deps, caller.accountId), caller),
  )
}

async function overview({ database, clock }: { database: Queries; clock: Clock }, caller: Caller) {
  const { accountId, livemode, scopes } = caller
  const maySeeAlerts = scopes === null || scopes.includes('account:read')
  const [today, queue, channels, webhooks, alerts] = await Promise.all([
    figuresOfToday({ database, clock }, accountId),
    queueOf(database, accountId, livemode),
    listChannels(database, accountId),
    failingWebhooksOf(database, accountId),
    maySeeAlerts ? listAlerts(database, accountId, { since: clock.now(), most: alertsShownMax }) : [],
  ])
  return {
    object: 'overview' as const,
    today,
    queue: { waiting: queue.waiting, oldest_at: queue.oldestAt?.toISOString() ?? null },
    channels: channels.map(channelDetailsJson),
    failing_webhooks: webhooks.map(({ webhookId, failingSince }) => ({
      id: formatId('whk', webhookId),
      failing_since: failingSince.toISOString(),
    })),
    open_alerts: alerts.filter((each) => each.closedAt === null && each.dismissedAt === null).map(alertJson),
  }
}
