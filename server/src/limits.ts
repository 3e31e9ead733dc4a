/** Every number of the contract, in one place, each with the section of the contract that sets it. */

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export const limits = {
  /** Limits: request body, up to 256 KB of JSON. */
  bodyBytesMax: 256 * 1024,
  /** Limits: calls per key and per account in a fixed window of a minute. */
  callsPerKeyMax: 600,
  callsPerAccountMax: 1200,
  rateWindowMs: minuteMs,
  /** Decisions: failed authentications of one address in a minute. */
  failedAuthenticationsMax: 600,
  /** Authentication 7. */
  activeKeysMax: 20,
  /** Events, delivery 7. */
  webhooksMax: 10,
  webhookEventsMax: 30,
  webhookUrlCharsMax: 2048,
  webhookDescriptionCharsMax: 200,
  /** Events, delivery 2. */
  webhookDeadlineMs: 10_000,
  webhookRetryDelaysMs: [minuteMs, 5 * minuteMs, 25 * minuteMs, 2 * hourMs, 10 * hourMs],
  /** Decisions, webhooks: late jitter of at most 2 % and 30 s; history kept of an answer; pending while disabled. */
  webhookJitterMax: 0.02,
  webhookJitterMsMax: 30_000,
  webhookResponseBytesKept: 1024,
  webhookPendingMsMax: 72 * hourMs,
  /** Limits: send queue. */
  sendsPerSecond: 50,
  sendsPerSecondOnBusinessApp: 20,
  queueWaitMsMax: 15 * minuteMs,
  /** Decisions, sending: how long after that an unknown outcome waits for a notice. */
  unknownOutcomeMsMax: 2 * minuteMs,
  /** Rule: send 3. */
  serviceWindowMs: dayMs,
  /** Limits: idempotency window; decisions: its key. */
  idempotencyMs: dayMs,
  idempotencyKeyCharsMax: 255,
  /** Limits: field sizes. */
  textCharsMax: 4096,
  captionCharsMax: 1024,
  fileNameCharsMax: 240,
  linkCharsMax: 2048,
  clientReferenceCharsMax: 512,
  contactNameCharsMax: 120,
  contactCardsMax: 50,
  templateComponentsMax: 20,
  listLimitMax: 100,
  listLimitDefault: 20,
  /** Upstream: a notice is at most 3 MB. */
  noticeBytesMax: 3 * 1024 * 1024,
  /** Decisions, receiving: statuses of a wamid that we do not know. */
  parkedStatusMs: dayMs,
} as const
