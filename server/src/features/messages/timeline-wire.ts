import { Type } from 'typebox'
import { formatId } from '../../base/id.ts'
import type { ToldEvent } from '../webhooks/public.ts'
import { type DiagnosisCode, diagnosisCodes } from './diagnose.ts'
import type { Timeline } from './timeline.ts'
import type { PastAttempt } from './timeline-store.ts'

const oneOf = <Word extends string>(words: readonly Word[]) => Type.Unsafe<Word>({ type: 'string', enum: words })
const at = Type.String({ format: 'date-time' })
const timeOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })
const textOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const wholeOrNull = Type.Unsafe<number | null>({ type: ['integer', 'null'] })
const error = Type.Unsafe<{ code: number | null; message: string } | null>({
  type: ['object', 'null'],
  required: ['code', 'message'],
  properties: { code: { type: ['integer', 'null'] }, message: { type: 'string' } },
})

const attempt = Type.Object({
  number: Type.Integer(),
  manual: Type.Boolean(),
  at,
  ms: Type.Integer(),
  status_code: wholeOrNull,
  error: textOrNull,
})

const delivery = Type.Object({
  id: Type.String(),
  webhook_id: Type.String(),
  url: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Without `webhooks:write` its origin only: the rest may hold a token. Null: the webhook was removed.',
  }),
  status: oneOf(['pending', 'succeeded', 'failed', 'canceled']),
  next_attempt_at: timeOrNull,
  attempts: Type.Array(attempt),
})

const entry = Type.Union([
  Type.Object({
    kind: Type.Literal('accepted'),
    at,
    source: Type.String({ description: 'Through what it was sent: api, chat, crm, ai.' }),
    client_reference: textOrNull,
  }),
  Type.Object({ kind: Type.Literal('received'), at, source: Type.String() }),
  Type.Object({
    kind: Type.Literal('queued'),
    at,
    until: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description: 'When it left; null: it waits.' }),
    waiting_because: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: ['account_suspended', 'channel_not_connected', 'upstream_asked_to_wait', 'pace', 'being_sent', 'unknown_outcome', null],
    }),
    ahead: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'How many of its number wait before it, 1,000 at most.' }),
    not_before: timeOrNull,
    expires_at: timeOrNull,
  }),
  Type.Object({
    kind: Type.Literal('upstream_call'),
    at,
    number: Type.Integer(),
    ms: Type.Integer(),
    outcome: oneOf(['accepted', 'refused', 'not_accepted', 'unknown']),
    status_code: wholeOrNull,
    code: wholeOrNull,
  }),
  Type.Object({ kind: Type.Literal('status'), at, status: oneOf(['sent', 'delivered', 'read', 'failed']), error }),
  Type.Object({
    kind: Type.Literal('file'),
    at,
    state: oneOf(['fetching', 'given_up']),
    tries: Type.Integer(),
    next_try_at: timeOrNull,
  }),
  Type.Object({ kind: Type.Literal('edited'), at }),
  Type.Object({ kind: Type.Literal('deleted'), at }),
  Type.Object({ kind: Type.Literal('event'), at, id: Type.String(), type: Type.String(), deliveries: Type.Array(delivery) }),
])

/** The course of a message, as the console shows it; written as finished JSON. */
export const timelineSchema = Type.Object({
  object: Type.Literal('message_timeline'),
  message_id: Type.String(),
  direction: oneOf(['inbound', 'outbound']),
  status: Type.String(),
  channel_id: Type.String(),
  diagnosis: Type.Object({
    code: Type.Unsafe<DiagnosisCode>({ type: 'string', enum: diagnosisCodes }),
    error_code: wholeOrNull,
    message: textOrNull,
  }),
  webhooks: oneOf(['none', 'told', 'pending', 'failing']),
  entries: Type.Array(entry, { description: 'In the order in which they happened.' }),
})

type Entry = { kind: string; at: string; [field: string]: unknown }

/** One ordered list of all that happened. Pure. The address of a webhook may hold a token: `wholeUrls` is for who may see webhooks. */
export function timelineJson(timeline: Timeline, { wholeUrls }: { wholeUrls: boolean }) {
  const { message, diagnosis, events } = timeline
  const entries = [
    ...ownEntries(timeline),
    ...timeline.attempts.map(callEntry),
    ...statusEntries(timeline),
    ...events.map((each) => eventEntry(each, wholeUrls)),
  ]
  return {
    object: 'message_timeline' as const,
    message_id: formatId('msg', message.id),
    direction: message.direction,
    status: message.status,
    channel_id: formatId('ch', message.channelId),
    diagnosis: { code: diagnosis.code, error_code: diagnosis.errorCode, message: diagnosis.message },
    webhooks: webhooksOf(events),
    entries: inOrder(entries, message.direction === 'outbound' ? lastOfOurs(timeline) : ''),
  }
}

