import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disconnectChannel } from '../../src/features/channels/public.ts'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { nobodys, textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
})
afterAll(() => gateway.close())

/** A message that a person has just written, as we name it and as upstream does. */
const received = async (of = account) => {
  const person = gateway.newPerson()
  const wamid = await gateway.letWrite(of, person)
  const { body } = await gateway.call('GET', '/v1/messages', { key: of.live, query: { phone: person } })
  return { id: body.data[0].id as string, wamid, person }
}
const read = (id: string, { key = account.live, body }: { key?: string; body?: unknown } = {}) =>
  gateway.call('POST', `/v1/messages/${id}/read`, { key, ...(body === undefined ? {} : { body }) })
const toldUpstream = (wamid: string) =>
  gateway.simulator.sends.filter((each) => (each.body as { message_id?: string } | null)?.message_id === wamid)

// rule: send 12
describe('200', () => {
  test.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['typing_indicator false', { typing_indicator: false }],
  ])('%s: upstream is told that the message was read, and no more', async (_what, body) => {
    const { id, wamid } = await received()
    const answer = await read(id, { body })
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    expect(toldUpstream(wamid).map((each) => each.body)).toEqual([{ messaging_product: 'whatsapp', status: 'read', message_id: wamid }])
  })

  test('typing_indicator: upstream is also told that someone is typing', async () => {
    const { id, wamid } = await received()
    expect((await read(id, { body: { typing_indicator: true } })).status).toBe(200)
    expect(toldUpstream(wamid)[0]?.body).toMatchObject({ typing_indicator: { type: 'text' } })
  })

  test('it may be repeated', async () => {
    const { id } = await received()
    expect([(await read(id)).status, (await read(id)).status]).toEqual([200, 200])
  })
})

describe('refused', () => {
  test('404 not_found: an id that nobody has, one of another account, and one that is none', async () => {
    const { id } = await received(await gateway.account())
    for (const each of [nobodys('msg'), id, 'msg_1', nobodys('ch')]) {
      const answer = await read(each)
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
    }
  })

  test('404 not_found: a message that was sent', async () => {
    const { person } = await received()
    const { body } = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(person) })
    expect((await read(body.id)).status).toBe(404)
  })

  test('403 forbidden: with a test key', async () => {
    const { id } = await received()
    const answer = await read(id, { key: account.test })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
  })

  test.each([
    ['typing_indicator', { typing_indicator: 'yes' }],
    ['typing', { typing: true }],
  ])('400 invalid_request: %s', async (field, body) => {
    const { id } = await received()
    const answer = await read(id, { body })
    expect([answer.status, answer.body.error.details[0].field]).toEqual([400, field])
  })

  test('502 meta_error: upstream refuses, with its code and words', async () => {
    const { id, wamid } = await received()
    gateway.simulator.addFaults({ match: { kind: 'read' }, fault: { kind: 'graph-error', code: 131009 } })
    const { status, body } = await read(id)
    expect([status, body.error.code, body.error.details[0].code]).toEqual([502, 'meta_error', 131009])
    expect(toldUpstream(wamid)).toHaveLength(1)
  })

  test('502 meta_error: the number is not connected any more', async () => {
    const gone = await gateway.account()
    const { id } = await received(gone)
    await disconnectChannel(gateway.deps, gone.channel.uuid)
    const { status, body } = await read(id, { key: gone.live })
    expect([status, body.error.code]).toEqual([502, 'meta_error'])
  })
})
