import { hash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { newUuid, parseId, type Uuid } from '../../base/id.ts'
import { canonicalJson, type Json, type JsonObject, type JsonText } from '../../base/json.ts'
import { invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { recipientOf, recipientWords } from '../contacts/public.ts'
import type { Wamid } from './message.ts'
import type { Send } from './send-request.ts'
import type { SendBody } from './wire.ts'

type Asked = { caller: Caller; idempotencyKey: string | undefined }

/** What the gateway says to upstream itself, and no caller may. */
const oursToSet = ['messaging_product', 'recipient', 'recipient_type', 'context', 'status', 'biz_opaque_callback_data']

/** What callers say to the gateway; all else in a body goes upstream unchanged (rule: send 8). */
const readByUs = new Set(['to', 'type', 'channel_id', 'reply_to', 'client_reference', 'contact_name'])

/** Reads a send whose body has passed the schema: what a schema cannot say is checked here. Pure but for the new id. */
export function readSend(clock: Clock, body: SendBody, { caller, idempotencyKey }: Asked): Result<Send, Refusal> {
  const taken = oursToSet.find((field) => Object.hasOwn(body, field))
  if (taken !== undefined) return refused(invalidField(taken, 'This field is set by the gateway.'))
  const recipient = recipientOf(body.to)
  if (recipient === null) return refused(invalidField('to', recipientWords))
  const channelId = body.channel_id === undefined ? null : parseId('ch', body.channel_id)
  if (channelId === null && body.channel_id !== undefined)
    return refused(invalidField('channel_id', 'This must be the id of a channel: ch_ and 32 hex characters.'))
  const replyTo = body.reply_to === undefined ? null : quotedOf(body.reply_to)
  if (replyTo === null && body.reply_to !== undefined)
    return refused(invalidField('reply_to', 'This must be the id of a message (msg_…) or a wamid.'))
  const idempotency = idempotencyKey === undefined ? null : idempotencyOf(idempotencyKey, body as unknown as Json)
  if (idempotencyKey !== undefined && idempotency === null) return refused(wrongKey)
  return ok({
    id: newUuid(clock.now()),
    accountId: caller.accountId,
    livemode: caller.livemode,
    recipient,
    channelId,
    type: 'text',
    kind: body.type,
    text: body.text.body,
    content: contentOf(body as unknown as JsonObject),
    replyTo,
    clientReference: body.client_reference ?? null,
    contactName: body.contact_name ?? null,
    source: 'api',
    idempotency,
  })
}

function quotedOf(text: string): { kind: 'id'; id: Uuid } | { kind: 'wamid'; wamid: Wamid } | null {
  const id = parseId('msg', text)
  if (id !== null) return { kind: 'id', id }
  return text.startsWith('wamid.') ? { kind: 'wamid', wamid: text as Wamid } : null
}

const keyWords = `Idempotency-Key must have 1 to ${limits.idempotencyKeyCharsMax} printable ASCII characters.`
const wrongKey = refusal('invalid_request', keyWords, [{ field: 'Idempotency-Key', message: keyWords }])

function idempotencyOf(key: string, body: Json): Send['idempotency'] {
  if (key.length > limits.idempotencyKeyCharsMax || !/^[\x20-\x7e]+$/.test(key)) return null
  return { key, bodyHash: hash('sha256', canonicalJson(body), 'buffer') }
}

function contentOf(body: JsonObject): JsonText {
  return JSON.stringify(Object.fromEntries(Object.entries(body).filter(([field]) => !readByUs.has(field)))) as JsonText
}
