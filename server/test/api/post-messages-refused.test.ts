import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SystemClock, systemClock } from '../../src/base/clock.ts'
import { resumeAccount, suspendAccount } from '../../src/features/accounts/public.ts'
import { revokeKeyOfAnybody } from '../../src/features/api-keys/public.ts'
import { disconnectChannel } from '../../src/features/channels/public.ts'
import { addChannel, done, makeKey, type TestAccount } from '../support/accounts.ts'
import type { Answer } from '../support/caller.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { nobodys, textTo } from '../support/texts.ts'

/** Real time, which can be held for the moment of one call. */
let heldAt: Date | null = null
const clock: SystemClock = { ...systemClock(), now: () => heldAt ?? new Date() }

let gateway: TestGateway
let account: TestAccount
let other: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway({ clock })
  account = await gateway.account()
  other = await gateway.account()
})
afterAll(() => gateway.close())

const send = (key: string | null, body: unknown, headers: Record<string, string> = {}) =>
  gateway.call('POST', '/v1/messages', { key, body, headers })
const outcomeOf = ({ status, body }: Answer) => `${status} ${body.error?.code ?? body.status}`
/** Of a suspended account, nothing may be sent until it is resumed. */
const whileSuspended = async (of: TestAccount, work: () => Promise<void>) => {
  done(await suspendAccount(gateway.deps, of.uuid))
  try {
    await work()
  } finally {
    done(await resumeAccount(gateway.deps, of.uuid))
  }
}
const atMoment = async <Value>(at: Date, work: () => Promise<Value>): Promise<Value> => {
  heldAt = at
  return work().finally(() => {
    heldAt = null
  })
}

