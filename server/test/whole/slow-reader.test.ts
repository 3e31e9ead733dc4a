import { afterAll, beforeAll, expect, test } from 'vitest'
import { pause, systemClock } from '../../src/base/clock.ts'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { textTo } from '../support/texts.ts'

const amount = 100_000
const clock = systemClock()
let gateway: TestGateway
let reader: TestAccount
let sender: TestAccount

beforeAll(async () => {
  gateway = await startTestGateway({ settings: { RATE_LIMIT_PER_KEY: '100000', RATE_LIMIT_PER_ACCOUNT: '100000' } })
  reader = await gateway.account()
  sender = await gateway.account()
  await sql(
    `insert into message (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, source, sent_at)
    select $1, uuidv7(), true, $2, $2, 'outbound', 'text', 'text', 'delivered', 'crm', now() from generate_series(1, ${amount})`,
    [reader.uuid, reader.channel.uuid],
  )
})
afterAll(() => gateway.close())

const sql = (text: string, values: unknown[]) => gateway.deps.database.all({ compile: () => ({ sql: text, parameters: values }) as never })

const filters = ['status=failed', 'status=read', 'source=api', 'direction=inbound', 'status=sent&source=api', 'status=queued']

/** Lists with filters that fit nothing, ten times a second, until it is told to stop; resolves to the statuses of the answers. */
async function listAll(isOver: () => boolean): Promise<Set<number>> {
  const seen = new Set<number>()
  const one = async (n: number) => {
    for (let i = n; !isOver(); i += 1) {
      const path = `/v1/messages?${filters[i % filters.length]}`
      const { status } = await fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${reader.live}` } })
      seen.add(status)
      // Ten calls a second: what one key may do.
      await pause(clock, 1_000)
    }
  }
  await Promise.all(Array.from({ length: 10 }, (_, n) => one(n)))
  return seen
}

/** Sends one after the other; the slowest tenth left out, how long the slowest took. */
async function sendSome(): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 15; i += 1) {
    const beganMs = performance.now()
    const { status } = await gateway.call('POST', '/v1/messages', { key: sender.test, body: textTo(gateway.newPerson(), 'Oi') })
    expect(status).toBe(202)
    times.push(performance.now() - beganMs)
  }
  return times.toSorted((a, b) => a - b)[13] ?? 0
}

test('an account that lists with rare filters ten times a second stops nobody else from sending, and gets no 5xx itself', async () => {
  const alone = await sendSome()
  let isOver = false
  const reading = listAll(() => isOver)
  const beside = await sendSome()
  isOver = true
  const statuses = await reading
  expect([...statuses].filter((status) => status !== 200 && status !== 429)).toEqual([])
  // Both share a machine with other tests: what it was before is a hundred times more.
  expect(beside).toBeLessThan(500 + 10 * alone)
}, 120_000)
