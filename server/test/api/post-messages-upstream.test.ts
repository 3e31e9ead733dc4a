import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import type { TestEvents } from '../support/events.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
let events: TestEvents
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
  events = await gateway.events(account)
})
afterAll(() => gateway.close())

const send = (body: unknown, key = account.live) => gateway.call('POST', '/v1/messages', { key, body })
const get = (id: string) => gateway.call('GET', `/v1/messages/${id}`, { key: account.live })
/** A person who has written, so that anything may be sent. */
const openPerson = async (ending?: string) => {
  const person = gateway.newPerson(ending)
  await gateway.letWrite(account, person)
  return person
}
/** What upstream took for the message, once it has. */
const takenUpstream = async (id: string) => {
  await events.of(id, 'message.sent')
  const all = gateway.simulator.accepted.filter((each) => each.opaque?.startsWith(`${id}.`))
  expect(all).toHaveLength(1)
  return all[0] as (typeof all)[number] & { raw: string }
}

describe('upstream gets', () => {
  test('the number in full, the text and our id, and none of the fields that are the gateway’s', async () => {
    const person = await openPerson()
    const more = { channel_id: account.channel.id, client_reference: 'order-1', contact_name: 'Ana' }
    const { body } = await send({ ...textTo(person, 'Bom dia!', more), text: { body: 'Bom dia!', preview_url: true } })
    const taken = await takenUpstream(body.id)
    expect(taken.phoneNumberId).toBe(account.channel.phoneNumberId)
    expect(taken.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: `+${person}`,
      type: 'text',
      text: { body: 'Bom dia!', preview_url: true },
      biz_opaque_callback_data: taken.opaque,
    })
  })

  // rule: requests 3
  test('integers beyond 2^53 inside the text digit for digit', async () => {
    const person = await openPerson()
    const { body } = await send(`{"to":"${person}","type":"text","text":{"body":"x","n":12345678901234567890,"m":[-98765432109876543210]}}`)
    const { raw } = await takenUpstream(body.id)
    expect(raw).toContain('"n":12345678901234567890')
    expect(raw).toContain('"m":[-98765432109876543210]')
  })

  // rule: send 8
  test('fields that the gateway does not know, inside the text and at the top', async () => {
    const person = await openPerson()
    const unknown = { new_top: { deep: [1, null, 'ç'] }, another: false }
    const { body } = await send({ ...textTo(person, 'Oi', unknown), text: { body: 'Oi', new_inside: { a: 1 } } })
    const { body: taken } = await takenUpstream(body.id)
    expect(taken).toMatchObject({ ...unknown, text: { body: 'Oi', new_inside: { a: 1 } } })
  })

  test('every character of the text as it was written', async () => {
    const words = 'áçã "quoted" \\ / \n\t 👩‍👩‍👧 \u2028 \u00a0 ﷺ'
    const { body } = await send(textTo(await openPerson(), words))
    expect((await takenUpstream(body.id)).body).toMatchObject({ text: { body: words } })
    expect((await get(body.id)).body.text).toBe(words)
  })

  // rule: queue 2
  test('the sends to one person in the order in which they were accepted', async () => {
    const person = await openPerson()
    const accepted: string[] = []
    for (let i = 0; i < 20; i += 1) accepted.push((await send(textTo(person, `in order ${i}`))).body.id)
    await Promise.all(accepted.map((id) => events.of(id, 'message.sent')))
    const arrived = gateway.simulator.accepted.filter((each) => each.raw?.includes('in order')).map((each) => each.opaque?.split('.')[0])
    expect(arrived).toEqual(accepted)
  })

  test('a send at once while another person’s is still under way', async () => {
    const [slow, quick] = [await openPerson(), await openPerson()]
    gateway.simulator.addFaults({ match: { to: slow }, fault: { kind: 'slow', delayMs: 3_000 } })
    const first = await send(textTo(slow))
    const second = await send(textTo(quick))
    await events.of(second.body.id, 'message.sent')
    expect((await get(first.body.id)).body.sent_at).toBeNull()
  })

  test('a send from the number that the caller named', async () => {
    const two = await gateway.account({ channels: 2 })
    const person = gateway.newPerson()
    const second = two.channels[1]
    await gateway.letWrite(two, person, { phoneNumberId: second?.phoneNumberId ?? '' })
    const taken = gateway.simulator.accepted.length + 1
    const { body } = await send(textTo(person, 'Oi', { channel_id: second?.id }), two.live)
    expect(body.channel_id).toBe(second?.id)
    await gateway.simulator.waitForAccepted(taken)
    expect(gateway.simulator.accepted.at(-1)).toMatchObject({ phoneNumberId: second?.phoneNumberId, to: `+${person}` })
  })
})

