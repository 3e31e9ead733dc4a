import { unreachable } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { formatId } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { because, invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { openedOrNull, type Unseal } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { type UpstreamFailure, upstreamRefusal } from '../../platform/upstream/manage.ts'
import { postMessage, type SendOutcome } from '../../platform/upstream/send.ts'
import { type ChannelInUse, markDisconnected } from '../channels/public.ts'
import { findAnswers, keepAnswers, placeOf } from './accept-store.ts'
import { otherBody } from './answered-before.ts'
import { explain } from './explain.ts'
import { factsForSends, type Known } from './facts.ts'
import { recordChanges } from './feed.ts'
import type { Message } from './message.ts'
import type { SendObservation } from './observation.ts'
import { refusalFor } from './rules.ts'
import type { Reaction } from './send-request.ts'
import { findMessage } from './store.ts'
import { testCourse } from './test-number.ts'
import { writeOwnReaction } from './thread-store.ts'
import { addressOf } from './upstream.ts'

export type ReactDeps = { database: Database; clock: Clock; graph: Graph; unseal: Unseal; observe: (observation: SendObservation) => void }

/** The reaction's answer as JSON, and whether it is the repetition of an earlier one. */
export type ReactResult = Result<{ body: JsonText; replayed: boolean }, Refusal>

/** Reacts, one after another where the same `Idempotency-Key` came twice, so that the second is answered by what the first did. */
export function createReactor(deps: ReactDeps): (reaction: Reaction) => Promise<ReactResult> {
  const last = new Map<string, Promise<unknown>>()
  return (reaction) => {
    if (reaction.idempotency === null) return react(deps, reaction)
    const place = placeOf({ ...reaction, key: reaction.idempotency.key })
    const turn = (last.get(place) ?? Promise.resolve()).then(() => react(deps, reaction))
    const settled = turn.then(
      () => {},
      () => {},
    )
    last.set(place, settled)
    void settled.then(() => {
      if (last.get(place) === settled) last.delete(place)
    })
    return turn
  }
}

/**
 * rule: send 11. Sets or removes a reaction: upstream is asked at once, since there is no message that could wait. Its answer is kept
 * under the key only afterwards; a crash in between repeats it upstream, which changes nothing there.
 */
async function react(deps: ReactDeps, reaction: Reaction): Promise<ReactResult> {
  const replayed = await replay(deps, reaction)
  if (replayed !== null) return replayed
  const [known] = await factsForSends(deps.database, deps.clock.now(), [
    { ...reaction, replyTo: reaction.target, file: null, template: null },
  ])
  if (known === undefined) throw new Error('one answer for one reaction')
  const code = refusalFor(false, known, deps.clock.now())
  const { missing } = known
  if (code !== null) return refused(explain(code, missing?.field === 'reply_to' ? { ...missing, field: 'reaction.message_id' } : missing))
  const target = await targetOf(deps, reaction, known)
  if (!target.ok) return target
  const failure = await tell(deps, reaction, { known, wamid: target.value.wamid })
  if (failure !== null) return refused(upstreamRefusal(failure))
  await remember(deps, reaction, target.value)
  return keep(deps, reaction, reactionJson(target.value, reaction.emoji))
}

/** What the team sees of it from now on. */
async function remember({ database, clock }: ReactDeps, { accountId, livemode, emoji }: Reaction, { id }: Target): Promise<void> {
  if (id === null) return
  const at = clock.now()
  await database.repeatable(async (tx) => {
    await writeOwnReaction(tx, { accountId, messageId: id, emoji, at })
    await recordChanges(tx, at, [{ accountId, livemode, id, how: 'changed' }])
  })
}

/** rule: send 1, send 2 */
async function replay({ database, clock }: ReactDeps, reaction: Reaction): Promise<ReactResult | null> {
  const { idempotency } = reaction
  if (idempotency === null) return null
  const [known] = await findAnswers(database, [{ ...reaction, key: idempotency.key }], clock.now())
  if (!known) return null
  return known.body_hash.equals(idempotency.bodyHash) ? ok({ body: known.response, replayed: true }) : refused(otherBody)
}

async function keep(deps: ReactDeps, reaction: Reaction, answer: JsonText): Promise<ReactResult> {
  const { idempotency } = reaction
  if (idempotency === null) return ok({ body: answer, replayed: false })
  const kept = await keepAnswers(deps.database, [{ ...reaction, ...idempotency, answer }], 200, deps.clock.now())
  // Another process had the same key in the same moment: both asked upstream, which is harmless, and one answer counts.
  return kept.size === 1 ? ok({ body: answer, replayed: false }) : ((await replay(deps, reaction)) ?? ok({ body: answer, replayed: false }))
}

type Target = { id: Message['id'] | null; wamid: string }

/** What upstream calls the message. One of ours that upstream does not know yet, or of another number, cannot get a reaction. */
async function targetOf(
  { database }: ReactDeps,
  { accountId, livemode, target }: Reaction,
  known: Known,
): Promise<Result<Target, Refusal>> {
  if (known.replyTo === null) return target.kind === 'wamid' ? ok({ id: null, wamid: target.wamid }) : refused(explain('not_found', null))
  const message = await findMessage(database, accountId, livemode, known.replyTo)
  if (message === null || message.wamid === null || message.status === 'queued') return refused(refusal('conflict', notSentWords))
  if (message.channelId !== known.channel?.id) return refused(invalidField('reaction.message_id', otherNumberWords))
  return ok({ id: message.id, wamid: message.wamid })
}

const notSentWords = because('not_sent_yet', 'The message has not been sent, so that it cannot get a reaction yet.')
const otherNumberWords = because('other_number', 'This message belongs to another number than the one to send from.')

/** Null: upstream took it. */
async function tell(
  deps: ReactDeps,
  reaction: Reaction,
  { known, wamid }: { known: Known; wamid: string },
): Promise<UpstreamFailure | null> {
  const { channel } = known
  if (channel === null || channel.sealedToken === null) throw new Error('a reaction without a connected channel was refused')
  if (!reaction.livemode) return simulated(reaction)
  const token = openedOrNull(deps.unseal, channel.sealedToken)
  if (token === null) return { reached: false, code: null, message: 'The number has no token that can be used.' }
  const beganMs = deps.clock.monotonicMs()
  const outcome = await postMessage(deps.graph, {
    phoneNumberId: channel.phoneNumberId,
    token,
    body: reactionBody(reaction, { known, wamid }),
    startBy: beganMs + startMsMax,
  })
  deps.observe({
    kind: 'reaction.finished',
    channelId: formatId('ch', channel.id),
    outcome: outcome.kind,
    code: outcome.kind === 'accepted' ? null : outcome.code,
    statusCode: outcome.statusCode,
    ms: Math.round(deps.clock.monotonicMs() - beganMs),
  })
  await noteUnusable(deps, channel, outcome)
  return failureOf(outcome)
}

/** The caller waits: what cannot leave by then is better told. */
const startMsMax = 10_000

/** rule: test 3. Only what upstream would say in its answer: what it says by notice, a reaction does not tell. */
function simulated({ recipient }: Reaction): UpstreamFailure | null {
  const course = testCourse(recipient.kind === 'phone' ? recipient.digits : null)
  return course.kind === 'refused' ? { reached: true, code: course.code, message: course.message } : null
}

function reactionBody({ recipient, content, emoji }: Reaction, { known, wamid }: { known: Known; wamid: string }): string {
  const given = recipient.kind === 'phone' ? recipient.digits : recipient.userId
  const reaction = content.reaction as object
  return JSON.stringify({
    ...content,
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...addressOf(known.contact?.waId ?? given),
    type: 'reaction',
    reaction: { ...reaction, message_id: wamid, emoji },
  })
}

async function noteUnusable({ database, clock }: ReactDeps, channel: ChannelInUse, outcome: SendOutcome): Promise<void> {
  if (outcome.kind !== 'not_accepted' || outcome.brake !== 'channel') return
  await database.transaction((tx) =>
    markDisconnected(tx, [{ accountId: channel.accountId, channelId: channel.id, because: outcome.message, at: clock.now() }]),
  )
}

function failureOf(outcome: SendOutcome): UpstreamFailure | null {
  switch (outcome.kind) {
    case 'accepted':
      return null
    case 'refused':
    case 'not_accepted':
      return { reached: outcome.statusCode !== null, code: outcome.code, message: outcome.message }
    case 'unknown':
      return { reached: outcome.statusCode !== null, code: outcome.code, message: outcome.because }
    default:
      return unreachable(outcome)
  }
}

function reactionJson({ id, wamid }: Target, emoji: string): JsonText {
  const messageId = id === null ? null : formatId('msg', id)
  return JSON.stringify({ object: 'reaction', message_id: messageId, wamid, emoji, status: 'sent' }) as JsonText
}
