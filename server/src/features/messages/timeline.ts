import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Queries } from '../../platform/database/database.ts'
import { suspendedAmong } from '../accounts/public.ts'
import { findChannels } from '../channels/public.ts'
import { eventsOfSubject } from '../webhooks/public.ts'
import { type Diagnosis, diagnose } from './diagnose.ts'
import type { Message } from './message.ts'
import { findMessage } from './store.ts'
import type { TimelineFacts, Waiting, WaitingBecause } from './timeline-facts.ts'
import { countAhead, findAttempts, findFetch, findQueued, type QueuedNow } from './timeline-store.ts'

type Deps = { database: Queries; clock: Clock }

/** Everything that is known of one message, and the answer. */
export type Timeline = TimelineFacts & { diagnosis: Diagnosis }

/** The whole course of one message of this account and mode. */
export async function readTimeline(
  { database, clock }: Deps,
  wanted: { accountId: Uuid; livemode: boolean; id: Uuid | null },
): Promise<Result<Timeline, Refusal>> {
  const { accountId, livemode, id } = wanted
  const message = id === null ? null : await findMessage(database, accountId, livemode, id)
  if (message === null) return refused(refusal('not_found', because('no_message', 'There is no message with this id.')))
  const queued = await findQueued(database, message)
  const [waiting, attempts, fetch, events] = await Promise.all([
    queued === null ? null : whyItWaits(database, message, queued, clock.now()),
    findAttempts(database, message),
    findFetch(database, message),
    eventsOfSubject(database, accountId, message.id),
  ])
  const known = { message, waiting, attempts, fetch, events }
  return ok({ ...known, diagnosis: diagnose(known) })
}

async function whyItWaits(database: Queries, message: Message, queued: QueuedNow, now: Date): Promise<Waiting> {
  if (queued.state === 1) return { ...queued, because: 'being_sent', ahead: null }
  if (queued.state === 2) return { ...queued, because: 'unknown_outcome', ahead: null }
  const { accountId, channelId } = message
  const [channels, suspended, ahead] = await Promise.all([
    findChannels(database, [{ accountId, channelId }]),
    suspendedAmong(database, [accountId]),
    countAhead(database, message, queued),
  ])
  const because = (): WaitingBecause => {
    if (suspended.has(accountId)) return 'account_suspended'
    if (channels.get(channelId)?.status !== 'connected') return 'channel_not_connected'
    return queued.attempt > 0 || (queued.notBefore !== null && queued.notBefore > now) ? 'upstream_asked_to_wait' : 'pace'
  }
  return { ...queued, because: because(), ahead }
}
