import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SystemClock, systemClock } from '../../src/base/clock.ts'
import { resumeAccount, suspendAccount } from '../../src/features/accounts/public.ts'
import { done, type TestAccount } from '../support/accounts.ts'
import type { TestEvents } from '../support/events.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { textTo } from '../support/texts.ts'

/** Real time, which can be moved ahead for the moment of one call. */
let aheadMs = 0
const clock: SystemClock = { ...systemClock(), now: () => new Date(Date.now() + aheadMs) }

let gateway: TestGateway
let account: TestAccount
let events: TestEvents
let person: string
beforeAll(async () => {
  gateway = await startTestGateway({ clock })
  account = await gateway.account()
  events = await gateway.events(account, ['message.sent', 'message.read'])
  person = gateway.newPerson()
  await gateway.letWrite(account, person)
})
afterAll(() => gateway.close())

let keys = 0
const newKey = () => {
  keys += 1
  return `order ${keys} ~!`
}
const send = (body: unknown, key: string | null, apiKey = account.live) =>
  gateway.call('POST', '/v1/messages', { key: apiKey, body, headers: key === null ? {} : { 'idempotency-key': key } })
const sentUpstream = (words: string) => gateway.simulator.accepted.filter((each) => each.raw?.includes(words))
const messagesWith = async (reference: string, apiKey = account.live) =>
  (await gateway.call('GET', '/v1/messages', { key: apiKey, query: { client_reference: reference } })).body.data

// rule: requests 7
test('two headers of it, alike or not, are 400 and send nothing', async () => {
  for (const keys of [
    ['a', 'a'],
    ['a', 'b'],
  ]) {
    const headers = { 'idempotency-key': keys } as never
    const { status, body } = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(person, 'twice named'), headers })
    expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', 'idempotency-key'])
  }
  expect(sentUpstream('twice named')).toEqual([])
})

// rule: send 1
describe('the same key and body', () => {
  // rule: send 1
  test('gets the first answer byte for byte, marked as replayed, and one message is sent', async () => {
    const key = newKey()
    const first = await send(textTo(person, 'only once'), key)
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([202, undefined])
    // By now the message is another one; the answer stays what it was.
    await events.of(first.body.id, 'message.read')
    const second = await send(textTo(person, 'only once'), key)
    expect([second.status, second.headers['idempotent-replayed'], second.text]).toEqual([202, 'true', first.text])
    expect(second.headers['content-type']).toBe(first.headers['content-type'])
    expect(sentUpstream('only once')).toHaveLength(1)
  })

  test('is the same in any order of the fields, with any white space and any escapes', async () => {
    const key = newKey()
    const first = await send('{"to":"TO","type":"text","text":{"body":"é 👋","preview_url":false}}'.replace('TO', person), key)
    const second = await send(
      '{ "text" : {"preview_url":false, "body":"\\u00e9 \\ud83d\\udc4b"}, "type":"text",\n"to":"TO" }'.replace('TO', person),
      key,
    )
    expect([second.headers['idempotent-replayed'], second.text]).toEqual(['true', first.text])
  })

  test('keeps being answered while the account is suspended', async () => {
    const key = newKey()
    const first = await send(textTo(person), key)
    done(await suspendAccount(gateway.deps, account.uuid))
    const second = await send(textTo(person), key)
    done(await resumeAccount(gateway.deps, account.uuid))
    expect([second.status, second.text]).toEqual([202, first.text])
  })

  test('from 50 callers at once becomes one message, and 50 equal answers', async () => {
    const key = newKey()
    const body = textTo(person, 'fifty at once', { client_reference: key })
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(body, key)))
    expect(new Set(answers.map((each) => `${each.status} ${each.text}`)).size).toBe(1)
    expect(answers.filter((each) => each.headers['idempotent-replayed'] === 'true')).toHaveLength(49)
    expect(await messagesWith(key)).toHaveLength(1)
    await events.of(answers[0]?.body.id, 'message.read')
    expect(sentUpstream('fifty at once')).toHaveLength(1)
  })

  test('of 50 callers at once of whom half say something else: one message, one answer, the others 409', async () => {
    const key = newKey()
    const body = (i: number) => textTo(person, `half says ${i % 2}`, { client_reference: key })
    const answers = await Promise.all(Array.from({ length: 50 }, (_each, i) => send(body(i), key)))
    expect(answers.filter((each) => each.status === 202)).toHaveLength(25)
    expect(answers.filter((each) => each.body.error?.code === 'idempotency_conflict')).toHaveLength(25)
    expect(new Set(answers.filter((each) => each.status === 202).map((each) => each.text)).size).toBe(1)
    expect(await messagesWith(key)).toHaveLength(1)
  })

  test('without a key is two messages', async () => {
    const [one, two] = [await send(textTo(person), null), await send(textTo(person), null)]
    expect(one.body.id).not.toBe(two.body.id)
  })
})

