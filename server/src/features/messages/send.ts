import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { crashpoint } from '../../base/crashpoint.ts'
import { momentOf, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import { type Contact, createPeople, findContactsById } from '../contacts/public.ts'
import type { WantedTemplate } from '../templates/public.ts'
import { type AcceptedSend, findAnswers, findWrittenMessages, placeOf } from './accept-store.ts'
import { explain } from './explain.ts'
import { factsForSends, type Known } from './facts.ts'
import type { FileFetch } from './file-fetch.ts'
import { queueFileFetches } from './file-fetch-store.ts'
import { type MediaKind, type Message, nothingYet } from './message.ts'
import { refusalFor } from './rules.ts'
import type { LaneHint } from './send-queue.ts'
import type { Send } from './send-request.ts'
import { findMessage } from './store.ts'
import { testCourse } from './test-number.ts'
import { messageJson } from './wire.ts'
import { writeAccepted } from './write-accepted.ts'

/** The answer of a send: the queued message as JSON, and whether it is the repetition of an earlier answer. */
export type SendAnswer = { body: JsonText; replayed: boolean }

/** `unread`: upstream must be asked for the category of this template before it can be decided. */
export type SendRefusal = Refusal & { unread?: WantedTemplate | null }

export type SendResult = Result<SendAnswer, SendRefusal>

export type SendDeps = { database: Database; clock: Clock; wakeLanes: (lanes: readonly LaneHint[]) => void }

/**
 * Accepts sends: the message, its queue row and its idempotency row commit together or not at all, before this answers. In the
 * order asked. Sends of one list that share an idempotency key are one send (rule: send 1).
 */
export async function sendMessages(deps: SendDeps, sends: readonly Send[]): Promise<SendResult[]> {
  const results = new Map<Send, SendResult>()
  // Each round settles at least the first of each key, so that the rounds end.
  for (let open = [...sends]; open.length > 0; open = open.filter((send) => !results.has(send))) {
    const [leaders, followers] = splitByKey(open)
    const round = await deps.database.repeatable((tx, attempt) => accept(tx, deps.clock, leaders, attempt))
    for (const [send, result] of round.results) results.set(send, result)
    for (const [send, leader] of followers) {
      const followed = follow(send, leader, present(results.get(leader), 'each leader was settled'))
      if (followed !== null) results.set(send, followed)
    }
    crashpoint('after_accept')
    deps.wakeLanes(round.lanes)
  }
  return sends.map((send) => present(results.get(send), 'each send was settled'))
}

function splitByKey(sends: readonly Send[]): [Send[], [Send, Send][]] {
  const leaders = new Map<string, Send>()
  const followers: [Send, Send][] = []
  for (const send of sends) {
    const place = send.idempotency === null ? send.id : placeOf({ ...send, key: send.idempotency.key })
    const leader = leaders.get(place)
    if (leader === undefined) leaders.set(place, send)
    else followers.push([send, leader])
  }
  return [[...leaders.values()], followers]
}

/** What a second send with the same key gets. Null: it is on its own, because a refusal is not kept and its body is another one. */
function follow(send: Send, leader: Send, result: SendResult): SendResult | null {
  if (!sameBody(send, present(leader.idempotency, 'leaders with followers have a key').bodyHash))
    return result.ok ? refused(otherBody) : null
  return result.ok ? ok({ ...result.value, replayed: true }) : result
}

// rule: send 2
export const otherBody = refusal('idempotency_conflict', 'This Idempotency-Key was used with a different body in the last 24 hours.')

const sameBody = (send: Send, hash: Buffer) => send.idempotency?.bodyHash.equals(hash) === true

type Round = { results: Map<Send, SendResult>; lanes: LaneHint[] }

async function accept(tx: Tx, clock: Clock, sends: readonly Send[], attempt: number): Promise<Round> {
  const now = clock.now()
  const results = attempt === 1 ? new Map<Send, SendResult>() : await acceptedBefore(tx, sends)
  const fresh = sends.filter((send) => !results.has(send))
  const [facts] = await Promise.all([factsForSends(tx, now, fresh), replay(tx, fresh, results, now)])
  const leaving: { send: Send; known: Known }[] = []
  fresh.forEach((send, i) => {
    if (results.has(send)) return
    const known = present(facts[i], 'one for each send')
    const code = refusalFor(send.type === 'template', known, now)
    if (code === null) leaving.push({ send, known })
    // rule: send 4. A refusal is not written under the key.
    else results.set(send, refused({ ...explain(code, known.missing), unread: known.unread }))
  })
  const contacts = await contactsFor(tx, clock, leaving)
  const accepted = leaving.map(({ send, known }, i) => acceptedSend(send, known, present(contacts[i], 'one for each send'), now))
  const written = await writeAccepted(tx, accepted, now)
  await queueFileFetches(tx, fetchesOf(leaving, accepted, written), now)
  leaving.forEach(({ send }, i) => {
    const each = present(accepted[i], 'one for each send')
    if (written.has(each.message.id)) results.set(send, ok({ body: each.answer, replayed: false }))
  })
  // Whoever was not written lost its key to another request a moment ago, and is answered by what that one wrote.
  await replay(tx, sends, results, now)
  return { results, lanes: accepted.filter((each) => written.has(each.message.id)).map(laneOf) }
}

/** After a lost connection: what the first try wrote is accepted, and answered as it would have been. */
async function acceptedBefore(tx: Tx, sends: readonly Send[]): Promise<Map<Send, SendResult>> {
  const results = new Map<Send, SendResult>()
  const written = await findWrittenMessages(tx, sends)
  for (const send of sends.filter((each) => written.has(each.id))) {
    const message = present(await findMessage(tx, send.accountId, send.livemode, send.id), 'it was found a moment ago')
    const [contact] = await findContactsById(tx, [{ accountId: send.accountId, id: message.contactId }])
    results.set(send, ok({ body: messageJson(asQueued(message), present(contact, 'a message has its contact')), replayed: false }))
  }
  return results
}

const asQueued = (message: Message): Message => ({
  ...message,
  status: 'queued',
  wamid: null,
  pricing: null,
  error: null,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
})

/** rule: send 1, send 2. Answers what was answered before; fills `results` for sends whose key is known. */
async function replay(tx: Tx, sends: readonly Send[], results: Map<Send, SendResult>, now: Date): Promise<void> {
  const keyed = sends.flatMap((send) =>
    send.idempotency === null || results.has(send) ? [] : [{ ...send, key: send.idempotency.key, send }],
  )
  const answers = await findAnswers(tx, keyed, now)
  keyed.forEach(({ send }, i) => {
    const answer = answers[i]
    if (!answer) return
    results.set(send, sameBody(send, answer.body_hash) ? ok({ body: answer.response, replayed: true }) : refused(otherBody))
  })
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
