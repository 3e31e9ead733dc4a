import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { signedIn } from '../support/people-of-console.ts'
import { moment, textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
})
afterAll(() => gateway.close())

const optOut = (phone: unknown, key: string | null = account.live) =>
  gateway.call('POST', '/v1/marketing-opt-outs', { key, body: { phone } })
const listed = async (key = account.live) => (await gateway.call('GET', '/v1/marketing-opt-outs', { key, query: { limit: 100 } })).body.data

/** With eight digits behind the area, where every Brazilian mobile has nine. */
const withoutNinth = (phone: string) => `${phone.slice(0, 4)}${phone.slice(5)}`

// rule: opt-outs 2
test('an opt-out of the team has the source console and the name of who made it, told in the console alone', async () => {
  const own = await gateway.account()
  const person = await signedIn(gateway, { accountId: own.uuid, role: 'agent', name: 'Bruna' })
  const phone = gateway.newPerson()
  const made = await person.onAccount('POST', '/marketing-opt-outs', { body: { phone: phone.slice(2) } })
  expect([made.status, made.body.phone, made.body.source]).toEqual([201, phone, 'console'])
  expect((await person.onAccount('GET', '/marketing-opt-outs')).body.data).toMatchObject([{ phone, source: 'console', by: 'Bruna' }])
  const [ofApi] = await listed(own.live)
  expect([ofApi.source, 'by' in ofApi]).toEqual(['console', false])
  const refused = await person.onAccount('POST', '/marketing-opt-outs', { body: { phone: '20 98765-4321' } })
  expect([refused.status, refused.body.error.details[0].reason.code]).toEqual([400, 'phone_invalid'])
})

describe('201', () => {
  test('with the whole record, for a person that nobody has heard of', async () => {
    const phone = gateway.newPerson()
    const { status, body } = await optOut(phone)
    expect([status, body]).toEqual([
      201,
      { object: 'marketing_opt_out', phone, source: 'api', created_at: expect.stringMatching(moment), livemode: true },
    ])
    expect(await listed()).toContainEqual(body)
  })

  test('for a person who has written, under the phone that they are known by', async () => {
    const phone = gateway.newPerson()
    await gateway.letWrite(account, withoutNinth(phone))
    expect((await optOut(phone)).body.phone).toBe(phone)
    expect((await optOut(withoutNinth(phone))).status).toBe(200)
  })

  test('and a send to a person who became known so is told under the same phone', async () => {
    const phone = gateway.newPerson()
    await optOut(withoutNinth(phone), account.test)
    const sent = await gateway.call('POST', '/v1/messages', { key: account.test, body: textTo(withoutNinth(phone)) })
    expect([sent.status, sent.body.contact.phone]).toEqual([202, phone])
  })

  test('by a suspended account too: only its sends are refused', async () => {
    const own = await gateway.account()
    await gateway.deps.database.all({
      compile: () => ({ sql: 'update account set suspended_at = now() where id = $1', parameters: [own.uuid] }) as never,
    })
    expect((await optOut(gateway.newPerson(), own.live)).status).toBe(201)
  })
})

// rule: opt-outs 1
describe('one person is one opt-out', () => {
  test.each<[what: string, first: string, again: string, shown: string]>([
    ['with and without the ninth digit', '551187650001', '+55 (11) 98765-0001', '5511987650001'],
    ['the other way round', '5511987650002', '55 11 8765 0002', '5511987650002'],
    ['with Mexico’s old 1', '5215512340001', '+52 55 1234 0001', '525512340001'],
    ['with and without Argentina’s 9', '541112340001', '+54 9 11 1234-0001', '5491112340001'],
    ['a landline, which has no ninth digit', '551133340001', '+55 11 3334-0001', '551133340001'],
    ['with a no-break space and brackets', '+1 (202) 555-0101', '12025550101', '12025550101'],
  ])('%s', async (_what, first, again, shown) => {
    const made = await optOut(first)
    const repeated = await optOut(again)
    expect([made.status, repeated.status]).toEqual([201, 200])
    expect([made.body.phone, repeated.body.phone]).toEqual([shown, shown])
    expect((await listed()).filter((each: { phone: string }) => each.phone === shown)).toHaveLength(1)
  })

  test('under the name that upstream knows them by', async () => {
    const person = gateway.newPerson()
    await gateway.letWrite(account, person)
    const waId = gateway.newPerson()
    const [contact] = await gateway.deps.database.all<{ id: string; account_id: string }>({
      compile: () => ({ sql: 'select account_id, id from contact where phone = $1', parameters: [person] }) as never,
    })
    await gateway.deps.database.all({
      compile: () =>
        ({
          sql: 'insert into contact_key (account_id, livemode, key, contact_id) values ($1, true, $2, $3)',
          parameters: [contact?.account_id, `p:${waId}`, contact?.id],
        }) as never,
    })
    expect((await optOut(waId)).body).toMatchObject({ phone: person })
    expect((await optOut(person)).status).toBe(200)
  })
})