// rule: send 2
// rule: send 2
describe('409 idempotency_conflict', () => {
  test.each<[what: string, a: string, b: string]>([
    ['another text', '{"body":"one"}', '{"body":"two"}'],
    ['one more field', '{"body":"one"}', '{"body":"one","preview_url":false}'],
    ['a list in another order', '{"body":"one","x":[1,2]}', '{"body":"one","x":[2,1]}'],
    ['the last digit of a number beyond 2^53', '{"body":"one","x":12345678901234567890}', '{"body":"one","x":12345678901234567891}'],
    ['a text instead of a number', '{"body":"one","x":1}', '{"body":"one","x":"1"}'],
  ])('for %s under the same key', async (_what, a, b) => {
    const key = newKey()
    const body = (text: string) => `{"to":"${person}","type":"text","text":${text}}`
    expect((await send(body(a), key)).status).toBe(202)
    const answer = await send(body(b), key)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'idempotency_conflict'])
    expect(answer.headers['idempotent-replayed']).toBeUndefined()
  })

  test('not for the same big number', async () => {
    const key = newKey()
    const body = `{"to":"${person}","type":"text","text":{"body":"one","x":12345678901234567890}}`
    const [first, second] = [await send(body, key), await send(body, key)]
    expect(second.text).toBe(first.text)
  })
})

// rule: send 4
describe('a key is remembered only', () => {
  // rule: send 4
  test('for sends that were accepted: a refused one sends once its reason is gone', async () => {
    const key = newKey()
    const stranger = gateway.newPerson()
    expect((await send(textTo(stranger), key)).body.error.code).toBe('outside_customer_service_window')
    expect((await send(textTo(stranger), key)).body.error.code).toBe('outside_customer_service_window')
    await gateway.letWrite(account, stranger)
    const sent = await send(textTo(stranger), key)
    expect([sent.status, sent.headers['idempotent-replayed']]).toEqual([202, undefined])
  })

  test('for sends that were accepted: after a refused one another body may use it', async () => {
    const key = newKey()
    expect((await send(textTo('12'), key)).status).toBe(400)
    expect((await send(textTo(gateway.newPerson()), key)).status).toBe(422)
    expect((await send(textTo(person, 'another body'), key)).status).toBe(202)
  })

  test('for one mode: live and test know nothing of each other', async () => {
    const key = newKey()
    const live = await send(textTo(person, 'live'), key)
    const test = await send(textTo(person, 'test'), key, account.test)
    expect([live.status, test.status, test.headers['idempotent-replayed']]).toEqual([202, 202, undefined])
    expect((await send(textTo(person, 'test'), key, account.test)).text).toBe(test.text)
  })

  test('for one account', async () => {
    const key = newKey()
    const other = await gateway.account()
    const mine = await send(textTo(person, 'mine'), key, account.test)
    const theirs = await send(textTo(person, 'theirs'), key, other.test)
    expect([mine.status, theirs.status, theirs.headers['idempotent-replayed']]).toEqual([202, 202, undefined])
  })

  test('for 24 hours', async () => {
    const key = newKey()
    const body = textTo(person, 'for a day')
    const later = async (ms: number) => {
      aheadMs = ms
      return send(body, key, account.test).finally(() => {
        aheadMs = 0
      })
    }
    const first = await send(body, key, account.test)
    const dayMs = 24 * 3600 * 1000
    expect((await later(dayMs - 60_000)).text).toBe(first.text)
    const next = await later(dayMs + 60_000)
    expect([next.status, next.headers['idempotent-replayed'], next.body.id === first.body.id]).toEqual([202, undefined, false])
  })

  test('letter by letter', async () => {
    const key = newKey()
    const small = await send(textTo(person), key)
    const capitals = await send(textTo(person), key.toUpperCase())
    expect(capitals.body.id).not.toBe(small.body.id)
  })

  test('with up to 255 characters', async () => {
    const key = 'k'.repeat(255)
    const [first, second] = [await send(textTo(person), key), await send(textTo(person), key)]
    expect([first.status, second.text]).toEqual([202, first.text])
  })
})