// rule: authentication 1, authentication 6
describe('401 unauthorized', () => {
  test.each<[what: string, headers: Record<string, string>]>([
    ['no key', {}],
    ['an empty key', { authorization: 'Bearer ' }],
    ['a key that nobody has', { authorization: 'Bearer svc_live_0123456789abcdef0123456789abcdef0123456789abcdef' }],
    ['a word that is no key', { authorization: 'Bearer hello' }],
    ['a very long word', { authorization: `Bearer svc_live_${'a'.repeat(4000)}` }],
    ['another scheme', { authorization: 'Basic c3ZjX2xpdmVfOg==' }],
    ['another header', { 'x-api-key': 'svc_live_1' }],
  ])('for %s, before anything of the body counts', async (_what, headers) => {
    const answer = await send(null, '{ broken', headers)
    expect(outcomeOf(answer)).toBe('401 unauthorized')
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  test('for a key with one character changed, with one more, and in other capitals', async () => {
    const changed = account.live.slice(0, -1) + (account.live.endsWith('a') ? 'b' : 'a')
    for (const key of [changed, `${account.live}a`, account.live.toUpperCase()]) {
      expect(outcomeOf(await send(key, textTo('5511987654321')))).toBe('401 unauthorized')
    }
  })

  // rule: authentication 5
  test('for the very next call with a key that was revoked', async () => {
    const key = await makeKey(gateway.deps, account.uuid, { livemode: false })
    expect(outcomeOf(await send(key.secret, textTo('5511987654321')))).toBe('202 queued')
    done(await revokeKeyOfAnybody(gateway.deps, key.uuid))
    expect(outcomeOf(await send(key.secret, textTo('5511987654321')))).toBe('401 unauthorized')
  })

  test('never, for the scheme in small letters', async () => {
    const answer = await send(null, textTo('5511987654321'), { authorization: `bearer ${account.test}` })
    expect(outcomeOf(answer)).toBe('202 queued')
  })
})

test('403 forbidden for a key without messages:send, and it names the scope', async () => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:read'] })
  const answer = await send(key.secret, textTo('5511987654321'))
  expect(outcomeOf(answer)).toBe('403 forbidden')
  expect(answer.body.error.message).toContain('messages:send')
})

// rule: send 7
describe('402 account_suspended', () => {
  // rule: send 7
  test('for live and test keys, and nothing is sent; it still reads, and sends again once resumed', async () => {
    const person = gateway.newPerson()
    await gateway.letWrite(account, person)
    const before = gateway.simulator.sends.length
    await whileSuspended(account, async () => {
      expect(outcomeOf(await send(account.live, textTo(person)))).toBe('402 account_suspended')
      expect(outcomeOf(await send(account.test, textTo(person)))).toBe('402 account_suspended')
      expect((await gateway.call('GET', '/v1/messages', { key: account.live })).status).toBe(200)
      expect((await gateway.call('GET', '/v1/channels', { key: account.live })).status).toBe(200)
    })
    expect(gateway.simulator.sends.length).toBe(before)
    expect(outcomeOf(await send(account.live, textTo(person)))).toBe('202 queued')
  })

  test('holds back what was queued before, and lets it leave once resumed', async () => {
    const own = await gateway.account()
    const [events, others] = [await gateway.events(own), await gateway.events(account)]
    const [person, another] = [gateway.newPerson(), gateway.newPerson()]
    await gateway.letWrite(own, person)
    await gateway.letWrite(account, another)
    const otherGoesAllTheWay = async () => others.of((await send(account.live, textTo(another))).body.id, 'message.read')
    gateway.simulator.addFaults({ match: { to: person }, times: 'always', fault: { kind: 'graph-error', code: 130429 } })
    const { body } = await send(own.live, textTo(person))
    await gateway.observations.until((each) => each.kind === 'send.finished' && each.messageId === body.id)
    let heldUntil = ''
    await whileSuspended(own, async () => {
      // An attempt that began before ends in this time.
      await otherGoesAllTheWay()
      gateway.simulator.clearFaults()
      await otherGoesAllTheWay()
      const queued = await gateway.call('GET', '/v1/messages', { key: own.live, query: { status: 'queued' } })
      expect(queued.body.data.map((each: { id: string }) => each.id)).toEqual([body.id])
      heldUntil = new Date().toISOString()
    })
    await events.of(body.id, 'message.read')
    const taken = gateway.simulator.accepted.filter((each) => each.opaque?.startsWith(`${body.id}.`))
    expect(taken.map((each) => each.at >= heldUntil)).toEqual([true])
  })

  test('of one account is none of another', async () => {
    await whileSuspended(account, async () => expect(outcomeOf(await send(other.test, textTo('5511987654321')))).toBe('202 queued'))
  })
})

describe('404 not_found', () => {
  const fields = ({ body }: Answer) => body.error.details.map((each: { field: string }) => each.field)

  test('for a channel that nobody has', async () => {
    const answer = await send(account.test, textTo('5511987654321', 'Oi', { channel_id: nobodys('ch') }))
    expect([outcomeOf(answer), fields(answer)]).toEqual(['404 not_found', ['channel_id']])
  })

  test('for a channel of another account, with the very words of one that nobody has', async () => {
    const theirs = await send(account.test, textTo('5511987654321', 'Oi', { channel_id: other.channel.id }))
    const nobody = await send(account.test, textTo('5511987654321', 'Oi', { channel_id: nobodys('ch') }))
    expect(outcomeOf(theirs)).toBe('404 not_found')
    expect({ ...theirs.body.error, request_id: '' }).toEqual({ ...nobody.body.error, request_id: '' })
  })

  test('for a quoted message that nobody has', async () => {
    const answer = await send(account.test, textTo('5511987654321', 'Oi', { reply_to: nobodys('msg') }))
    expect([outcomeOf(answer), fields(answer)]).toEqual(['404 not_found', ['reply_to']])
  })

  test('for a quoted message of another account, and nothing of it leaks', async () => {
    const theirs = await send(other.test, textTo('5511912345678', 'words of the other account'))
    const answer = await send(account.test, textTo('5511987654321', 'Oi', { reply_to: theirs.body.id }))
    expect(outcomeOf(answer)).toBe('404 not_found')
    expect(answer.text).not.toMatch(/words of the other|5511912345678/)
  })

  test('for a message of the test mode that is quoted with a live key', async () => {
    const person = gateway.newPerson()
    await gateway.letWrite(account, person)
    const test = await send(account.test, textTo(person))
    expect(outcomeOf(await send(account.live, textTo(person, 'Oi', { reply_to: test.body.id })))).toBe('404 not_found')
  })

  test('for a person named by a user id that is not known', async () => {
    const answer = await send(account.test, textTo('BR.12345678901234567'))
    expect([outcomeOf(answer), fields(answer)]).toEqual(['404 not_found', ['to']])
  })
})

// rule: send 6
describe('422 channel_ambiguous', () => {
  test('for an account with two numbers, until one is named', async () => {
    const two = await gateway.account({ channels: 2 })
    expect(outcomeOf(await send(two.test, textTo('5511987654321')))).toBe('422 channel_ambiguous')
    const named = await send(two.test, textTo('5511987654321', 'Oi', { channel_id: two.channels[1]?.id }))
    expect([outcomeOf(named), named.body.channel_id]).toEqual(['202 queued', two.channels[1]?.id])
  })

  // rule: send 6
  test('also when one of the two is disconnected', async () => {
    const two = await gateway.account({ channels: 2 })
    done(await disconnectChannel(gateway.deps, two.channel.uuid))
    expect(outcomeOf(await send(two.test, textTo('5511987654321')))).toBe('422 channel_ambiguous')
  })
})

// rule: send 5
describe('409 channel_not_connected', () => {
  // rule: send 5
  test('once the operator has disconnected the number, with live and test keys', async () => {
    const own = await gateway.account()
    const person = gateway.newPerson()
    await gateway.letWrite(own, person)
    done(await disconnectChannel(gateway.deps, own.channel.uuid))
    for (const key of [own.live, own.test]) expect(outcomeOf(await send(key, textTo(person)))).toBe('409 channel_not_connected')
    const named = await send(own.live, textTo(person, 'Oi', { channel_id: own.channel.id }))
    expect(outcomeOf(named)).toBe('409 channel_not_connected')
  })

  test('for an account without any number, with live and test keys', async () => {
    const bare = await gateway.account({ channels: 0 })
    for (const key of [bare.live, bare.test]) expect(outcomeOf(await send(key, textTo('5511987654321')))).toBe('409 channel_not_connected')
  })
})

// rule: send 3, receive 4
describe('422 outside_customer_service_window', () => {
  test('for a person who never wrote', async () => {
    expect(outcomeOf(await send(account.live, textTo(gateway.newPerson())))).toBe('422 outside_customer_service_window')
  })

  // rule: send 3
  test('from 24 hours after the last message on, to the millisecond', async () => {
    const person = gateway.newPerson()
    const wrote = Math.floor(Date.now() / 1000) - 24 * 3600
    await gateway.letWrite(account, person, { timestamp: String(wrote) })
    const edge = (wrote + 24 * 3600) * 1000
    const late = await atMoment(new Date(edge), () => send(account.live, textTo(person)))
    expect(outcomeOf(late)).toBe('422 outside_customer_service_window')
    const justInTime = await atMoment(new Date(edge - 1), () => send(account.live, textTo(person)))
    expect(outcomeOf(justInTime)).toBe('202 queued')
  })

  // rule: receive 4
  test('not for an older message that comes late: the window only moves forward', async () => {
    const person = gateway.newPerson()
    const now = Math.floor(Date.now() / 1000)
    await gateway.letWrite(account, person, { timestamp: String(now) })
    await gateway.letWrite(account, person, { timestamp: String(now - 48 * 3600) })
    expect(outcomeOf(await send(account.live, textTo(person)))).toBe('202 queued')
  })

  test('a time in the future counts as now: it opens the window for no more than 24 hours', async () => {
    const person = gateway.newPerson()
    await gateway.letWrite(account, person, { timestamp: String(Math.floor(Date.now() / 1000) + 10 * 24 * 3600) })
    expect(outcomeOf(await send(account.live, textTo(person)))).toBe('202 queued')
    const tomorrow = new Date(Date.now() + 24 * 3600 * 1000)
    const later = await atMoment(tomorrow, () => send(account.live, textTo(person)))
    expect(outcomeOf(later)).toBe('422 outside_customer_service_window')
  })

  test('for a number of the account to which the person did not write', async () => {
    const two = await gateway.account({ channels: 2 })
    const person = gateway.newPerson()
    await gateway.letWrite(two, person)
    const from = (i: number) => send(two.live, textTo(person, 'Oi', { channel_id: two.channels[i]?.id }))
    expect(outcomeOf(await from(0))).toBe('202 queued')
    expect(outcomeOf(await from(1))).toBe('422 outside_customer_service_window')
  })

  test('for another account to which the person did not write', async () => {
    const person = gateway.newPerson()
    await gateway.letWrite(account, person)
    expect(outcomeOf(await send(other.live, textTo(person)))).toBe('422 outside_customer_service_window')
  })

  test('never, however the phone of a person who wrote is spelled', async () => {
    await gateway.letWrite(account, '551188881111')
    expect(outcomeOf(await send(account.live, textTo('+55 11 98888-1111')))).toBe('202 queued')
  })
})

test('the checks come in the order of the contract: each reason hides all that follow', async () => {
  const own = await gateway.account()
  const person = gateway.newPerson()
  const key = { 'idempotency-key': 'used-before' }
  expect(outcomeOf(await send(own.test, textTo(person), key))).toBe('202 queued')
  const second = await addChannel(gateway.deps, gateway.simulator, own.uuid)
  for (const channel of [own.channel, second]) done(await disconnectChannel(gateway.deps, channel.uuid))
  const scopeless = await makeKey(gateway.deps, own.uuid, { livemode: false, scopes: [] })
  const closed = gateway.newPerson('000005')
  const quoting = textTo(closed, 'Oi', { reply_to: nobodys('msg') })

  await whileSuspended(own, async () => {
    expect(outcomeOf(await send('svc_test_wrong', '{ broken', key))).toBe('401 unauthorized')
    expect(outcomeOf(await send(scopeless.secret, '{ broken', key))).toBe('403 forbidden')
    expect(outcomeOf(await send(own.test, textTo(closed, ''), key))).toBe('400 invalid_request')
    expect(outcomeOf(await send(own.test, quoting, key))).toBe('409 idempotency_conflict')
    expect(outcomeOf(await send(own.test, textTo(person), key))).toBe('202 queued')
    expect(outcomeOf(await send(own.test, quoting))).toBe('402 account_suspended')
  })
  expect(outcomeOf(await send(own.test, quoting))).toBe('404 not_found')
  expect(outcomeOf(await send(own.test, textTo(closed)))).toBe('422 channel_ambiguous')
  const named = textTo(closed, 'Oi', { channel_id: own.channel.id })
  expect(outcomeOf(await send(own.test, named))).toBe('409 channel_not_connected')
  const one = await gateway.account()
  expect(outcomeOf(await send(one.test, textTo(closed)))).toBe('422 outside_customer_service_window')
})
