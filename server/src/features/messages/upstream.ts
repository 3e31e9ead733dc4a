import { formatId, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { postMessage, type SendOutcome } from '../../platform/upstream/send.ts'
import type { ChannelInUse } from '../channels/public.ts'
import { isUserId } from '../contacts/public.ts'
import type { Wamid } from './message.ts'
import type { Attempt } from './send-queue.ts'

/** All that one upstream call says. */
export type UpstreamSend = Attempt & {
  channelId: Uuid
  /** Where its templates are, and what may read them. */
  templatesOf: Pick<ChannelInUse, 'wabaId' | 'sealedToken'>
  phoneNumberId: string
  /** Digits, or a user id. */
  recipient: string
  kind: string
  content: JsonText
  quotedWamid: Wamid | null
  token: string
  /** Monotonic milliseconds by which the first byte must leave. */
  startBy: number
}

/** Who takes messages: the platform itself, or the simulated one of test keys. */
export type Upstream = {
  /** How many calls can be under way at once. */
  concurrentMax: number
  /** Never throws for what the other side does: that is an outcome. */
  post(send: UpstreamSend): Promise<SendOutcome>
}

/** The platform over the Graph API. */
export function graphUpstream(graph: Graph): Upstream {
  return {
    concurrentMax: graph.concurrentMax,
    post: (send) =>
      postMessage(graph, { phoneNumberId: send.phoneNumberId, token: send.token, body: sendBody(send), startBy: send.startBy }),
  }
}

/** The id that upstream echoes in every status notice of this attempt; it settles an outcome that is unknown. */
export function opaqueId({ messageId, attempt }: Pick<Attempt, 'messageId' | 'attempt'>): string {
  return `${formatId('msg', messageId)}.${attempt}`
}

/** How upstream is told whom to reach. Without the `+` it may put the business number's own country code in front. */
export const addressOf = (recipient: string) => (isUserId(recipient) ? { recipient } : { to: `+${recipient}` })

/** The body of the call. The caller's words go in as the text that they are, so that their numbers keep their digits. */
function sendBody(send: UpstreamSend): string {
  const ours = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...addressOf(send.recipient),
    type: send.kind,
    ...(send.quotedWamid === null ? {} : { context: { message_id: send.quotedWamid } }),
    biz_opaque_callback_data: opaqueId(send),
  }
  const content = send.content.slice(1, -1)
  return `${JSON.stringify(ours).slice(0, -1)}${content === '' ? '' : `,${content}`}}`
}