// rule: opt-outs 2
describe('200', () => {
  test('with the record as it was, for a person who had opted out', async () => {
    const phone = gateway.newPerson()
    const { body: first } = await optOut(phone)
    const { status, body } = await optOut(phone)
    expect([status, body]).toEqual([200, first])
  })

  test('to all but one of ten that come at once, in whatever spelling and also for a person that nobody knew', async () => {
    const phone = gateway.newPerson()
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => optOut(i % 2 === 0 ? phone : withoutNinth(phone))))
    expect(answers.map((each) => each.status).toSorted()).toEqual([...Array(9).fill(200), 201])
    expect(new Set(answers.map((each) => each.text)).size).toBe(1)
  })

  test('keeps the source and the moment of an earlier opt-out of another origin', async () => {
    const phone = gateway.newPerson()
    const { body } = await optOut(phone)
    await gateway.deps.database.all({
      compile: () =>
        ({
          sql: "update marketing_opt_out set source = 'keyword' where account_id = $1 and person = $2",
          parameters: [account.uuid, phone],
        }) as never,
    })
    expect((await optOut(phone)).body).toEqual({ ...body, source: 'keyword' })
  })
})

test('a test key opts out on its own data: livemode false, and the live person is as before', async () => {
  const phone = gateway.newPerson()
  const { status, body } = await optOut(phone, account.test)
  expect([status, body.livemode]).toEqual([201, false])
  expect(await listed(account.test)).toContainEqual(body)
  expect((await listed()).filter((each: { phone: string }) => each.phone === phone)).toEqual([])
  expect((await optOut(phone)).status).toBe(201)
})

describe('400 invalid_request names', () => {
  test.each<[when: string, phone: unknown]>([
    ['is empty', ''],
    ['has nine digits', '551198765'],
    ['has sixteen digits', '5511987654321234'],
    ['begins with 0', '0551198765432'],
    ['has letters', '+55 11 9876A-4321'],
    ['has a dot', '+55.11.98765.4321'],
    ['is a number', 5511987654321],
    ['is null', null],
    ['has 141 characters', '5'.repeat(141)],
    ['holds a NUL', '5511987654321\0'],
  ])('phone when it %s', async (_when, phone) => {
    const answer = await optOut(phone)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
    expect(answer.body.error.details.map((each: { field: string }) => each.field)).toEqual(['phone'])
  })

  test.each<[field: string | undefined, body: unknown]>([
    ['phone', {}],
    ['reason', { phone: '5511987654321', reason: 'asked for it' }],
    ['source', { phone: '5511987654321', source: 'console' }],
    [undefined, '{"phone":'],
    [undefined, undefined],
    [undefined, []],
  ])('%s, for the body %j', async (field, body) => {
    const answer = await gateway.call('POST', '/v1/marketing-opt-outs', { key: account.live, body })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
    if (field !== undefined) expect(answer.body.error.details[0].field).toBe(field)
  })

  test.each(['4721234567', '123456789012345'])('nothing for %s: 10 and 15 digits are allowed', async (phone) => {
    expect((await optOut(phone)).status).toBe(201)
  })
})

test('404 not_found for a user id that nobody here is known by', async () => {
  const { status, body } = await optOut('BR.9f8e7d6c5b4a')
  expect([status, body.error.code, body.error.details[0].field]).toEqual([404, 'not_found', 'phone'])
})

test('401 unauthorized without a key, 403 forbidden for a key without opt_outs:write', async () => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:send'] })
  expect((await optOut('5511987654321', null)).body.error.code).toBe('unauthorized')
  const scopeless = await optOut('5511987654321', key.secret)
  expect([scopeless.status, scopeless.body.error.code]).toEqual([403, 'forbidden'])
  expect(scopeless.body.error.message).toContain('opt_outs:write')
})
