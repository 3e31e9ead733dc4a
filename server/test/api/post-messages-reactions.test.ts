import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { suspendAccount } from '../../src/features/accounts/public.ts'
import { disconnectChannel } from '../../src/features/channels/public.ts'
import type { TestAccount } from '../support/accounts.ts'
import type { TestEvents } from '../support/events.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { nobodys, textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
let events: TestEvents
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
  events = await gateway.events(account)
})
afterAll(() => gateway.close())

const call = (body: unknown, key = account.live, headers: Record<string, string> = {}) =>
  gateway.call('POST', '/v1/messages', { key, body, headers })
const reactionTo = (to: string, messageId: string, emoji = '👍', more: object = {}) => ({
  to,
  type: 'reaction',
  reaction: { message_id: messageId, emoji },
  ...more,
})
/** A person who has written, and the wamid of what they wrote. */
const talking = async (of = account) => {
  const person = gateway.newPerson()
  return { person, wamid: await gateway.letWrite(of, person) }
}
const idOf = async (wamid: string) => {
  const { body } = await gateway.call('GET', '/v1/messages', { key: account.live, query: { direction: 'inbound', limit: 100 } })
  return body.data.find((each: { wamid: string }) => each.wamid === wamid).id as string
}
const reactionsUpstream = (wamid: string) =>
  gateway.simulator.accepted.filter((each) => (each.body as { reaction?: { message_id: string } }).reaction?.message_id === wamid)

// rule: send 11
describe('200', () => {
  test('a reaction to a received message is set at once, by our id of it', async () => {
    const { person, wamid } = await talking()
    const id = await idOf(wamid)
    const { status, body } = await call(reactionTo(person, id))
    expect([status, body]).toEqual([200, { object: 'reaction', message_id: id, wamid, emoji: '👍', status: 'sent' }])
    const [taken] = reactionsUpstream(wamid)
    expect(taken?.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: `+${person}`,
      type: 'reaction',
      reaction: { message_id: wamid, emoji: '👍' },
    })
  })

  test('by its wamid the answer names our id as well; a wamid that we do not know is passed on', async () => {
    const { person, wamid } = await talking()
    expect((await call(reactionTo(person, wamid))).body).toMatchObject({ message_id: await idOf(wamid), wamid })
    expect((await call(reactionTo(person, 'wamid.OF.ANOTHER.TOOL'))).body).toMatchObject({
      message_id: null,
      wamid: 'wamid.OF.ANOTHER.TOOL',
    })
    expect(reactionsUpstream('wamid.OF.ANOTHER.TOOL')).toHaveLength(1)
  })

  // rule: send 14
  test('an id of the platform that does not begin with `wamid.` is that of its message, wherever a wamid is', async () => {
    const person = gateway.newPerson()
    const wamid = `ABGG${person}+Vx/5Q==`
    await gateway.letWrite(account, person, { wamid })
    const id = await idOf(wamid)
    expect((await call(reactionTo(person, wamid))).body).toMatchObject({ message_id: id, wamid })
    const { status, body } = await call({ ...textTo(person), reply_to: wamid })
    expect([status, body.reply_to]).toEqual([202, id])
    await events.of(body.id, 'message.sent')
    expect(reactionsUpstream(wamid)).toHaveLength(1)
    expect(gateway.simulator.accepted.map((each) => (each.body as { context?: object }).context)).toContainEqual({ message_id: wamid })
    expect((await gateway.call('POST', `/v1/messages/${id}/read`, { key: account.live })).status).toBe(200)
  })

  // rule: send 14
  test.each(['reply_to', 'reaction.message_id'])('what is of no form of ours, and of no message, is 400 at %s', async (field) => {
    const { person } = await talking()
    const unknown = 'ABGGFjFVU2AfAgo6V-Hc5eCgK5ab'
    const { status, body } = await call(field === 'reply_to' ? { ...textTo(person), reply_to: unknown } : reactionTo(person, unknown))
    expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', field])
  })

  test('an empty emoji takes the reaction away, and unknown fields go upstream unchanged', async () => {
    const { person, wamid } = await talking()
    const body = { ...reactionTo(person, wamid, ''), beside: { n: 1 } }
    expect((await call({ ...body, reaction: { ...body.reaction, new: true } })).body).toMatchObject({ emoji: '', status: 'sent' })
    expect(reactionsUpstream(wamid)[0]?.body).toMatchObject({ beside: { n: 1 }, reaction: { emoji: '', new: true } })
  })

  test('a sent message of ours can get one; no message is made and no event is told', async () => {
    const { person } = await talking()
    const { body: sent } = await call(textTo(person))
    const { data } = await events.of(sent.id, 'message.read')
    const { body } = await call(reactionTo(person, sent.id))
    expect(body).toMatchObject({ message_id: sent.id, wamid: (data as { wamid: string }).wamid })
    const { body: list } = await gateway.call('GET', '/v1/messages', { key: account.live, query: { phone: person } })
    expect(list.data).toHaveLength(2)
  })

  test('with a test key nothing reaches upstream', async () => {
    const before = gateway.simulator.accepted.length
    const { status, body } = await call(reactionTo(gateway.newPerson(), 'wamid.T'), account.test)
    expect([status, body]).toEqual([200, { object: 'reaction', message_id: null, wamid: 'wamid.T', emoji: '👍', status: 'sent' }])
    expect(gateway.simulator.accepted).toHaveLength(before)
  })
})

