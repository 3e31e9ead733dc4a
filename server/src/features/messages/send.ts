import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { crashpoint } from '../../base/crashpoint.ts'
import { momentOf, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { because, refusal } from '../../base/refusal.ts'
import { ok, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import { type Contact, createPeople } from '../contacts/public.ts'
import { type AcceptedSend, placeOf } from './accept-store.ts'
import { answerWritten, replay } from './answered-before.ts'
import { explain } from './explain.ts'
import { factsForSends, type Known } from './facts.ts'
import type { FileFetch } from './file-fetch.ts'
import { queueFileFetches } from './file-fetch-store.ts'
import { type MediaKind, type Message, nothingYet } from './message.ts'
import { refusalFor } from './rules.ts'
import type { LaneHint } from './send-queue.ts'
import type { Send } from './send-request.ts'
import type { SendResult } from './send-result.ts'
import { testCourse } from './test-number.ts'
import { messageJson } from './wire.ts'
import { writeAccepted } from './write-accepted.ts'

export type SendDeps = { database: Database; clock: Clock; wakeLanes: (lanes: readonly LaneHint[]) => void }

/**
 * Accepts sends: the message, its queue row and its idempotency row commit together or not at all, before this resolves. In the
 * order asked. Sends of one list that share an idempotency key are one send (rule: send 1). A message that is there already is one of
 * these sends, written by an earlier try: it is accepted.
 */
export async function sendMessages(deps: SendDeps, sends: readonly Send[]): Promise<SendResult[]> {
  const { results, lanes } = await deps.database.repeatable((tx, attempt) => accept(tx, deps.clock, sends, attempt))
  crashpoint('after_accept')
  deps.wakeLanes(lanes)
  // The key of such a send was taken a moment ago, and forgotten before it could be read: its caller may repeat.
  return sends.map((send) => results.get(send) ?? refused(notSettled))
}

const notSettled = refusal(
  'internal_error',
  because('not_settled', 'This send was not accepted. Retrying with the same Idempotency-Key is safe.'),
)

type Accepted = { results: Map<Send, SendResult>; lanes: LaneHint[] }

async function accept(tx: Tx, clock: Clock, sends: readonly Send[], attempt: number): Promise<Accepted> {
  const now = clock.now()
  const results = new Map<Send, SendResult>()
  const isOpen = (send: Send) => !results.has(send)
  const lanes = attempt === 1 ? [] : await answerWritten(tx, sends, results)
  const leaving = await judge(tx, sends.filter(isOpen), results, now)
  lanes.push(...(await write(tx, clock, firstOfEachKey(leaving), { results, now })))
  const left = sends.filter(isOpen)
  // Ours, written by an earlier try after all; then those that share a key, or lost it to another request a moment ago.
  if (left.length > 0) lanes.push(...(await answerWritten(tx, left, results)))
  await replay(tx, left.filter(isOpen), results, now)
  return { results, lanes }
}

type Leaving = { send: Send; known: Known }

/** Fills `results` with what is refused, or was answered before, and returns the sends that may leave. */
async function judge(tx: Tx, sends: readonly Send[], results: Map<Send, SendResult>, now: Date): Promise<Leaving[]> {
  const [facts] = await Promise.all([factsForSends(tx, now, sends), replay(tx, sends, results, now)])
  return sends.flatMap((send, i) => {
    if (results.has(send)) return []
    const known = present(facts[i], 'one for each send')
    const code = refusalFor(send.type === 'template', known, now)
    if (code === null) return [{ send, known }]
    // rule: send 4. A refusal is not written under the key.
    results.set(send, refused({ ...explain(code, known.missing), unread: known.unread }))
    return []
  })
}

/** The first of each key; the others are answered by what it wrote. */
function firstOfEachKey(leaving: readonly Leaving[]): Leaving[] {
  const places = new Set<string>()
  return leaving.filter(({ send }) => {
    if (send.idempotency === null) return true
    const place = placeOf({ ...send, key: send.idempotency.key })
    if (places.has(place)) return false
    places.add(place)
    return true
  })
}

/** Writes sends that may leave, fills `results` with those that were written, and returns their lanes. */
async function write(
  tx: Tx,
  clock: Clock,
  leaving: readonly Leaving[],
  { results, now }: { results: Map<Send, SendResult>; now: Date },
): Promise<LaneHint[]> {
  const contacts = await contactsFor(tx, clock, leaving)
  const accepted = leaving.map(({ send, known }, i) => acceptedSend(send, known, present(contacts[i], 'one for each send'), now))
  const written = await writeAccepted(tx, accepted, now)
  await queueFileFetches(tx, fetchesOf(leaving, accepted, written), now)
  leaving.forEach(({ send }, i) => {
    const each = present(accepted[i], 'one for each send')
    if (written.has(each.message.id)) results.set(send, ok({ body: each.answer, replayed: false }))
  })
  return accepted.filter((each) => written.has(each.message.id)).map(laneOf)
}

async function contactsFor(
  tx: Tx,
  clock: Clock,
  leaving: readonly { send: Send; known: { contact: Contact | null } }[],
): Promise<Contact[]> {
  const unknown = leaving.filter((each) => each.known.contact === null)
  const created = await createPeople(
    tx,
    clock,
    unknown.map(({ send }) => ({ ...send, name: send.contactName })),
  )
  const made = new Map(unknown.map((each, i) => [each.send, created[i]]))
  return leaving.map(({ send, known }) => present(known.contact ?? made.get(send), 'each person is known or was made'))
}

function acceptedSend(send: Send, known: Known, contact: Contact, now: Date): AcceptedSend {
  const channel = present(known.channel, 'a send without a channel was refused')
  const message: Message = {
    ...nothingYet,
    ...send,
    channelId: channel.id,
    contactId: contact.id,
    direction: 'outbound',
    status: 'queued',
    media: mediaOf(send),
    mediaId: send.file?.kind === 'ours' ? send.file.mediaId : null,
    replyTo: known.replyTo,
    createdAt: momentOf(send.id),
  }
  return {
    message,
    content: send.content,
    replyToWamid: send.replyTo?.kind === 'wamid' ? send.replyTo.wamid : null,
    recipient: send.recipient.kind === 'phone' ? send.recipient.digits : send.recipient.userId,
    shard: shardOf(send.accountId, channel.id),
    expiresAt: expiryOf(send, now),
    answer: messageJson(message, contact),
    idempotency: send.idempotency,
    author: send.author,
    requestId: send.requestId ?? null,
  }
}

/** rule: send 10. What only upstream has is fetched, so that the message can show it for good. */
function fetchesOf(leaving: readonly { send: Send }[], accepted: readonly AcceptedSend[], written: ReadonlySet<Uuid>): FileFetch[] {
  return leaving.flatMap(({ send }, i) => {
    const message = accepted[i]?.message
    if (send.file?.kind !== 'upstream' || !send.livemode || message === undefined || !written.has(message.id)) return []
    const { accountId, livemode, id, channelId } = message
    const known = { sha256: null, mimeType: null, fileName: null, kind: send.kind as MediaKind }
    return [{ accountId, messageId: id, channelId, livemode, upstreamId: send.file.id, ...known }]
  })
}

/** What is known of the file at once; of media that only upstream has, nothing yet. */
function mediaOf({ file }: Send): JsonText | null {
  if (file?.kind === 'ours') return file.media
  return file?.kind === 'link' ? (JSON.stringify({ url: file.url, mime_type: null, file_name: null, size_bytes: null }) as JsonText) : null
}

/** rule: states 6. Fifteen minutes; a test number waits them out at once. */
function expiryOf(send: Send, now: Date): Date {
  const waitsOutAtOnce = !send.livemode && send.recipient.kind === 'phone' && testCourse(send.recipient.digits).kind === 'expires'
  return waitsOutAtOnce ? now : new Date(now.getTime() + limits.queueWaitMsMax)
}

const laneOf = ({ message, shard }: AcceptedSend): LaneHint => ({
  accountId: message.accountId,
  channelId: message.channelId,
  livemode: message.livemode,
  shard,
})
