import Stripe from 'stripe'
import type { Receipt, Run } from '../histories.ts'

/** One message through everything, once and rightly. Tests spoil a copy of it. */
export const ids = {
  account: '01a21f00-0000-7000-8000-0000000000a1',
  channel: '01a21f00-0000-7000-8000-0000000000c1',
  webhook: '01a21f00-0000-7000-8000-0000000000d1',
  message: '01a21fc4-cfe8-7004-ad2c-980adcee5f78',
  events: ['01a21fc4-d000-7000-8000-000000000001', '01a21fc4-d000-7000-8000-000000000002', '01a21fc4-d000-7000-8000-000000000003'],
} as const

/** When that message was made. */
export const madeMs = Number.parseInt(ids.message.replaceAll('-', '').slice(0, 12), 16)
const path = '/ok/0'
const secret = 'whsec_made-up'
const wamid = 'wamid.one'
const kinds = ['sent', 'delivered', 'read'] as const

/** An id as it leaves the gateway. */
export const shown = (prefix: string, uuid: string): string => `${prefix}_${uuid.replaceAll('-', '')}`

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] extends readonly (infer Item)[] ? Mutable<Item>[] : Mutable<Value[Key]> }
/** A run that a test may change. */
export type MadeUpRun = Mutable<Run>

/** A status notice as upstream posts it. */
export function noticeBody(status: string, atMs: number, of = wamid): string {
  const told = { id: of, status, timestamp: String(Math.floor(atMs / 1_000)), biz_opaque_callback_data: `${shown('msg', ids.message)}.1` }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'messages', value: { statuses: [told] } }] }],
  })
}

/** A receipt as it should be, signed by a package that knows nothing of us. */
export function receiptOf(i: number, changes: Partial<Receipt> = {}): Receipt {
  const eventId = shown('evt', ids.events[i] ?? '')
  const type = `message.${kinds[i]}`
  const body = JSON.stringify({ id: eventId, object: 'event', type, data: { id: shown('msg', ids.message) } })
  const atMs = madeMs + 1_000 * (i + 1) + 50
  const timestamp = Math.floor(atMs / 1_000)
  const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
  return { atMs, path, signature: header, eventId, type, body, answered: 204, ...changes }
}

/** A new run in which every promise is kept. */
export function wellRun(): MadeUpRun {
  const at = (ms: number) => new Date(madeMs + ms).toISOString()
  const [account, channel, webhook, message] = [ids.account, ids.channel, ids.webhook, ids.message]
  const key = 'k-1'
  const statusMs = (i: number) => Math.floor((madeMs + 1_000 * (i + 1)) / 1_000) * 1_000
  return {
    stage: {
      seed: 1,
      mode: 'external',
      gateways: 1,
      cycles: 1,
      only: [],
      sendsPerSecond: 20,
      accounts: [{ id: account, channels: [{ id: channel, phoneNumberId: '118' }], webhooks: [{ id: webhook, path, secret }] }],
      noisyAccountId: '01a21f00-0000-7000-8000-0000000000a2',
    },
    requests: [
      {
        kind: 'request',
        atMs: madeMs - 5,
        key,
        attempt: 1,
        accountId: account,
        channelId: channel,
        to: '5511988770001',
        livemode: true,
        keyed: true,
      },
    ],
    answers: [{ kind: 'answer', atMs: madeMs + 20, key, attempt: 1, status: 202, id: shown('msg', message), replayed: false }],
    sends: [
      {
        history: 'send',
        sequence: 1,
        at: at(100),
        monotonicMs: 100,
        phoneNumberId: '118',
        to: '+5511988770001',
        opaque: `${shown('msg', message)}.1`,
        outcome: 'accepted',
        wamid,
        code: null,
        fault: null,
      },
    ],
    notices: kinds.map((status, i) => ({ history: 'notice', at: at(0), attempt: 1, status: 200, body: noticeBody(status, statusMs(i)) })),
    receipts: kinds.map((_kind, i) => receiptOf(i)),
    faults: [],
    lives: [{ kind: 'started', atMs: madeMs - 1_000, gateway: 0, pid: 7, tookMs: 900 }],
    samples: [{ kind: 'sample', atMs: madeMs, gateway: 0, pid: 7, rssBytes: 1e8, openFiles: 40 }],
    troubles: [],
    probes: [],
    finish: { kind: 'finish', atMs: madeMs + 9_000, drained: true, leftOver: '', givenUpNotices: 0, idleTransactionsPerSecond: 4 },
    database: {
      atMs: madeMs + 9_000,
      messages: [
        {
          id: message,
          accountId: account,
          channelId: channel,
          livemode: true,
          direction: 'outbound',
          status: 'read',
          wamid,
          reference: key,
          outcomeUnknown: false,
          errorMessage: null,
          sentMs: madeMs + 120,
          deliveredMs: statusMs(1),
          readMs: statusMs(2),
          failedMs: null,
        },
      ],
      queue: [],
      upstreamCalls: [{ messageId: message, n: 1, outcome: 'accepted' }],
      events: kinds.map((kind, i) => ({
        id: ids.events[i] ?? '',
        accountId: account,
        type: `message.${kind}`,
        livemode: true,
        messageId: shown('msg', message),
      })),
      deliveries: ids.events.map((eventId, i) => ({
        id: `delivery-${i}`,
        eventId,
        webhookId: webhook,
        status: 'succeeded',
        attempts: 1,
        nextMs: null,
      })),
      attempts: ids.events.map((_id, i) => ({
        deliveryId: `delivery-${i}`,
        n: 1,
        startedMs: madeMs + 1_000 * (i + 1) + 40,
        ms: 20,
        statusCode: 204,
        error: null,
      })),
      testNotices: [],
      usageDifferences: [],
      intents: [{ messageId: message, attempt: 1, shard: 3, epoch: 1, atMs: madeMs + 90 }],
      takeovers: [{ shard: 3, epoch: 1, owner: 'a', atMs: madeMs - 900 }],
      waitingNotices: 0,
      setAside: [],
    },
  }
}
