import type { Clock } from '../../base/clock.ts'
import { formatId, newUuid } from '../../base/id.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { unwellChannels } from '../channels/public.ts'
import { oldQueues } from '../messages/public.ts'
import { failingWebhooks } from '../webhooks/public.ts'
import type { AlertKind, Trouble } from './alert.ts'
import type { AlertObservation } from './observation.ts'
import { compare, queueOldMs, webhookFailingMs } from './rules.ts'
import { closeAlerts, dropOldAlerts, findOpenAlerts, holdAlerts, insertAlerts, tryLockAlerts } from './store.ts'

type Deps = { database: Database; clock: Clock; observe: (observation: AlertObservation) => void }

/** Of each kind; beyond it, something is wrong with the installation and not with an account. */
const troublesMax = 5_000
const openMax = 20_000
const openedAtOnceMax = 1_000
/** How long what is over is kept. */
const keptMs = 90 * 86_400_000

/**
 * Looks for what is wrong with any account, and opens and closes alerts: one for each episode, whichever process looks. One looks at a time;
 * the others leave it to it. A bounded number is opened at a turn.
 */
export async function watchForTrouble({ database, clock, observe }: Deps): Promise<void> {
  const now = clock.now()
  const changes = await database.transaction(async (tx) => {
    if (!(await tryLockAlerts(tx))) return null
    const open = await findOpenAlerts(tx, openMax)
    const { opened, held, closed } = compare(open, await findTroubles(tx, now), now)
    const fresh = opened.slice(0, openedAtOnceMax).map((each) => ({ ...each, id: newUuid(now) }))
    await insertAlerts(tx, fresh, now)
    await holdAlerts(tx, held, now)
    await closeAlerts(tx, closed, now)
    await dropOldAlerts(tx, new Date(now.getTime() - keptMs))
    return { opened: fresh, closed }
  })
  for (const each of changes?.opened ?? []) observe(observation('alert.opened', each))
  for (const each of changes?.closed ?? []) observe(observation('alert.closed', each))
}

function observation(kind: 'alert.opened' | 'alert.closed', { accountId, kind: trouble, subject }: Trouble): AlertObservation {
  return { kind, accountId: formatId('acc', accountId), trouble, subject }
}

async function findTroubles(queries: Queries, now: Date): Promise<{ troubles: Trouble[]; partly: Set<AlertKind> }> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const channels = await unwellChannels(queries, troublesMax)
  const webhooks = await failingWebhooks(queries, before(webhookFailingMs), troublesMax)
  const queues = await oldQueues(queries, before(queueOldMs), troublesMax)
  const partly = new Set<AlertKind>()
  if (channels.length === troublesMax) partly.add('channel_token_lost').add('channel_quality_low')
  if (webhooks.length === troublesMax) partly.add('webhook_failing')
  if (queues.length === troublesMax) partly.add('queue_old')
  return {
    partly,
    troubles: [
      ...channels.map(({ accountId, channelId, disconnected }): Trouble => {
        // A number that cannot be used has no quality to speak of.
        const kind = disconnected ? 'channel_token_lost' : 'channel_quality_low'
        return { accountId, kind, subject: formatId('ch', channelId) }
      }),
      ...webhooks.map(({ accountId, webhookId }): Trouble => ({ accountId, kind: 'webhook_failing', subject: formatId('whk', webhookId) })),
      ...queues.map((accountId): Trouble => ({ accountId, kind: 'queue_old', subject: '' })),
    ],
  }
}
