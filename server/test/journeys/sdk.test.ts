import { createPombo, type Message, type PomboOptions } from '@pombo/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import { recordOf } from '../support/deliveries.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { nobodys } from '../support/texts.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { RATE_LIMIT_PER_KEY: '30' } })
})
afterAll(() => gateway.close())

const clientOf = (account: TestAccount, options: Partial<PomboOptions> = {}) =>
  createPombo({ apiKey: account.test, baseUrl: `${gateway.url}/v1`, ...options })

const textTo = (to: string, body = 'Oi, tudo bem?') => ({ to, type: 'text' as const, text: { body } })

describe('the SDK beside a gateway', () => {
  // rule: send 1
  test('a send whose answer is lost on the way is made again, and is one message', async () => {
    const account = await gateway.account()
    const statuses: number[] = []
    const lossy: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init)
      statuses.push(answer.status)
      if (statuses.length === 1) throw new TypeError('the connection was reset')
      return answer
    }
    const pombo = clientOf(account, { fetch: lossy })
    const message = await pombo.messages.send(textTo(gateway.newPerson()))
    expect(statuses).toEqual([202, 202])
    expect(pombo.responseOf(message)).toMatchObject({ status: 202, replayed: true, requestId: expect.stringMatching(/^req_/) })
    expect((await pombo.messages.list().page()).data.map(({ id }) => id)).toEqual([message.id])
  })

  // rule: send 2
  test('a key that was used for something else is refused, with its code', async () => {
    const pombo = clientOf(await gateway.account())
    const person = gateway.newPerson()
    const first = await pombo.messages.send(textTo(person), { idempotencyKey: 'order-1' })
    const again = await pombo.messages.send(textTo(person), { idempotencyKey: 'order-1' })
    expect(again).toEqual(first)
    expect([first, again].map((each) => pombo.responseOf(each)?.replayed)).toEqual([false, true])
    const other = pombo.messages.send(textTo(person, 'Outra coisa'), { idempotencyKey: 'order-1' })
    await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict', status: 409, idempotencyKey: 'order-1' })
  })

  test('a refusal says what is wrong, and the answer of every call what the rate limit leaves', async () => {
    const pombo = clientOf(await gateway.account())
    await expect(pombo.messages.send(textTo(gateway.newPerson(), ''))).rejects.toMatchObject({
      ...{ name: 'PomboError', code: 'invalid_request', status: 400, requestId: expect.stringMatching(/^req_[0-9a-f]{32}$/) },
      details: [{ field: 'text.body', message: expect.any(String) }],
    })
    await expect(pombo.messages.get(nobodys('msg'))).rejects.toMatchObject({ code: 'not_found', status: 404 })
    const page = await pombo.messages.list().page()
    expect(pombo.responseOf(page)?.rateLimit).toMatchObject({ limit: 30, remaining: expect.any(Number), resetSeconds: expect.any(Number) })
  })

  test('a list is walked to its end, newest first, each message once', async () => {
    const pombo = clientOf(await gateway.account())
    const sent: Message[] = []
    for (let i = 0; i < 7; i += 1) sent.push(await pombo.messages.send(textTo(gateway.newPerson())))
    const walked: string[] = []
    for await (const message of pombo.messages.list({ limit: 3 })) walked.push(message.id)
    expect(walked).toEqual(sent.map(({ id }) => id).toReversed())
    const sizes: number[] = []
    for await (const page of pombo.messages.list({ limit: 3 }).pages()) sizes.push(page.data.length)
    expect(sizes).toEqual([3, 3, 1])
  })

  test('a caller who comes too often is told for how long to wait', async () => {
    const pombo = clientOf(await gateway.account(), { retries: 0 })
    const calls = Array.from({ length: 31 }, () => pombo.channels.list().page())
    const refused = (await Promise.allSettled(calls)).filter((each) => each.status === 'rejected').map(({ reason }) => reason)
    expect(refused).toMatchObject([{ code: 'rate_limited', status: 429 }])
    expect(refused[0].retryAfter).toBeGreaterThan(0)
    expect(refused[0].retryAfter).toBeLessThanOrEqual(60)
  })

  test('a webhook lives its life, and the deliveries to it can be read and made again', async () => {
    const account = await gateway.account()
    const events = await gateway.events(account)
    const pombo = clientOf(account, { apiKey: account.live })
    await gateway.letWrite(account, gateway.newPerson())
    const event = await events.until((each) => each.type === 'message.received')
    const record = await recordOf(gateway, account, events.webhookId, (each) => each.status === 'succeeded')
    const [delivered, ...others] = (await pombo.webhooks.deliveries(events.webhookId, { status: 'succeeded' }).page()).data
    expect([delivered, others]).toEqual([record, []])
    expect(delivered).toMatchObject({ event_id: event.id, event_type: 'message.received' })

    const { secret } = await pombo.webhooks.create({ url: 'https://shop.example/pombo', events: ['message.failed'] })
    expect(secret).toMatch(/^whsec_/)
    const [other] = (await pombo.webhooks.list().page()).data
    const rotated = await pombo.webhooks.rotateSecret(other?.id ?? '', { expire_previous_in: 60 })
    expect(rotated.secret).not.toBe(secret)
    expect(await pombo.webhooks.delete(other?.id ?? '')).toEqual({ deleted: true, id: other?.id })
    await expect(pombo.webhooks.get(other?.id ?? '')).rejects.toMatchObject({ status: 404 })
    expect(await pombo.webhooks.retryAll(events.webhookId, { since: '2026-01-01' })).toEqual({ retried: 0 })
  })
})
