import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../base/json.ts'
import { parseNotice } from './parse.ts'
import { readCall, readEcho, readMessage, readPast } from './read-message.ts'
import { readStatus } from './read-status.ts'
import { momentOf } from './told-at.ts'

const folder = new URL('../../../test/fixtures/notices/', import.meta.url)
const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
const fixture = (name: string) => readFileSync(new URL(`${name}.json`, folder))
const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
const kindsOf = (body: Buffer) => parseNotice(body).map((item) => item.kind)
const notice = (value: object, field = 'messages') => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '1', changes: [{ field, value: { metadata: { phone_number_id: '118' }, ...value } }] }],
})
const only = (body: Buffer) => {
  const [item] = parseNotice(body)
  if (item === undefined) throw new Error('there is an item')
  return item
}
const message = (body: Buffer) => {
  const item = only(body)
  if (item.kind !== 'message') throw new Error(item.kind)
  return readMessage(item.message, item.contact)
}
const status = (more: object) => readStatus({ id: 'wamid.A', status: 'delivered', timestamp: '1793000401', ...more } as JsonObject)

describe('taking a notice apart', () => {
  test('gives every message and status of every change and entry, each with its number', () => {
    const items = parseNotice(fixture('batch-mixed'))
    expect(items.map((item) => item.kind)).toEqual(['message', 'message', 'status', 'status', 'status', 'message', 'change'])
    expect(items.map((item) => ('phoneNumberId' in item ? item.phoneNumberId : null))).toEqual([
      ...Array(5).fill('118350927764405'),
      '118350927764999',
      null,
    ])
  })

  test('gives each message its own contact, by id and not by position', () => {
    const people = parseNotice(fixture('batch-mixed')).flatMap((item) => (item.kind === 'message' ? [item.contact?.profile] : []))
    expect(people).toEqual([{ name: 'Maya Okafor' }, { name: 'Bruno Teixeira' }, { name: 'Lucía Paz' }])
  })

  test.each([
    ['no JSON', '<html>', 'body'],
    ['half of it', '{"entry":[{"id":"1","cha', 'body'],
    ['nothing', '', 'body'],
    ['a list', '[]', 'entry'],
    ['no entries', '{"object":"x"}', 'entry'],
    ['an entry without changes', '{"entry":[{"id":"1"}]}', 'entry[0]'],
    ['a change without a field', '{"entry":[{"changes":[{"value":{}}]}]}', 'entry[0].changes[0]'],
    ['a change without a value', '{"entry":[{"changes":[{"field":"messages"}]}]}', 'entry[0].changes[0].value'],
    ['no number', '{"entry":[{"changes":[{"field":"messages","value":{}}]}]}', 'entry[0].changes[0].value.metadata'],
  ])('says of %s that it cannot be read, and where', (_what, text, field) => {
    expect(parseNotice(bytes(text))).toMatchObject([{ kind: 'unreadable', field, reason: expect.stringMatching(/\w/) }])
  })

  test('an item that is no object is told of and its neighbours are kept; a lone one is taken as a list of one', () => {
    const body = bytes(notice({ messages: ['text', { id: 'wamid.A' }, null], statuses: { id: 'x' } }))
    expect(kindsOf(body)).toEqual(['unreadable', 'message', 'unreadable', 'status'])
  })

  test('replaces NUL and half surrogates, and keeps large numbers digit for digit', () => {
    const item = only(
      bytes(
        '{"entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"1"},"messages":[{"id":"a\\u0000b\\ud800","n":12345678901234567890}]}}]}]}',
      ),
    )
    expect(JSON.stringify(item)).toContain('{"id":"a\ufffdb\ufffd","n":12345678901234567890}')
  })

  test('ends also for nesting of any depth', () => {
    for (const depth of [1_000, 5_000, 20_000, 200_000]) {
      const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`
      const text = JSON.stringify(notice({ messages: [{ id: 'wamid.A', type: 'text', deep: 0 }] })).replace('"deep":0', `"deep":${deep}`)
      expect(parseNotice(bytes(text))).toHaveLength(1)
    }
  })

  test.each(names)('%s is read without anything unreadable', (name) => {
    const items = parseNotice(readFileSync(new URL(name, folder)))
    expect(items.filter((item) => item.kind === 'unreadable')).toEqual([])
  })
})

describe('damaged notices', () => {
  const anyJson = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>
  /** Every place of a value, as a list of keys. */
  const places = (value: Json, path: (string | number)[] = []): (string | number)[][] =>
    value === null || typeof value !== 'object'
      ? [path]
      : [path, ...Object.entries(value).flatMap(([key, each]) => places(each, [...path, Array.isArray(value) ? Number(key) : key]))]
  const replaced = (value: Json, [key, ...rest]: readonly (string | number)[], by: Json | undefined): Json => {
    if (key === undefined) return by ?? null
    if (Array.isArray(value)) return value.map((each, i) => (i === key ? replaced(each, rest, by) : each))
    const entries = Object.entries(value as JsonObject)
    return Object.fromEntries(
      entries.flatMap(([name, each]) =>
        name !== key ? [[name, each]] : rest.length === 0 && by === undefined ? [] : [[name, replaced(each, rest, by)]],
      ),
    )
  }
  const readAll = (body: Buffer) =>
    parseNotice(body).map((item) => {
      if (item.kind === 'message') return readMessage(item.message, item.contact)
      return item.kind === 'status' ? readStatus(item.status) : item
    })

  test.each(names)('%s with any part replaced or missing is read without a crash', (name) => {
    const whole = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Json
    fc.assert(
      fc.property(fc.constantFrom(...places(whole)), fc.option(anyJson, { nil: undefined }), (place, by) => {
        readAll(bytes(replaced(whole, place, by)))
      }),
      { numRuns: 60 },
    )
  })

  test('a damaged item never costs a neighbour', () => {
    const whole = JSON.parse(fixture('batch-mixed').toString()) as Json
    const intact = readAll(bytes(whole as object))
    const damaged = ['entry', 0, 'changes', 1, 'value', 'statuses', 1]
    fc.assert(
      fc.property(anyJson, (by) => {
        const read = readAll(bytes(replaced(whole, damaged, by) as object))
        expect(read.filter((_each, i) => i !== 3)).toEqual(intact.filter((_each, i) => i !== 3))
      }),
    )
  })

  test('a key named __proto__ is a key like any other', () => {
    const quotes = '"id": "wamid.HBgLMTU1NTAxMDc3MTIVAgARGBJGODAyOUI4RTEyN0ZFRjMyQjcA"'
    const body = fixture('message-text-reply').toString()
    expect(body).toContain(quotes)
    const read = message(Buffer.from(body.replace(quotes, '"__proto__": {"id": "wamid.EVIL"}')))
    expect(read).toMatchObject({ kind: 'message', message: { quoted: null, meta: expect.stringContaining('"__proto__"') } })
  })

  test('bytes that were cut or changed anywhere are read without a crash', () => {
    const whole = fixture('batch-mixed')
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), (at, byte, cut) => {
        const body = Buffer.from(cut ? whole.subarray(0, at) : whole)
        if (!cut) body[at] = byte
        readAll(body)
      }),
      { numRuns: 300 },
    )
  })
})

describe('reading a status', () => {
  test.each(['sent', 'delivered', 'read', 'failed'])('%s is understood', (kind) => {
    expect(status({ status: kind, biz_opaque_callback_data: 'msg_1.1' })).toEqual({
      kind: 'status',
      status: { wamid: 'wamid.A', status: kind, at: new Date(1_793_000_401_000), opaque: 'msg_1.1', pricing: null, error: null },
    })
  })

  test.each([{ status: 'played' }, { status: 'a kind to come' }, { type: 'payment' }, { recipient_type: 'group' }])(
    '%j is passed over',
    (more) => {
      expect(status(more)).toEqual({ kind: 'passed_over' })
    },
  )

  test.each([{ id: '' }, { id: 5 }, { status: 7 }, { timestamp: 'soon' }, { timestamp: null }, { timestamp: -1 }])(
    '%j cannot be read',
    (more) => {
      expect(status(more)).toMatchObject({ kind: 'unreadable' })
    },
  )

  test.each([
    [
      { category: 'service', billable: false, type: 'regular' },
      { category: 'service', billable: false },
    ],
    [
      { category: 'marketing', type: 'regular' },
      { category: 'marketing', billable: true },
    ],
    [
      { category: 'service', type: 'free_customer_service' },
      { category: 'service', billable: false },
    ],
    [{ category: 'utility' }, { category: 'utility', billable: null }],
    [{}, null],
    ['free', null],
  ])('the price %j is %j', (pricing, expected) => {
    expect(status({ pricing })).toMatchObject({ status: { pricing: expected } })
  })

  test.each([
    [[{ code: 131026, title: 't', message: 'm', error_data: { details: 'd' } }], { code: 131026, message: 'd' }],
    [[{ code: 131026, title: 't', message: 'm' }], { code: 131026, message: 'm' }],
    [[{ code: 131026, title: 't' }], { code: 131026, message: 't' }],
    [[{ code: '131026' }], { code: 131026, message: expect.any(String) }],
    [[{ code: ' 131026 ', title: 't' }], { code: 131026, message: 't' }],
    [[{ code: 'E131026' }], { code: null, message: expect.any(String) }],
    [[{ code: '13102.6' }], { code: null, message: expect.any(String) }],
    [[{ code: 3_000_000_000, message: 'm' }], { code: null, message: 'm' }],
    [[], null],
    ['bad', null],
  ])('the errors %j are %j', (errors, expected) => {
    expect(status({ status: 'failed', errors })).toMatchObject({ status: { error: expected } })
  })

  // rule: receive 17
  test('seconds, and milliseconds of 13 digits, are read as text and as a number', () => {
    for (const value of ['1793000401', 1_793_000_401, '1793000401000', 1_793_000_401_000])
      expect(momentOf(value)).toEqual(new Date(1_793_000_401_000))
    for (const value of ['', '17930004010000', '1.5', '2026-10-26T01:00:01Z', 1e13, Number.NaN, true, {}])
      expect(momentOf(value as Json)).toBeNull()
  })
})

describe('reading a message', () => {
  test('a text comes with its words, its sender and the original', () => {
    const read = message(fixture('message-text-reply'))
    expect(read).toMatchObject({
      kind: 'message',
      person: { waId: '15550107712', userId: 'US.48120773650912', name: 'Maya Okafor' },
      message: { type: 'text', text: 'Yes, that one please', quoted: expect.stringMatching(/^wamid\./), at: new Date(1_793_000_010_000) },
    })
    const meta = read.kind === 'message' ? JSON.parse(read.message.meta) : null
    expect(meta).toMatchObject({ id: expect.stringMatching(/^wamid\./), contact: { wa_id: '15550107712' } })
    expect(meta).not.toHaveProperty('metadata')
  })

  test('a sender without a phone is known by user id', () => {
    expect(message(fixture('message-text-username-only'))).toMatchObject({
      person: { waId: null, userId: 'DE.20593318847716', name: 'Nils' },
    })
  })

  test('a message of a group is kept raw only', () => {
    expect(message(fixture('message-group-text'))).toEqual({ kind: 'passed_over' })
  })

  // rule: receive 17
  test.each([undefined, null, '', 'soon', '2026-10-26T01:00:01Z', '1793000401.5', -1])(
    'of a known kind with the time %j is of the moment of receipt',
    (timestamp) => {
      const receivedAt = new Date(1_793_000_999_123)
      const item = (more: object) =>
        ({ id: 'wamid.A', from: '5511987654321', ...(timestamp === undefined ? {} : { timestamp }), ...more }) as JsonObject
      expect(readMessage(item({ type: 'text', text: { body: 'a' } }), null, receivedAt)).toMatchObject({
        message: { at: receivedAt, text: 'a' },
      })
      expect(readMessage(item({ type: 'revoke', revoke: { original_message_id: 'wamid.B' } }), null, receivedAt)).toMatchObject({
        act: { at: receivedAt },
      })
      expect(readEcho(item({ to: '5511987654321', type: 'text', text: { body: 'a' } }), null, receivedAt)).toMatchObject({
        message: { at: receivedAt },
      })
      expect(readCall(item({}), null, receivedAt)).toMatchObject({ kind: 'opening', at: receivedAt })
      expect(readStatus(item({ status: 'read' }), receivedAt)).toMatchObject({ status: { at: receivedAt } })
      expect(readPast(item({ type: 'text', text: { body: 'a' } }), null, null, receivedAt)).toMatchObject({ kind: 'unreadable' })
      expect(readMessage(item({ type: 'hologram' }), null, receivedAt)).toMatchObject({ kind: 'unreadable' })
    },
  )

  // rule: receive 19
  test('the phone may be a number, of the message and of its contact', () => {
    const value = { metadata: { phone_number_id: 118350927764405 }, contacts: [{ wa_id: 5511987654321, profile: { name: 'Ana' } }] }
    const messages = [{ id: 'wamid.A', from: 5511987654321, timestamp: 1_793_000_401, type: 'image', image: { id: 1037543291543636 } }]
    const item = only(bytes(JSON.stringify({ entry: [{ id: 1, changes: [{ field: 'messages', value: { ...value, messages } }] }] })))
    if (item.kind !== 'message') throw new Error(item.kind)
    expect([item.phoneNumberId, item.contact?.profile]).toEqual(['118350927764405', { name: 'Ana' }])
    expect(readMessage(item.message, item.contact)).toMatchObject({
      person: { waId: '5511987654321', name: 'Ana' },
      message: { file: { upstreamId: '1037543291543636' } },
    })
  })

  const text = { id: 'wamid.A', from: '5511987654321', timestamp: '1793000401', type: 'text', text: { body: 'a' } }
  test.each([{ from: 5 }, { from: 'nobody' }, { id: '' }, { timestamp: 'x' }, { text: {} }, { text: { body: 1 } }, { text: 'a' }])(
    'with %j it cannot be read',
    (more) => {
      expect(readMessage({ ...text, ...more } as JsonObject, null)).toMatchObject({
        kind: 'unreadable',
        reason: expect.stringMatching(/\w/),
      })
    },
  )
})
