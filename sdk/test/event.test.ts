import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, expectTypeOf, test } from 'vitest'
import { type EventType, type Message, type PomboEvent, parseEvent, SignatureError, unwrapEvent } from '../src/index.ts'

const contract = JSON.parse(await readFile(new URL('../../contract/openapi.json', import.meta.url), 'utf8'))
const types: EventType[] = contract.components.schemas.WebhookDelivery.properties.event_type.enum

const bodyOf = (type: string, data: object = {}) =>
  JSON.stringify({ id: 'evt_1', object: 'event', type, api_version: 'v1', created_at: '2026-11-27T21:11:41.747Z', livemode: true, data })

/** Names what an event is about; compiles only as long as every kind of the contract has its own data. */
function about(event: PomboEvent): string {
  switch (event.type) {
    case 'message.received':
    case 'message.edited':
    case 'message.deleted':
    case 'message.sent':
    case 'message.delivered':
    case 'message.read':
    case 'message.failed':
      expectTypeOf(event.data).toEqualTypeOf<Message>()
      return `message ${event.data.id}`
    case 'message.reaction':
      return `reaction ${event.data.reaction.emoji} to ${event.data.reaction.message_id}`
    case 'template.status_updated':
    case 'template.category_updated':
    case 'template.quality_updated':
    case 'template.components_updated':
    case 'channel.updated':
    case 'contact.marketing_preference_updated':
      expectTypeOf(event.data.meta.entry[0]?.changes[0]?.field).toEqualTypeOf<string | undefined>()
      return `notice of ${event.data.meta.object}`
    default:
      event satisfies never
      return 'something new'
  }
}

test('every kind of event in the contract is a type of its own, with its own data', () => {
  expectTypeOf<PomboEvent['type']>().toEqualTypeOf<EventType>()
  expect(types).toHaveLength(14)
  const reaction = { emoji: '👍', message_id: 'msg_1', contact: { phone: '5511987654321', name: null }, created_at: '' }
  const data = { id: 'msg_1', reaction, meta: { object: 'whatsapp_business_account', entry: [] } }
  const told = types.map((type) => about(parseEvent(bodyOf(type, data))))
  expect(told.filter((each) => each === 'message msg_1')).toHaveLength(7)
  expect(told.filter((each) => each === 'reaction 👍 to msg_1')).toHaveLength(1)
  expect(told.filter((each) => each === 'notice of whatsapp_business_account')).toHaveLength(6)
})

test('a kind of the future comes through as it is', () => {
  expect(about(parseEvent(bodyOf('message.translated')))).toBe('something new')
})

test('an event is unwrapped only when its signature is right', async () => {
  const body = Buffer.from(bodyOf('message.sent', { id: 'msg_1' }))
  const header = `t=1795899600,v1=${createHmac('sha256', 'whsec_1').update('1795899600.').update(body).digest('hex')}`
  const options = { now: new Date(1_795_899_600_000) }
  const event = await unwrapEvent(body, header, 'whsec_1', options)
  expect(event).toEqual(JSON.parse(body.toString()))
  await expect(unwrapEvent(body, header, 'whsec_2', options)).rejects.toThrow(SignatureError)
  await expect(unwrapEvent(bodyOf('message.read'), header, 'whsec_1', options)).rejects.toThrow(SignatureError)
})

test.each([
  '',
  'hello',
  'null',
  '[]',
  '{}',
  bodyOf('message.sent').replace('"event"', '"message"'),
  bodyOf('message.sent').replace('{}', 'null'),
])('what is no event is refused: %s', (body) => {
  expect(() => parseEvent(body)).toThrow(TypeError)
})
