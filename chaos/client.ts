import { readFileSync } from 'node:fs'
import { randomOf } from './random.ts'
import { openLines } from './run-folder.ts'

/** What the client is told, as a JSON file. */
export type ClientOrders = {
  url: string
  simulatorUrl: string
  file: string
  seed: number
  sendsPerSecond: number
  /** `people` are those who have written to the number. */
  numbers: readonly {
    accountId: string
    channelId: string
    phoneNumberId: string
    liveKey: string
    testKey: string
    people: readonly string[]
  }[]
}

/** `key` is what it is known by in the histories; it is an Idempotency-Key where `keyed` says so. */
type Wanted = { key: string; keyed: boolean; bearer: string; accountId: string; channelId: string; to: string; livemode: boolean }

/** Longer than the gateway lets anybody wait for its database. */
const answerMsMax = 11_000
const openMax = 120
const burst = { everyMs: 8_000, sends: 40 }
const inboundEveryMs = 500
/** After `stop`: how long what was not accepted is repeated. */
const finishMsMax = 60_000
const testShare = 0.15
/** Programs that know no keys: what they get no answer to may be written or not. */
const unkeyedShare = 0.3
/** Of the sends that were accepted, so many are asked for once more, and so many are asked for twice at once. */
const repeatShare = 0.05

/**
 * A customer's programs and the people they write to, as a program: `client.ts ORDERS.json`. Sends steadily, with a burst to one number now and
 * then, and repeats whatever was not accepted under the same key until it is; three in ten carry no key, and are asked for once. On SIGTERM it begins nothing more, finishes what is open, and ends.
 */
const [, , ordersFile = ''] = process.argv
const orders = JSON.parse(readFileSync(ordersFile, 'utf8')) as ClientOrders
const random = randomOf(orders.seed)
const lines = openLines(orders.file)
let count = 0
let open = 0
let stoppedMs: number | null = null

const testEndings = ['770001', '000001', '000002', '000003', '000004', '131026', '770009', '770008']

function choose(number = random.oneOf(orders.numbers)): Wanted {
  count += 1
  const livemode = random.fraction() >= testShare
  const key = `k-${orders.seed}-${count}`
  const to = livemode ? random.oneOf(number.people) : `55119${random.whole(10, 99)}${random.oneOf(testEndings)}`
  const keyed = random.fraction() >= unkeyedShare
  const bearer = livemode ? number.liveKey : number.testKey
  return { key, keyed, bearer, accountId: number.accountId, channelId: number.channelId, to, livemode }
}

async function send(wanted: Wanted): Promise<void> {
  open += 1
  const twice = wanted.keyed && random.fraction() < repeatShare
  const again = wanted.keyed && random.fraction() < repeatShare
  let attempts = 0
  const one = () => {
    attempts += 1
    return ask(wanted, attempts)
  }
  for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, 4_000)) {
    const answers = await Promise.all(twice && attempts === 0 ? [one(), one()] : [one()])
    // Without a key a repetition would be another send.
    if (!wanted.keyed) break
    // A refusal is final: nothing was written under the key.
    if (answers.some((status) => status !== null && status < 500)) break
    if (stoppedMs !== null && Date.now() - stoppedMs > finishMsMax) break
    await pause(waitMs)
  }
  if (again) await one()
  open -= 1
}

async function ask({ key, keyed, bearer, accountId, channelId, to, livemode }: Wanted, attempt: number): Promise<number | null> {
  lines.write({ kind: 'request', atMs: Date.now(), key, attempt, accountId, channelId, to, livemode, keyed })
  try {
    const response = await fetch(`${orders.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...(keyed ? { 'idempotency-key': key } : {}) },
      body: JSON.stringify({ to, channel_id: channelId, type: 'text', text: { body: `Olá ${key}` }, client_reference: key }),
      signal: AbortSignal.timeout(answerMsMax),
    })
    const body = (await response.json()) as { id?: string }
    const replayed = response.headers.get('idempotent-replayed') === 'true'
    lines.write({ kind: 'answer', atMs: Date.now(), key, attempt, status: response.status, id: body.id ?? null, replayed })
    return response.status
  } catch {
    lines.write({ kind: 'answer', atMs: Date.now(), key, attempt, status: null, id: null, replayed: false })
    return null
  }
}

/** A person writes to one of the numbers. */
async function write(): Promise<void> {
  const number = random.oneOf(orders.numbers)
  const body = JSON.stringify({ from: random.oneOf(number.people), text: 'E o meu pedido?', phone_number_id: number.phoneNumberId })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${orders.simulatorUrl}/_sim/inbound`, { method: 'POST', headers, body }).catch(() => {})
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

process.on('SIGTERM', () => {
  stoppedMs = Date.now()
})
let burstMs = Date.now() + burst.everyMs
let inboundMs = Date.now()
while (stoppedMs === null) {
  if (open < openMax) void send(choose())
  if (Date.now() > burstMs && open < openMax) {
    burstMs += burst.everyMs
    const number = random.oneOf(orders.numbers)
    for (let i = 0; i < burst.sends; i += 1) void send(choose(number))
  }
  if (Date.now() > inboundMs) {
    inboundMs += inboundEveryMs
    void write()
  }
  await pause((2 * random.fraction() * 1_000) / orders.sendsPerSecond)
}
while (open > 0) await pause(50)
lines.close()
process.exit(0)
