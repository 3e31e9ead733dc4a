import { expect, test } from 'vitest'
import { eventLine } from './event-line.ts'

const at = new Date('2026-03-02T21:11:41Z')
const message = { object: 'message', id: 'msg_1', status: 'received', text: 'Oi', error: null }

test.each([
  [{ type: 'message.received', data: message }, '21:11:41  message.received  msg_1  received  "Oi"  signature verified'],
  [
    { type: 'message.failed', data: { ...message, status: 'failed', error: { code: 131026, message: 'Undeliverable' } } },
    '21:11:41  message.failed  msg_1  failed  error 131026 Undeliverable  signature verified',
  ],
  [
    { type: 'message.reaction', data: { ...message, reaction: { emoji: '👍' } } },
    '21:11:41  message.reaction  msg_1  received  reaction 👍  signature verified',
  ],
  [{ type: 'message.received', data: { ...message, text: null } }, '21:11:41  message.received  msg_1  received  signature verified'],
  [{ id: 'evt_1', type: 'channel.updated', data: { meta: {} } }, '21:11:41  channel.updated  evt_1  signature verified'],
  [null, '21:11:41  not an event  signature verified'],
])('an event is one line: %j', (event, line) => {
  expect(eventLine(event, at, null)).toBe(line)
})

test('an event that is not verified says so', () => {
  expect(eventLine({ id: 'evt_1', type: 'channel.updated', data: {} }, at, 'the signature does not match')).toMatch(
    /NOT VERIFIED: the signature does not match$/,
  )
})

test('a person’s text can neither break the line nor command the terminal', () => {
  const line = eventLine({ type: 'message.received', data: { ...message, text: `a\n\u001b[2Jb${'x'.repeat(500)}` } }, at, null)
  expect(line).toContain('"a [2Jbxxx')
  expect(line).not.toMatch(/\p{Cc}/u)
  expect(line.length).toBeLessThan(200)
})
