import type { UsageDifference } from '../server/test/support/usage-differences.ts'

/** What every history says of its moments: the wall clock in Unix milliseconds, which all programs of a machine share. */
export type At = { atMs: number }

/** The client asked for a send: the same key may be asked for several times, and twice at once. */
export type Request = At & {
  kind: 'request'
  key: string
  attempt: number
  accountId: string
  channelId: string
  to: string
  livemode: boolean
  /** Whether it carried an Idempotency-Key; without one it is asked for once, whatever is answered. */
  keyed: boolean
}

/** How that was answered. `status` is null when no answer came; `id` is the message's where it was accepted. */
export type Answer = At & { kind: 'answer'; key: string; attempt: number; status: number | null; id: string | null; replayed: boolean }

/** A line of the simulator's history about a send. */
export type UpstreamSend = {
  history: 'send'
  sequence: number
  at: string
  monotonicMs: number
  phoneNumberId: string
  to: string | null
  opaque: string | null
  outcome: string
  wamid: string | null
  code: number | null
  fault: string | null
}

/** A line of the simulator's history about one try to hand a notice over. */
export type UpstreamNotice = { history: 'notice'; at: string; attempt: number; status: number | null; body: string }

/** What a receiver of events saw, and the status that it answered; null where it hung up. */
export type Receipt = At & { path: string; signature: string; eventId: string; type: string; body: string; answered: number | null }

/** What was done to the system, from when to when. `gateways` names those that were hit; empty: all of them, by way of their database. */
export type Fault = {
  kind: 'fault'
  cycle: number
  name: string
  detail: string
  gateways: readonly number[]
  fromMs: number
  toMs: number
}

/**
 * What somebody did beside the load, within what they may, while nothing was broken. Since `calmFromMs` what came before was over; null: it was not, and
 * nothing can be said of the trouble.
 */
export type Trouble = { kind: 'trouble'; cycle: number; name: string; calmFromMs: number | null; fromMs: number; toMs: number }

/** What a gateway said of itself: the status of `/ready` (null: no answer), and how long its event loop has stood still at most. */
export type Probe = At & { kind: 'probe'; gateway: number; ready: number | null; stallMs: number | null }

/** A gateway began (it answers), or ended. `wanted`: we ended it. */
export type Life =
  | (At & { kind: 'started'; gateway: number; pid: number; tookMs: number })
  | (At & { kind: 'ended'; gateway: number; pid: number; code: number | null; signal: string | null; wanted: boolean; clean: boolean })

/** What a gateway held at a moment. */
export type Sample = At & { kind: 'sample'; gateway: number; pid: number; rssBytes: number; openFiles: number }

/**
 * How the end of the run went. `leftOver` says in words what had not drained when the wait was over; `idleTransactionsPerSecond` is what the gateways
 * asked of the database when there was nothing left to do.
 */
export type Finish = At & {
  kind: 'finish'
  drained: boolean
  leftOver: string
  givenUpNotices: number
  idleTransactionsPerSecond: number
}

export type Webhook = { id: string; path: string; secret: string }

export type Account = { id: string; channels: readonly { id: string; phoneNumberId: string }[]; webhooks: readonly Webhook[] }

/** What was set up. */
export type Stage = {
  seed: number
  mode: 'bundled' | 'external'
  gateways: number
  cycles: number
  only: readonly string[]
  sendsPerSecond: number
  accounts: readonly Account[]
  /** The account that makes trouble: it belongs to none of the load. */
  noisyAccountId: string
}

/** Ids of rows are bare uuids, moments are Unix milliseconds. */
export type MessageRow = {
  id: string
  accountId: string
  channelId: string
  livemode: boolean
  direction: string
  status: string
  wamid: string | null
  reference: string | null
  outcomeUnknown: boolean
  errorMessage: string | null
  sentMs: number | null
  deliveredMs: number | null
  readMs: number | null
  failedMs: number | null
}
export type EventRow = { id: string; accountId: string; type: string; livemode: boolean; messageId: string }
export type DeliveryRow = { id: string; eventId: string; webhookId: string; status: string; attempts: number; nextMs: number | null }
export type AttemptRow = { deliveryId: string; n: number; startedMs: number; ms: number; statusCode: number | null; error: string | null }
export type QueueRow = { messageId: string; state: number; attempt: number; intentMs: number | null }
/** What the test number's own upstream said, as it was kept. */
export type TestNoticeRow = { accountId: string; body: string }
export type UpstreamCallRow = { messageId: string; n: number; outcome: string }
/** Written by triggers of the harness, by the database's own clock: an intent, and a change of a shard's owner. */
export type IntentRow = { messageId: string; attempt: number; shard: number; epoch: number; atMs: number }
export type TakeoverRow = { shard: number; epoch: number; owner: string | null; atMs: number }

/** The database when everything had drained. `waitingNotices` and `setAside` count. */
export type FinalDatabase = {
  atMs: number
  messages: readonly MessageRow[]
  queue: readonly QueueRow[]
  upstreamCalls: readonly UpstreamCallRow[]
  events: readonly EventRow[]
  deliveries: readonly DeliveryRow[]
  attempts: readonly AttemptRow[]
  testNotices: readonly TestNoticeRow[]
  intents: readonly IntentRow[]
  takeovers: readonly TakeoverRow[]
  usageDifferences: readonly UsageDifference[]
  waitingNotices: number
  setAside: readonly string[]
}

/** Everything that is known of one run. */
export type Run = {
  stage: Stage
  requests: readonly Request[]
  answers: readonly Answer[]
  sends: readonly UpstreamSend[]
  notices: readonly UpstreamNotice[]
  receipts: readonly Receipt[]
  faults: readonly Fault[]
  lives: readonly Life[]
  samples: readonly Sample[]
  troubles: readonly Trouble[]
  probes: readonly Probe[]
  finish: Finish
  database: FinalDatabase
}

/** A broken promise. `invariant` is its number, `what` a sentence, `evidence` whatever helps to find the moment in the histories. */
export type Violation = { invariant: string; what: string; evidence: unknown }

/** The bare uuid of a public id. */
export function uuidOf(id: string): string {
  const hex = id.slice(id.lastIndexOf('_') + 1)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** When the message behind a UUIDv7 was made, in Unix milliseconds. */
export function momentOf(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)
}