describe('a quoted reply', () => {
  test('by our id reaches upstream as the wamid, and is shown as our id', async () => {
    const person = await openPerson()
    const first = await send(textTo(person, 'first'))
    const { wamid } = await takenUpstream(first.body.id)
    const reply = await send(textTo(person, 'reply', { reply_to: first.body.id }))
    expect(reply.body.reply_to).toBe(first.body.id)
    expect((await takenUpstream(reply.body.id)).body).toMatchObject({ context: { message_id: wamid } })
  })

  test('to what the person wrote, by its wamid, is shown as our id of it', async () => {
    const person = gateway.newPerson()
    const wamid = await gateway.letWrite(account, person, { text: 'Posso pagar com Pix?' })
    const received = await events.until((event) => event.type === 'message.received' && event.data.wamid === wamid)
    const reply = await send(textTo(person, 'Pode!', { reply_to: wamid }))
    expect(reply.body.reply_to).toBe(received.data.id)
    expect((await takenUpstream(reply.body.id)).body).toMatchObject({ context: { message_id: wamid } })
  })

  test('of a wamid that we do not know is passed on, and shown as null', async () => {
    const reply = await send(textTo(await openPerson(), 'reply', { reply_to: 'wamid.FROMELSEWHERE' }))
    expect(reply.body.reply_to).toBeNull()
    expect((await takenUpstream(reply.body.id)).body).toMatchObject({ context: { message_id: 'wamid.FROMELSEWHERE' } })
  })

  test('to a message that is still queued: that one leaves first, and is quoted', async () => {
    const person = await openPerson()
    gateway.simulator.change({ answerDelayMs: 50 })
    const first = await send(textTo(person, 'still queued'))
    const reply = await send(textTo(person, 'quotes it', { reply_to: first.body.id }))
    const { wamid } = await takenUpstream(first.body.id)
    const taken = await takenUpstream(reply.body.id)
    gateway.simulator.change({ answerDelayMs: 0 })
    expect(taken.body).toMatchObject({ context: { message_id: wamid } })
  })
})

describe('the person', () => {
  test('takes contact_name only when nobody knows them yet', async () => {
    const person = gateway.newPerson()
    const names = []
    for (const name of ['Ana', 'Beatriz'])
      names.push((await send(textTo(person, 'Oi', { contact_name: name }), account.test)).body.contact.name)
    expect(names).toEqual(['Ana', 'Ana'])
  })

  test('has the profile name once they wrote, whatever contact_name says', async () => {
    const person = gateway.newPerson()
    await gateway.letWrite(account, person, { name: 'Maria Silva' })
    expect((await send(textTo(person, 'Oi', { contact_name: 'Cliente 7' }))).body.contact.name).toBe('Maria Silva')
    await gateway.letWrite(account, person, { name: 'Maria S.' })
    expect((await send(textTo(person))).body.contact.name).toBe('Maria S.')
  })

  // rule: queue 6, people 2
  test('is addressed by the wa_id that upstream gave, from the next send on, and shown as before', async () => {
    const person = await openPerson('000006')
    const first = await send(textTo(person))
    expect((await takenUpstream(first.body.id)).to).toBe(`+${person}`)
    const older = person.slice(0, 4) + person.slice(5)
    for (const spelled of [person, older]) {
      const next = await send(textTo(spelled))
      expect(next.body.contact.phone).toBe(person)
      expect((await takenUpstream(next.body.id)).to).toBe(`+${older}`)
    }
  })

  test('known by a user id can be sent to by it', async () => {
    const person = gateway.newPerson()
    await gateway.letWrite(account, person)
    const { body } = await send(textTo(person))
    expect(body.contact.user_id).toMatch(/^BR\./)
    const byUserId = await send(textTo(body.contact.user_id))
    expect([byUserId.status, byUserId.body.contact]).toEqual([202, body.contact])
    await takenUpstream(byUserId.body.id)
  })
})