// rule: send 1, send 2, send 4
describe('the Idempotency-Key of a reaction', () => {
  test('gives the same bytes again without asking upstream, and 409 with another body', async () => {
    const { person, wamid } = await talking()
    const key = { 'idempotency-key': `reaction ${wamid}` }
    const first = await call(reactionTo(person, wamid), account.live, key)
    const second = await call(reactionTo(person, wamid), account.live, key)
    expect([second.status, second.text, second.headers['idempotent-replayed']]).toEqual([200, first.text, 'true'])
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect(reactionsUpstream(wamid)).toHaveLength(1)
    const other = await call(reactionTo(person, wamid, '❤️'), account.live, key)
    expect([other.status, other.body.error.code]).toEqual([409, 'idempotency_conflict'])
    const text = await call(textTo(person), account.live, key)
    expect([text.status, text.body.error.code]).toEqual([409, 'idempotency_conflict'])
  })

  test('of 20 callers at once asks upstream once, and all get one answer', async () => {
    const { person, wamid } = await talking()
    const key = { 'idempotency-key': `at once ${wamid}` }
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(reactionTo(person, wamid), account.live, key)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    expect(reactionsUpstream(wamid)).toHaveLength(1)
  })

  test('is free again after a refusal', async () => {
    const { person, wamid } = await talking()
    const key = { 'idempotency-key': `refused ${wamid}` }
    gateway.simulator.addFaults({ match: { to: person }, fault: { kind: 'graph-error', code: 131009 } })
    expect((await call(reactionTo(person, wamid), account.live, key)).status).toBe(502)
    expect((await call(reactionTo(person, wamid), account.live, key)).status).toBe(200)
  })
})

describe('refused', () => {
  test('404 not_found: a message that this account does not have', async () => {
    const other = await gateway.account()
    const theirs = await talking(other)
    const { body } = await gateway.call('GET', '/v1/messages', { key: other.live, query: { phone: theirs.person } })
    const { person } = await talking()
    for (const id of [nobodys('msg'), body.data[0].id]) {
      const answer = await call(reactionTo(person, id))
      expect([answer.status, answer.body.error.code, answer.body.error.details[0].field]).toEqual([404, 'not_found', 'reaction.message_id'])
    }
  })

  test('404 not_found: a live message with a test key', async () => {
    const { person, wamid } = await talking()
    expect((await call(reactionTo(person, await idOf(wamid)), account.test)).status).toBe(404)
  })

  test('409 conflict: a message that is still queued', async () => {
    const { person } = await talking()
    gateway.simulator.addFaults({ match: { to: person }, fault: { kind: 'slow', delayMs: 3_000 } })
    const { body: queued } = await call(textTo(person))
    const answer = await call(reactionTo(person, queued.id))
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
  })

  test('422 outside_customer_service_window: like any other kind', async () => {
    const answer = await call(reactionTo(gateway.newPerson(), 'wamid.X'))
    expect([answer.status, answer.body.error.code]).toEqual([422, 'outside_customer_service_window'])
  })

  test('422 channel_ambiguous, and 400 for a message of another number', async () => {
    const two = await gateway.account({ channels: 2 })
    const { person, wamid } = await talking(two)
    const key = two.live
    const ambiguous = await call(reactionTo(person, wamid), key)
    expect([ambiguous.status, ambiguous.body.error.code]).toEqual([422, 'channel_ambiguous'])
    const { body } = await gateway.call('GET', '/v1/messages', { key, query: { phone: person } })
    expect((await call(reactionTo(person, body.data[0].id, '👍', { channel_id: two.channel.id }), key)).status).toBe(200)
    const second = two.channels[1]
    await gateway.letWrite(two, person, { phoneNumberId: second?.phoneNumberId ?? '' })
    const wrong = await call(reactionTo(person, body.data[0].id, '👍', { channel_id: second?.id }), key)
    expect([wrong.status, wrong.body.error.details[0].field]).toEqual([400, 'reaction.message_id'])
  })

  test('402 account_suspended and 409 channel_not_connected', async () => {
    const disconnected = await gateway.account()
    await disconnectChannel(gateway.deps, disconnected.channel.uuid)
    const not = await call(reactionTo(gateway.newPerson(), 'wamid.X'), disconnected.live)
    expect([not.status, not.body.error.code]).toEqual([409, 'channel_not_connected'])
    const suspended = await gateway.account()
    await suspendAccount(gateway.deps, suspended.uuid)
    const answer = await call(reactionTo(gateway.newPerson(), 'wamid.X'), suspended.live)
    expect([answer.status, answer.body.error.code]).toEqual([402, 'account_suspended'])
  })

  test('502 meta_error: upstream refuses, with its code and words', async () => {
    const { person, wamid } = await talking()
    gateway.simulator.addFaults({ match: { to: person }, fault: { kind: 'graph-error', code: 131009 } })
    const { status, body } = await call(reactionTo(person, wamid))
    expect([status, body.error.code, body.error.details[0].code]).toEqual([502, 'meta_error', 131009])
  })

  test('502 meta_error: with a test key, for a number whose ending is a code of the answer', async () => {
    const { status, body } = await call(reactionTo('5511900131021', 'wamid.X'), account.test)
    expect([status, body.error.details[0].code]).toEqual([502, 131021])
  })

  test('502 meta_error: the token died, and the number is not connected from then on', async () => {
    const dying = await gateway.account()
    const { person, wamid } = await talking(dying)
    gateway.simulator.addFaults({ match: { to: person }, fault: { kind: 'graph-error', code: 190 } })
    expect((await call(reactionTo(person, wamid), dying.live)).status).toBe(502)
    const after = await call(textTo(person), dying.live)
    expect([after.status, after.body.error.code]).toEqual([409, 'channel_not_connected'])
  })
})
