import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import type { TestEvents } from '../support/events.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
let events: TestEvents
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())
beforeEach(async () => {
  account = await gateway.account()
  events = await gateway.events(account)
})

type Who = { phone?: string; userId?: string; parentUserId?: string; name?: string }
let count = 0
const next = () => {
  count += 1
  return count
}
const newUserId = () => `BR.${1_000_000 + next()}`

/** Posts a notice of the account's number, as upstream does, and waits until it has been worked through. */
const tell = async (told: object, field = 'messages') => {
  const metadata = { display_phone_number: '', phone_number_id: account.channel.phoneNumberId }
  const value = { messaging_product: 'whatsapp', metadata, ...told }
  const notice = { object: 'whatsapp_business_account', entry: [{ id: account.channel.wabaId, changes: [{ field, value }] }] }
  expect(await gateway.simulator.postNotice(notice)).toEqual([{ status: 200, error: null }])
  await gateway.noticesWorked()
}

/** Somebody writes, known to upstream by no more than this. Answers the event. */
const write = async ({ phone, userId, parentUserId, name }: Who, text = 'Oi!', secondsLater = 0) => {
  const wamid = `wamid.PEOPLE${next()}`
  const from = { ...(phone && { from: phone }), ...(userId && { from_user_id: userId }) }
  const contact = {
    ...(name && { profile: { name } }),
    ...(phone && { wa_id: phone }),
    ...(userId && { user_id: userId }),
    ...(parentUserId && { parent_user_id: parentUserId }),
  }
  const message = {
    ...from,
    id: wamid,
    timestamp: String(Math.floor(Date.now() / 1000) + secondsLater),
    type: 'text',
    text: { body: text },
  }
  await tell({ contacts: [contact], messages: [message] })
  return (await events.until((event) => event.type === 'message.received' && event.data.wamid === wamid)).data
}
const send = (to: string) => gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(to) })
const outcome = async (to: string) => {
  const { status, body } = await send(to)
  return status === 202 ? 202 : [status, body.error.code]
}
const listed = async (phone: string, query: object = {}) =>
  (await gateway.call('GET', '/v1/messages', { key: account.live, query: { phone, limit: 100, ...query } })).body
const idsListed = async (phone: string) => (await listed(phone)).data.map((each: { id: string }) => each.id)
const optOuts = async () => (await gateway.call('GET', '/v1/marketing-opt-outs', { key: account.live })).body.data
/** What upstream was posted for a message that was accepted here. */
const posted = async (id: string) => {
  await events.of(id, 'message.sent')
  return gateway.simulator.sends.find((each) => each.opaque?.startsWith(`${id}.`))?.body
}

// rule: people 4
describe('a person who is known by phone and by user id, and turns out to be one', () => {
  test('has one history: by either name the list shows the messages of both, newest first, page by page', async () => {
    const [phone, userId] = [gateway.newPerson(), newUserId()]
    const all = [await write({ phone }), await write({ userId }), await write({ phone }), await write({ userId })]
    expect(await idsListed(phone)).toEqual([all[2].id, all[0].id])
    all.push(await write({ phone, userId, name: 'Ana' }))
    const newestFirst = all.map((each) => each.id).reverse()
    expect(await idsListed(phone)).toEqual(newestFirst)
    expect(await idsListed(userId)).toEqual(newestFirst)
    const first = await listed(phone, { limit: 2 })
    expect([first.data.map((each: { id: string }) => each.id), first.has_more]).toEqual([newestFirst.slice(0, 2), true])
    const rest = await listed(phone, { limit: 3, starting_after: newestFirst[1] })
    expect([rest.data.map((each: { id: string }) => each.id), rest.has_more]).toEqual([newestFirst.slice(2), false])
  })

  test('is shown as one in every message and event from then on', async () => {
    const [phone, userId] = [gateway.newPerson(), newUserId()]
    const [byPhone, byUserId] = [await write({ phone, name: 'Ana' }), await write({ userId })]
    expect([byPhone.contact, byUserId.contact]).toEqual([
      { phone, name: 'Ana' },
      { phone: '', name: null, user_id: userId },
    ])
    const shown = { phone, name: 'Ana', user_id: userId }
    expect((await write({ phone, userId })).contact).toEqual(shown)
    expect((await write({ userId })).contact).toEqual(shown)
    for (const { id } of [byPhone, byUserId]) {
      expect((await gateway.call('GET', `/v1/messages/${id}`, { key: account.live })).body.contact).toEqual(shown)
    }
    const { body } = await send(phone)
    expect(body.contact).toEqual(shown)
    expect((await events.of(body.id, 'message.sent')).data.contact).toEqual(shown)
  })

  test('has one window: what was written under the user id opens it for the phone', async () => {
    const [phone, userId] = [gateway.newPerson(), newUserId()]
    await gateway.call('POST', '/v1/marketing-opt-outs', { key: account.live, body: { phone } })
    await write({ userId })
    expect(await outcome(phone)).toEqual([422, 'outside_customer_service_window'])
    expect(await outcome(userId)).toBe(202)
    await write({ phone, userId })
    expect(await outcome(phone)).toBe(202)
  })

  test('has opted out if they had by either name; it is listed once, and can be lifted by either', async () => {
    gateway.simulator.addTemplate(account.channel.wabaId, { name: 'oferta', language: 'pt_BR', category: 'MARKETING' })
    const [phone, userId] = [gateway.newPerson(), newUserId()]
    const offer = async (to: string) => {
      const body = { to, type: 'template', template: { name: 'oferta', language: 'pt_BR' } }
      return (await gateway.call('POST', '/v1/messages', { key: account.live, body })).status
    }
    await write({ userId })
    await gateway.call('POST', '/v1/marketing-opt-outs', { key: account.live, body: { phone } })
    expect([await offer(phone), await offer(userId)]).toEqual([422, 202])
    await write({ phone, userId })
    expect([await offer(phone), await offer(userId)]).toEqual([422, 422])
    expect(await optOuts()).toMatchObject([{ phone, source: 'api' }])
    expect((await gateway.call('POST', '/v1/marketing-opt-outs', { key: account.live, body: { phone: userId } })).status).toBe(200)
    const lifted = await gateway.call('DELETE', `/v1/marketing-opt-outs/${userId}`, { key: account.live })
    expect([lifted.status, lifted.body]).toEqual([200, { deleted: true, phone }])
    expect([await optOuts(), await offer(phone)]).toEqual([[], 202])
  })

  test('is addressed by the user id until the phone is told, then by the phone', async () => {
    const [phone, userId] = [gateway.newPerson(), newUserId()]
    await write({ userId })
    const first = await posted((await send(userId)).body.id)
    expect(first).toMatchObject({ recipient: userId })
    expect(first).not.toHaveProperty('to')
    await write({ phone, userId })
    const second = await posted((await send(userId)).body.id)
    expect(second).toMatchObject({ to: `+${phone}` })
    expect(second).not.toHaveProperty('recipient')
  })
})

