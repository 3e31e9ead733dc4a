import { hash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { newUuid, parseId } from '../../base/id.ts'
import { canonicalJson, isObject, type Json, type JsonObject, type JsonText } from '../../base/json.ts'
import { because, invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { newRecipientOf, recipientWords } from '../contacts/public.ts'
import { namedWords } from './explain.ts'
import { isMediaKind, languageOf, type MessageKind, textOfKind, typeOfKind, upstreamContent } from './kinds.ts'
import type { Wamid } from './message.ts'
import { type NestedFile, readNestedFiles } from './nested-files.ts'
import { type AskedFile, readFile, withoutFile } from './read-file.ts'
import type { Addressed, NamedMessage, Reaction, Send } from './send-request.ts'
import type { SendBody } from './send-wire.ts'

type Asked = { caller: Caller; idempotencyKey: string | undefined; ourAddresses: readonly string[]; requestId?: string }

/** A send whose files, when they are ours, are still to be found. */
export type ReadSend = Omit<Send, 'file'> & { file: AskedFile | null; nested: readonly NestedFile[] }

export type Read = { kind: 'send'; send: ReadSend } | { kind: 'reaction'; reaction: Reaction }

/** What the gateway says to upstream itself, and no caller may. */
const oursToSet = ['messaging_product', 'recipient', 'recipient_type', 'context', 'status', 'biz_opaque_callback_data']

/** What callers say to the gateway; all else in a body goes upstream unchanged (rule: send 8). */
const readByUs = new Set(['to', 'type', 'channel_id', 'reply_to', 'client_reference', 'contact_name'])

/** Reads a send whose body has passed the schema: what a schema cannot say is checked here. Pure but for the new id. */
export function readSend(clock: Clock, sendBody: SendBody, asked: Asked): Result<Read, Refusal> {
  const body = sendBody as unknown as JsonObject
  const addressed = readAddress(sendBody, body, asked)
  if (!addressed.ok) return addressed
  const replyTo = sendBody.reply_to === undefined ? null : namedMessage(sendBody.reply_to)
  if (replyTo === null && sendBody.reply_to !== undefined) return refused(invalidField('reply_to', namedWords))
  if (sendBody.type === 'reaction') {
    const target = namedMessage(sendBody.reaction.message_id)
    if (target === null) return refused(invalidField('reaction.message_id', namedWords))
    return ok({ kind: 'reaction', reaction: { ...addressed.value, target, emoji: sendBody.reaction.emoji, content: passedOn(body) } })
  }
  const kind = sendBody.type
  const file = isMediaKind(kind) ? readFile(kind, body[kind], asked.ourAddresses) : ok(null)
  if (!file.ok) return file
  const nested = readNestedFiles(kind, body[kind], asked.ourAddresses)
  if (!nested.ok) return nested
  const send: ReadSend = {
    ...addressed.value,
    id: newUuid(clock.now()),
    type: typeOfKind(kind),
    kind,
    text: textOfKind(kind, body[kind]),
    content: contentOf(body, kind, file.value),
    file: file.value,
    nested: nested.value,
    template: kind === 'template' && isObject(body.template) ? templateOf(body.template) : null,
    replyTo,
    clientReference: sendBody.client_reference ?? null,
    contactName: sendBody.contact_name ?? null,
    // A member of the team writes in the chat; only a key is the customer's system.
    source: asked.caller.keyId === null ? 'chat' : 'api',
    requestId: asked.requestId === undefined ? null : parseId('req', asked.requestId),
    author: asked.caller.keyId === null ? asked.caller.userId : null,
  }
  return ok({ kind: 'send', send })
}

function readAddress(sendBody: SendBody, body: JsonObject, { caller, idempotencyKey }: Asked): Result<Addressed, Refusal> {
  const taken = oursToSet.find((field) => Object.hasOwn(body, field))
  if (taken !== undefined) return refused(invalidField(taken, because('malformed', 'This field is set by the gateway.')))
  const recipient = newRecipientOf(sendBody.to)
  if (recipient === null) return refused(invalidField('to', recipientWords(sendBody.to)))
  const channelId = sendBody.channel_id === undefined ? null : parseId('ch', sendBody.channel_id)
  if (channelId === null && sendBody.channel_id !== undefined)
    return refused(invalidField('channel_id', because('malformed', 'This must be the id of a channel: ch_ and 32 hex characters.')))
  const idempotency = idempotencyKey === undefined ? null : idempotencyOf(idempotencyKey, body)
  return ok({ accountId: caller.accountId, livemode: caller.livemode, recipient, channelId, idempotency })
}

/** rule: send 14. The platform has ids without `wamid.` too: whether there is such a message only a look-up says. */
function namedMessage(text: string): NamedMessage | null {
  const id = parseId('msg', text)
  if (id !== null) return { kind: 'id', id }
  const isSure = text.startsWith('wamid.')
  return isSure || couldBeWamid.test(text) ? { kind: 'wamid', wamid: text as Wamid, isSure } : null
}

/** No blank, and no id of another kind of ours. */
const couldBeWamid = /^(?!(?:[a-z]{2,4})_[0-9a-f]{32}$)[!-~]+$/

function idempotencyOf(key: string, body: Json): Send['idempotency'] {
  return { key, bodyHash: hash('sha256', canonicalJson(body), 'buffer') }
}

const templateOf = (template: JsonObject) => ({ name: String(template.name), language: languageOf(template) })

function contentOf(body: JsonObject, kind: MessageKind, file: AskedFile | null): JsonText {
  const content = upstreamContent(kind, body[kind])
  return JSON.stringify({ ...passedOn(body), [kind]: file?.kind === 'ours' ? withoutFile(content) : content }) as JsonText
}

function passedOn(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !readByUs.has(field)))
}
