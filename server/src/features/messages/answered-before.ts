import { present } from '../../base/assert.ts'
import { because, refusal } from '../../base/refusal.ts'
import { ok, refused } from '../../base/result.ts'
import type { Tx } from '../../platform/database/database.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import { findContactsById } from '../contacts/public.ts'
import { findAnswers } from './accept-store.ts'
import type { Message } from './message.ts'
import type { LaneHint } from './send-queue.ts'
import type { Send } from './send-request.ts'
import type { SendResult } from './send-result.ts'
import { findMessages } from './thread-store.ts'
import { messageJson } from './wire.ts'

// rule: send 2
export const otherBody = refusal(
  'idempotency_conflict',
  because('key_reused', 'This Idempotency-Key was used with a different body in the last 24 hours.'),
)

/** rule: send 1, send 2. Fills `results` for sends without one whose key is known, by what was answered under it. */
export async function replay(tx: Tx, sends: readonly Send[], results: Map<Send, SendResult>, now: Date): Promise<void> {
  const keyed = sends.flatMap((send) =>
    send.idempotency === null || results.has(send) ? [] : [{ ...send, key: send.idempotency.key, send }],
  )
  const answers = await findAnswers(tx, keyed, now)
  keyed.forEach(({ send }, i) => {
    const answer = answers[i]
    if (!answer) return
    const isSame = send.idempotency?.bodyHash.equals(answer.body_hash) === true
    results.set(send, isSame ? ok({ body: answer.response, replayed: true }) : refused(otherBody))
  })
}

/**
 * Fills `results` for sends whose messages are there, as they were accepted by an earlier try, and returns the lanes of those. A send's id is
 * made at its arrival, so that nothing else can have written it.
 */
export async function answerWritten(tx: Tx, sends: readonly Send[], results: Map<Send, SendResult>): Promise<LaneHint[]> {
  const lanes: LaneHint[] = []
  for (const group of Map.groupBy(sends, ({ accountId, livemode }) => `${accountId} ${livemode}`).values())
    lanes.push(...(await answerWrittenOfOne(tx, group, results)))
  return lanes
}

/** The same for sends of one account and mode. */
async function answerWrittenOfOne(tx: Tx, sends: readonly Send[], results: Map<Send, SendResult>): Promise<LaneHint[]> {
  const { accountId, livemode } = present(sends[0], 'no group is empty')
  const ids = sends.map((each) => each.id)
  const written = await findMessages(tx, accountId, livemode, ids)
  if (written.length === 0) return []
  const asked = written.map(({ contactId }) => ({ accountId, id: contactId }))
  const contacts = new Map((await findContactsById(tx, asked)).map((contact) => [contact.ord, contact]))
  const sendsById = new Map(sends.map((send) => [send.id, send]))
  written.forEach((message, i) => {
    const body = messageJson(asQueued(message), present(contacts.get(i + 1), 'a message has its contact'))
    results.set(present(sendsById.get(message.id), 'its id was asked for'), ok({ body, replayed: false }))
  })
  return written.map(({ channelId }) => ({ accountId, livemode, channelId, shard: shardOf(accountId, channelId) }))
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
