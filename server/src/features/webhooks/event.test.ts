import { expect, test } from 'vitest'
import { formatId, newUuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { eventBody, eventKinds, type NewEvent } from './event.ts'

const createdAt = new Date('2026-03-02T12:00:00.040Z')
const id = newUuid(createdAt)
const event = (data: string, change: Partial<NewEvent> = {}): NewEvent => ({
  accountId: newUuid(createdAt),
  livemode: true,
  type: 'message.sent',
  data: data as JsonText,
  ...change,
})

test('the envelope has exactly the fields of the contract, in its order', () => {
  const body = JSON.parse(eventBody(event('{"id":"msg_1"}', { livemode: false }), { id, createdAt }).toString())
  expect(Object.entries(body)).toEqual([
    ['id', formatId('evt', id)],
    ['object', 'event'],
    ['type', 'message.sent'],
    ['api_version', 'v1'],
    ['created_at', '2026-03-02T12:00:00.040Z'],
    ['livemode', false],
    ['data', { id: 'msg_1' }],
  ])
})

test('data arrive byte for byte: order of keys, repeated keys, spaces and numbers beyond 2^53 survive', () => {
  const data = '{"z":1, "a":12345678901234567890,"b":1.0,"a":"Olá \\u2615 ☕"}'
  expect(eventBody(event(data), { id, createdAt }).toString().endsWith(`"data":${data}}`)).toBe(true)
})

test('the contract knows fourteen kinds', () => {
  expect(new Set(eventKinds).size).toBe(14)
})
