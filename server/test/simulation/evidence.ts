import type { UsageDifference } from '../support/usage-differences.ts'
import type { Act } from './plan.ts'

/**
 * What really happened in one simulation, as the outside world saw it, and what the database says at the end. Invariants judge
 * nothing else. Times are milliseconds of the virtual clock. `label` names a message by the words that it carries.
 */
export type Evidence = {
  requests: ClientRequest[]
  posts: Post[]
  statuses: ToldStatus[]
  inbound: ToldInbound[]
  acts: ToldAct[]
  receipts: Receipt[]
  faults: Fault[]
  /** When time stood still for everyone and went on later, as on a machine that was suspended. */
  jumps: { fromMs: number; untilMs: number }[]
  ownership: OwnershipStep[]
  /** Ticks and recordings that failed for another reason than an injected fault. */
  complaints: string[]
  /** Up to when faults were injected. */
  calmFromMs: number
  webhooks: string[]
  /** There are messages that upstream never takes, and what waits behind them. */
  mayExpire: boolean
  rows: Rows
}

/** One thing that a client wants sent, with each of its calls. */
export type ClientRequest = {
  label: string
  number: number
  person: string
  key: string | null
  calls: ClientCall[]
}

export type ClientCall = {
  atMs: number
  endedAtMs: number
  /** The words that it asked for, which are not the label's where a client uses a key for something else. */
  text: string
  /** `lost`: the client got no answer, whatever the gateway did. */
  answer: { kind: 'accepted'; id: string; replayed: boolean } | { kind: 'refused'; code: string } | { kind: 'lost' }
}

/** What upstream did with one call. `nothing`: no byte reached it. */
export type Truth = 'accepted' | 'refused' | 'not_accepted' | 'ignored' | 'nothing'

/** One call of upstream. */
export type Post = {
  label: string
  /** Which call for this message, from 1. */
  n: number
  number: number
  person: string
  process: number
  /** The attempt that the gateway named in it. */
  attempt: number
  /** When the gateway began it. */
  startedAtMs: number
  /** When its first byte left. */
  atMs: number
  truth: Truth
  /** When upstream took it; null: it did not. */
  acceptedAtMs: number | null
  /** When its answer reached a process that lived; null: never. */
  answeredAtMs: number | null
  /** What that answer lets the gateway know. */
  says: 'accepted' | 'refused' | 'not_accepted' | 'unknown'
}

export type StatusName = 'sent' | 'delivered' | 'read' | 'failed'

/** A status that upstream told, until the gateway took it; `takenAtMs`: when it first did. */
export type ToldStatus = { label: string; status: StatusName; at: Date; takenAtMs: number | null; tellings: number }

/** A message that a person wrote. */
export type ToldInbound = { label: string; number: number; takenAtMs: number | null; tellings: number }

/** What a person did to the message that `target` names: one that a person wrote, or one of ours. */
export type ToldAct = { label: string; target: string; person: string; at: Date; act: Act; takenAtMs: number | null; tellings: number }

/** One POST of an event as the receiver saw it. */
export type Receipt = {
  webhook: string
  eventId: string
  type: string
  label: string
  process: number
  atMs: number
  answeredAtMs: number
  statusCode: number
  /** Whether the bytes are the ones that its first POST had. */
  sameBytes: boolean
}

export type Fault = { kind: 'crash' | 'pause' | 'database'; process: number; fromMs: number; untilMs: number }

/** What was done with shards, in the order in which the database did it. */
export type OwnershipStep =
  | { kind: 'taken'; owner: string; shards: { shard: number; epoch: number }[] }
  | { kind: 'intents'; owner: string; shards: { shard: number; epoch: number }[] }

export type MessageRow = {
  id: string
  direction: 'inbound' | 'outbound'
  /** What upstream called it. */
  kind: string
  /** Of what a person wrote: by its id, because its words may change. */
  label: string
  text: string | null
  status: string
  wamid: string | null
  errorCode: number | null
  errorMessage: string | null
  outcomeUnknown: boolean
  createdAtMs: number
  sentAtMs: number | null
  deliveredAtMs: number | null
  readAtMs: number | null
  failedAtMs: number | null
}

export type EventRow = {
  id: string
  type: string
  label: string
  status: string
  text: string | null
  errorMessage: string | null
  createdAtMs: number
  reaction: { person: string; emoji: string; atMs: number } | null
}

export type ReactionRow = { label: string; person: string; emoji: string }

export type DeliveryRow = { id: string; webhook: string; eventId: string; status: string; attempt: number; attempts: number }

export type AttemptRow = { webhook: string; eventId: string; n: number; startedAtMs: number; statusCode: number | null }

export type Rows = {
  messages: MessageRow[]
  events: EventRow[]
  deliveries: DeliveryRow[]
  attempts: AttemptRow[]
  reactions: ReactionRow[]
  idempotency: { key: string; answerId: string }[]
  /** Counters of usage that say something else than the messages. */
  usageDifferences: UsageDifference[]
  /** What still waits. */
  open: { queued: number; notices: number; deliveries: number; lanesDue: number; parkedOfOurs: number }
}