describe('what upstream says of a send', () => {
  // rule: states 2
  test('a wamid: the message is sent, with its moment, and then delivered and read', async () => {
    const { body } = await send(textTo(await openPerson(), 'Oi', { client_reference: 'ref-9' }))
    const sent = await events.of(body.id, 'message.sent')
    const taken = await takenUpstream(body.id)
    expect(sent.data).toMatchObject({ status: 'sent', wamid: taken.wamid, client_reference: 'ref-9', source: 'api', direction: 'outbound' })
    expect(sent.data.sent_at).not.toBeNull()
    const read = await events.of(body.id, 'message.read')
    expect(read.data).toMatchObject({ status: 'read', client_reference: 'ref-9', pricing: { category: 'service', billable: false } })
    expect(events.kindsOf(body.id)).toEqual(['message.sent', 'message.delivered', 'message.read'])
    const { created_at: createdAt, sent_at: sentAt, delivered_at: deliveredAt, read_at: readAt } = (await get(body.id)).body
    // The first two are by our clock, the others in whole seconds by upstream's.
    expect([createdAt <= sentAt, deliveredAt <= readAt]).toEqual([true, true])
  })

  test('a refusal: the message failed with the code, without ever being sent', async () => {
    const { body } = await send(textTo(await openPerson('131030')))
    const failed = await events.of(body.id, 'message.failed')
    expect(failed.data).toMatchObject({
      status: 'failed',
      error: { code: 131030, message: expect.any(String) },
      sent_at: null,
      wamid: null,
    })
    expect(events.kindsOf(body.id)).toEqual(['message.failed'])
  })

  test('a failure by notice: sent, then failed with the code and the details', async () => {
    const { body } = await send(textTo(await openPerson('131026')))
    const failed = await events.of(body.id, 'message.failed')
    expect(failed.data.error).toEqual({ code: 131026, message: expect.stringMatching(/.{10}/) })
    expect(failed.data.sent_at).not.toBeNull()
    expect(events.kindsOf(body.id)).toEqual(['message.sent', 'message.failed'])
  })

  test('a busy moment (130429): it is tried again, and sent once', async () => {
    const person = await openPerson()
    gateway.simulator.addFaults({ match: { to: person }, fault: { kind: 'graph-error', code: 130429 } })
    const { body } = await send(textTo(person))
    await takenUpstream(body.id)
    await events.of(body.id, 'message.read')
    expect(events.kindsOf(body.id)).toEqual(['message.sent', 'message.delivered', 'message.read'])
  })

  // rule: queue 4, states 8
  test.each(['accept-then-reset', 'unreadable'] as const)('%s: it is never posted twice, and the first status settles it', async (kind) => {
    const person = await openPerson()
    gateway.simulator.addFaults({ match: { to: person }, fault: { kind } })
    const { body } = await send(textTo(person))
    const read = await events.of(body.id, 'message.read')
    expect(read.data.sent_at).not.toBeNull()
    expect(events.kindsOf(body.id)).toEqual(['message.sent', 'message.delivered', 'message.read'])
    expect(gateway.simulator.sends.filter((each) => each.opaque?.startsWith(`${body.id}.`))).toHaveLength(1)
  })

  test('a status before the answer itself: all events come once, and the sent moment is there', async () => {
    const person = await openPerson()
    gateway.simulator.change({ statusBeforeAnswer: true })
    const { body } = await send(textTo(person))
    await events.of(body.id, 'message.read')
    await events.of(body.id, 'message.sent')
    gateway.simulator.change({ statusBeforeAnswer: false })
    expect(events.kindsOf(body.id).toSorted()).toEqual(['message.delivered', 'message.read', 'message.sent'])
    expect((await get(body.id)).body).toMatchObject({ status: 'read', sent_at: expect.any(String), delivered_at: expect.any(String) })
  })
})
