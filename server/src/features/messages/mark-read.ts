import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { openedOrNull, type Unseal } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { tellUpstream, upstreamRefusal } from '../../platform/upstream/manage.ts'
import { findChannels } from '../channels/public.ts'
import { findMessage } from './store.ts'

type Deps = { database: Database; graph: Graph; unseal: Unseal }

/**
 * rule: send 12. Shows the person that a message was read, and with `typing` that someone is writing. Only received live messages can be
 * read. May be repeated.
 */
export async function markRead(
  { database, graph, unseal }: Deps,
  { accountId, id, typing }: { accountId: Uuid; id: Uuid | null; typing: boolean },
): Promise<Result<{ success: boolean }, Refusal>> {
  const message = id === null ? null : await findMessage(database, accountId, true, id)
  if (message === null || message.direction === 'outbound' || message.wamid === null)
    return refused(refusal('not_found', because('no_message', 'There is no received message with this id.')))
  const channel = (await findChannels(database, [message])).get(message.channelId)
  const token = channel === undefined ? null : openedOrNull(unseal, channel.sealedToken)
  if (channel === undefined || token === null)
    return refused(
      refusal('meta_error', because('number_not_connected', 'The number of this message is not connected to the upstream platform now.')),
    )
  const body = JSON.stringify({
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: message.wamid,
    ...(typing ? { typing_indicator: { type: 'text' } } : {}),
  })
  const path = `/${channel.phoneNumberId}/messages`
  const told = await tellUpstream(graph, { method: 'POST', path, token, body })
  return told.ok ? ok({ success: true }) : refused(upstreamRefusal(told.refusal))
}