/**
 * Stable: what happened in one millisecond stays in the order in which it is listed. The platform tells its times in whole seconds, cut off: what
 * it says of a message never stands before what we did to send it.
 */
function inOrder(entries: readonly Entry[], ours: string): Entry[] {
  const placeOf = ({ kind, at }: Entry) => (kind === 'status' && at < ours ? ours : at)
  return entries.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : placeOf(a) > placeOf(b) ? 1 : 0))
}

/** The last moment of ours: the acceptance, the last call, or when it was sent. */
function lastOfOurs({ message, attempts }: Timeline): string {
  const moments = [message.createdAt, ...attempts.map((each) => each.startedAt), ...(message.sentAt === null ? [] : [message.sentAt])]
  return new Date(Math.max(...moments.map((each) => each.getTime()))).toISOString()
}

function webhooksOf(events: readonly ToldEvent[]): 'none' | 'told' | 'pending' | 'failing' {
  const deliveries = events.flatMap((each) => each.deliveries)
  if (deliveries.length === 0) return 'none'
  if (deliveries.some((each) => each.status === 'failed' || (each.status === 'pending' && each.attempts.length > 0))) return 'failing'
  return deliveries.some((each) => each.status === 'pending') ? 'pending' : 'told'
}

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null

function ownEntries({ message, waiting, attempts, fetch }: Timeline): Entry[] {
  const createdAt = message.createdAt.toISOString()
  const entries: Entry[] = []
  if (message.direction === 'inbound') entries.push({ kind: 'received', at: createdAt, source: message.source })
  // What was written in the phone's own app never was in our queue.
  else if (message.untold) entries.push({ kind: 'accepted', at: createdAt, source: message.source, client_reference: null })
  else {
    const left = attempts[0]?.startedAt ?? message.sentAt ?? message.failedAt
    entries.push({ kind: 'accepted', at: createdAt, source: message.source, client_reference: message.clientReference })
    entries.push({
      ...{ kind: 'queued', at: createdAt, until: waiting === null ? iso(left) : null },
      ...{ waiting_because: waiting?.because ?? null, ahead: waiting?.ahead ?? null },
      ...{ not_before: iso(waiting?.notBefore ?? null), expires_at: iso(waiting?.expiresAt ?? null) },
    })
  }
  if (fetch !== null) {
    const next = fetch.givenUp ? null : iso(fetch.nextAt)
    entries.push({
      kind: 'file',
      at: fetch.createdAt.toISOString(),
      state: fetch.givenUp ? 'given_up' : 'fetching',
      tries: fetch.tries,
      next_try_at: next,
    })
  }
  if (message.editedAt !== null) entries.push({ kind: 'edited', at: message.editedAt.toISOString() })
  if (message.deletedAt !== null) entries.push({ kind: 'deleted', at: message.deletedAt.toISOString() })
  return entries
}

function callEntry({ n, startedAt, ms, outcome, statusCode, code }: PastAttempt): Entry {
  return { kind: 'upstream_call', at: startedAt.toISOString(), number: n, ms, outcome, status_code: statusCode, code }
}

function statusEntries({ message }: Timeline): Entry[] {
  const moments = [
    ['sent', message.sentAt, null],
    ['delivered', message.deliveredAt, null],
    ['read', message.readAt, null],
    ['failed', message.failedAt, message.error],
  ] as const
  return moments.flatMap(([status, moment, error]) =>
    moment === null ? [] : [{ kind: 'status', at: moment.toISOString(), status, error }],
  )
}

function eventEntry({ id, type, createdAt, deliveries }: ToldEvent, wholeUrls: boolean): Entry {
  const told = deliveries.map((each) => deliveryJson(each, wholeUrls))
  return { kind: 'event', at: createdAt.toISOString(), id: formatId('evt', id), type, deliveries: told }
}

function deliveryJson({ id, webhookId, url, status, nextAt, attempts }: ToldEvent['deliveries'][number], wholeUrls: boolean) {
  return {
    id: formatId('dlv', id),
    webhook_id: formatId('whk', webhookId),
    url: url === null || wholeUrls ? url : new URL(url).origin,
    status,
    next_attempt_at: iso(nextAt),
    attempts: attempts.map((each) => ({
      ...{ number: each.number, manual: each.manual, at: each.startedAt.toISOString(), ms: each.durationMs },
      ...{ status_code: each.statusCode, error: each.error },
    })),
  }
}
