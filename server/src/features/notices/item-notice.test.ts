import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { noticeOfItem } from './item-notice.ts'
import { parseNotice } from './parse.ts'
import { readStatus, statusItem } from './read-status.ts'

const folder = new URL('../../../test/fixtures/notices/', import.meta.url)
const fixtures = readdirSync(folder).filter((name) => name.endsWith('.json'))
const notices = fixtures.map((name) => ({ name, body: readFileSync(new URL(name, folder)) }))

test('the notices hold items of all kinds', () => {
  const kinds = new Set(notices.flatMap(({ body }) => parseNotice(body)).map((each) => each.kind))
  expect([...kinds]).toEqual(expect.arrayContaining(['message', 'status', 'change']))
})

test.each(notices)('each item of $name alone says what it says among the others', ({ body }) => {
  // These two never fail.
  const items = parseNotice(body).filter(({ kind }) => kind !== 'errors' && kind !== 'passed_over')
  for (const item of items) {
    const again = parseNotice(noticeOfItem(body, item))
    expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify([item])))
  }
})

test.each([
  ['no json', 'body'],
  ['[1]', 'entry'],
  ['{"entry":[{"changes":[]},{"id":"1"}]}', 'entry[0]'],
  ['{"entry":[{"changes":[{"field":"a","value":{}},{"value":{}}]}]}', 'entry[0].changes[0]'],
  ['{"entry":[{"changes":[{"field":"messages","value":{}}]}]}', 'entry[0].changes[0].value.metadata'],
])('of %s what cannot be read stays as it was', (text, field) => {
  const body = Buffer.from(text)
  const item = parseNotice(body).find((each) => each.kind === 'unreadable')
  if (item === undefined) throw new Error('something cannot be read')
  const [again, ...others] = parseNotice(noticeOfItem(body, item))
  expect(others).toEqual([])
  expect(again).toMatchObject({ kind: 'unreadable', field, item: item.item, reason: item.reason })
})

test('an item that is no object stays what it was', () => {
  const body = Buffer.from('{"entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"1"},"messages":[7]}}]}]}')
  const [item] = parseNotice(body)
  if (item === undefined) throw new Error('there is an item')
  expect(noticeOfItem(body, item).toString()).toContain('"messages":[7]')
})

test('a number beyond 2^53 keeps its digits', () => {
  const value = '{"metadata":{"phone_number_id":"1"},"messages":[{"n":12345678901234567890}]}'
  const body = Buffer.from(`{"entry":[{"changes":[{"field":"messages","value":${value}}]}]}`)
  const [item] = parseNotice(body)
  if (item === undefined) throw new Error('there is an item')
  expect(noticeOfItem(body, item).toString()).toContain('12345678901234567890')
})

test.each([
  {},
  { biz_opaque_callback_data: 'msg_1.1' },
  { pricing: { billable: false, category: 'service' } },
  { pricing: { type: 'regular' } },
  { errors: [{ code: 131_026, title: 'Undeliverable', error_data: { details: 'No such person' } }] },
  { errors: [{ title: 'no code' }] },
])('a status that was read is read the same when it is told again: %j', (more) => {
  const read = readStatus({ id: 'wamid.A', status: 'failed', timestamp: '1793000401', ...more } as never)
  if (read.kind !== 'status') throw new Error(read.kind)
  expect(readStatus(statusItem(read.status))).toEqual(read)
})
