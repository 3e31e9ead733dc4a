import { brasiliaDay, type Day } from '../../base/brasilia.ts'
import type { Uuid } from '../../base/id.ts'

/** What counting needs to know of a message. */
export type CountedMessage = {
  id: Uuid
  accountId: Uuid
  livemode: boolean
  direction: 'inbound' | 'outbound'
  source: string
  status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'received'
  pricing: { category: string | null; billable: boolean | null } | null
  error: { code: number | null; message: string } | null
  createdAt: Date
  sentAt: Date | null
  failedAt: Date | null
}

/** A message before and after something happened to it; null before: it is new. */
export type MessageChange = { before: CountedMessage | null; after: CountedMessage }

/**
 * What is counted, and by which day: `accepted` and the status of now by the day of creation (what is neither sent, delivered, read nor
 * failed is queued), `received` by that too, `counted`, `billable` and `free` by the day of sending, `error` by the day of the failure.
 */
export type SendCounterKind = 'accepted' | 'sent' | 'delivered' | 'read' | 'failed' | 'counted' | 'billable' | 'free' | 'error'

/** Whose sends a counter is of: the customer's system, by the API, or the team, by the console and the phone. */
export type Sender = 'system' | 'team'

/** The counter of sends of the system has the kind's own name. */
export type CounterKind = 'received' | SendCounterKind | `team_${SendCounterKind}`

/** The kind under which a counter of sends is kept. */
export const kindOf = (sender: Sender, kind: SendCounterKind): CounterKind => (sender === 'system' ? kind : `team_${kind}`)

/** One figure of an account's day. `detail` is the price's category or the failure's code, '' where there is none. */
type Counter = {
  accountId: Uuid
  day: Day
  kind: CounterKind
  detail: string
  /** The failure in words: one code is not always told in the same ones. */
  words: string | null
}

/** By how much a counter changes, never by nothing. */
export type UsageChange = Counter & { by: number }

/** What a counter of one account says: the sum of its parts. */
export type UsageSum = { day: Day; kind: CounterKind; detail: string; amount: number; words: string | null }

/** Rows that one counter is spread over, so that transactions of a busy account do not wait for each other. Number 0 is what a past day was folded into. */
const parts = 8

/** The part that the transaction which changes this message adds to: any will do, and the random end of an id names one. */
export const partOf = (id: Uuid): number => 1 + (Number.parseInt(id.slice(-2), 16) % parts)

/**
 * How counters change when messages do, each counter once. What a message counts for depends on nothing but how it is now, so the
 * sum over any history is what a recount of the messages finds.
 */
export function usageChanges(changes: readonly (MessageChange | { before: CountedMessage; after: null })[]): UsageChange[] {
  const sums = new Map<string, UsageChange>()
  const add = (by: number) => (counter: Counter) => {
    const key = `${counter.accountId} ${counter.day} ${counter.kind} ${counter.detail}`
    const sum = sums.get(key) ?? { ...counter, words: null, by: 0 }
    sums.set(key, { ...sum, by: sum.by + by, words: by > 0 ? counter.words : sum.words })
  }
  for (const { before, after } of changes) {
    if (after !== null) countersOf(after).forEach(add(1))
    if (before !== null) countersOf(before).forEach(add(-1))
  }
  return [...sums.values()].filter((each) => each.by !== 0)
}

/** rule: usage 1, usage 2, usage 8. Everything that the message counts for as it is now. */
function countersOf(message: CountedMessage): Counter[] {
  if (!message.livemode) return []
  const { accountId, status, createdAt, failedAt } = message
  if (status === 'received') return [{ accountId, day: brasiliaDay(createdAt), kind: 'received', detail: '', words: null }]
  if (message.direction === 'inbound') return []
  const sender: Sender = message.source === 'api' ? 'system' : 'team'
  const counter = (kind: SendCounterKind, at: Date, detail = '', words: string | null = null): Counter => ({
    ...{ accountId, day: brasiliaDay(at), kind: kindOf(sender, kind), detail, words },
  })
  const accepted = counter('accepted', createdAt)
  if (status === 'queued') return [accepted]
  if (status !== 'failed') return [accepted, counter(status, createdAt), ...sentCounters(message, counter)]
  // rule: usage 4
  const { code, message: words } = message.error ?? { code: null, message: '' }
  const error =
    failedAt === null ? [] : [counter('error', failedAt, code === null ? clip(words) : String(code), clip(words, wordsCharsMax))]
  return [accepted, counter(status, createdAt), ...error]
}

/** rule: usage 3. What upstream accepted and did not fail later; a notice that overtakes the answer leaves no moment of sending yet. */
function sentCounters(
  { sentAt, pricing }: CountedMessage,
  counter: (kind: SendCounterKind, at: Date, detail?: string) => Counter,
): Counter[] {
  if (sentAt === null) return []
  const counted = counter('counted', sentAt)
  if (pricing === null || pricing.billable === null) return [counted]
  return [counted, counter(pricing.billable ? 'billable' : 'free', sentAt, clip(pricing.category ?? 'unknown'))]
}

/** Details are part of a key, which has a greatest length, and their words are upstream's. */
const detailCharsMax = 200
const wordsCharsMax = 1_000
const clip = (text: string, charsMax = detailCharsMax): string => (text.length <= charsMax ? text : [...text].slice(0, charsMax).join(''))