// rule: people 5
describe('a person who has another number', () => {
  const changed = async (from: string, system: object, more: object = {}) => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    await tell({ messages: [{ from, id: `wamid.PEOPLE${next()}`, timestamp, type: 'system', system, ...more }] })
  }

  test('keeps history and window; is shown and addressed by the new one, and found by both', async () => {
    const [before, after] = [gateway.newPerson(), gateway.newPerson()]
    const { id } = await write({ phone: before, name: 'Ana' })
    await changed(before, { body: 'Ana changed', wa_id: after, type: 'user_changed_number' })
    // What tells of the change is a message too.
    const [byBefore, byAfter] = [await idsListed(before), await idsListed(after)]
    expect([byBefore.length, byBefore.at(-1), byAfter]).toEqual([2, id, byBefore])
    const { status, body } = await send(before)
    expect([status, body.contact]).toEqual([202, { phone: after, name: 'Ana' }])
    expect(await posted(body.id)).toMatchObject({ to: `+${after}` })
  })

  test('has another user id too; the number is then somebody else’s, who has nothing of the first person', async () => {
    const [before, after, first, second, other] = [gateway.newPerson(), gateway.newPerson(), newUserId(), newUserId(), newUserId()]
    const { id } = await write({ phone: before, userId: first, name: 'Ana' })
    const system = { wa_id: after, user_id: second, previous_user_id: first, type: 'user_changed_user_id' }
    await changed(before, system, { from_user_id: first })
    expect(await idsListed(first)).toContain(id)
    // A second after the change, by upstream's clock.
    const theirs = await write({ phone: before, userId: other, name: 'Caio' }, 'Oi!', 1)
    expect(theirs.contact).toEqual({ phone: before, name: 'Caio', user_id: other })
    expect(await idsListed(before)).toEqual([theirs.id])
    expect(await idsListed(after)).toContain(id)
    expect((await send(second)).body.contact).toEqual({ phone: after, name: 'Ana', user_id: second })
  })
})

test('a person whose user id changed is known by both of them', async () => {
  const [phone, first, second] = [gateway.newPerson(), newUserId(), newUserId()]
  const { id } = await write({ phone, userId: first, name: 'Ana' })
  const timestamp = String(Math.floor(Date.now() / 1000))
  await tell({ user_id_update: [{ wa_id: phone, user_id: { previous: first, current: second }, timestamp }] }, 'user_id_update')
  expect((await write({ userId: second })).contact).toEqual({ phone, name: 'Ana', user_id: second })
  expect(await idsListed(first)).toContain(id)
})

test('a parent user id names the person too', async () => {
  const [userId, parentUserId] = [newUserId(), `BR.ENT.${next()}`]
  const { id } = await write({ userId, parentUserId })
  expect(await idsListed(parentUserId)).toEqual([id])
  expect((await send(parentUserId)).body.contact).toEqual({ phone: '', name: null, user_id: userId })
})

test('404 for a user id that nobody is known by, and nobody is made of it', async () => {
  const userId = newUserId()
  expect(await outcome(userId)).toEqual([404, 'not_found'])
  expect(await outcome(userId)).toEqual([404, 'not_found'])
})
