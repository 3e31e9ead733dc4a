import { describe, expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import { formatId, momentOf, newUuid } from '../../base/id.ts'
import { parseJson } from '../../base/json.ts'
import { readSend } from './read-send.ts'
import type { SendBody } from './send-wire.ts'
import { IdempotencyKey } from './send-wire.ts'

const clock = manualClock('2026-03-02T12:00:00.000Z')
const accountId = newUuid(clock.now())
const caller = { accountId, keyId: newUuid(clock.now()), livemode: true, scopes: null }
const ourAddresses = ['https://pombo.example']
const base = { to: '+55 11 98765-4321', type: 'text', text: { body: 'Olá' } }

const read = (more: object = {}, idempotencyKey?: string) =>
  readSend(clock, { ...base, ...more } as SendBody, { caller: caller as never, idempotencyKey, ourAddresses })
const sendOf = (more: object = {}, key?: string) => {
  const result = read(more, key)
  if (!result.ok || result.value.kind !== 'send') throw new Error('no send')
  return result.value.send
}
const fieldOf = (more: object, key?: string) => {
  const result = read(more, key)
  return result.ok ? null : result.refusal.details?.[0]?.field
}
const hashOf = (body: string) => {
  const result = readSend(clock, parseJson(body) as never, { caller: caller as never, idempotencyKey: 'k', ourAddresses })
  return result.ok && result.value.kind === 'send' ? result.value.send.idempotency?.bodyHash.toString('hex') : null
}

describe('reading a send', () => {
  test('gives it an id of this moment and the account and mode of its key', () => {
    const send = sendOf()
    expect(momentOf(send.id)).toEqual(clock.now())
    expect(send).toMatchObject({ accountId, livemode: true, source: 'api', recipient: { kind: 'phone', digits: '5511987654321' } })
  })

  // rule: send 8
  test('passes on what the caller wrote beside our own fields, digit for digit', () => {
    const body = parseJson('{"text":{"body":"Olá","preview_url":true,"new":12345678901234567890},"future":{"a":1}}') as object
    expect(sendOf({ ...body, client_reference: 'order 1', contact_name: 'Ana' }).content).toBe(
      '{"text":{"body":"Olá","preview_url":true,"new":12345678901234567890},"future":{"a":1}}',
    )
  })

  test.each(['messaging_product', 'recipient', 'recipient_type', 'context', 'status', 'biz_opaque_callback_data'])(
    'refuses %s, which is ours to set',
    (field) => {
      expect(fieldOf({ [field]: 'x' })).toBe(field)
    },
  )

  test.each([
    ['a word', 'nobody'],
    ['nine digits', '123456789'],
    ['a leading zero', '0111234567890'],
  ])('refuses %s as a recipient', (_what, to) => {
    expect(fieldOf({ to })).toBe('to')
  })

  test('takes a user id as a recipient', () => {
    expect(sendOf({ to: 'BR.1234567890' }).recipient).toEqual({ kind: 'user_id', userId: 'BR.1234567890' })
  })

  test('reads a channel and a quoted message, and refuses what is neither', () => {
    const id = newUuid(clock.now())
    expect(sendOf({ channel_id: formatId('ch', id) }).channelId).toBe(id)
    expect(sendOf({ reply_to: formatId('msg', id) }).replyTo).toEqual({ kind: 'id', id })
    expect(sendOf({ reply_to: 'wamid.HBgL' }).replyTo).toEqual({ kind: 'wamid', wamid: 'wamid.HBgL', isSure: true })
    // rule: send 14
    expect(sendOf({ reply_to: 'ABGGFjFV+/=' }).replyTo).toEqual({ kind: 'wamid', wamid: 'ABGGFjFV+/=', isSure: false })
    expect(fieldOf({ channel_id: formatId('msg', id) })).toBe('channel_id')
    expect(fieldOf({ reply_to: formatId('ch', id) })).toBe('reply_to')
  })
})

describe('the idempotency key', () => {
  test('may have 1 to 255 printable ASCII characters', () => {
    const { minLength, maxLength, pattern } = IdempotencyKey as unknown as { minLength: number; maxLength: number; pattern: string }
    const fits = (key: string) => key.length >= minLength && key.length <= maxLength && new RegExp(pattern).test(key)
    for (const key of [' ~', 'x'.repeat(255)]) expect(fits(key)).toBe(true)
    for (const key of ['', 'x'.repeat(256), 'é', 'a\tb', 'a\0', '\x7f']) expect(fits(key)).toBe(false)
    expect([sendOf().idempotency, sendOf({}, ' ~').idempotency?.key]).toEqual([null, ' ~'])
  })

  test('goes with a hash that is the same for the same body, whatever the order of its keys and its white space', () => {
    const body = '{"to":"5511987654321","type":"text","text":{"body":"a","n":9007199254740993}}'
    expect(hashOf('{ "type":"text","text":{"n":9007199254740993,"body":"\\u0061"}, "to":"5511987654321"}')).toBe(hashOf(body))
    expect(hashOf(body.replace('9007199254740993', '9007199254740992'))).not.toBe(hashOf(body))
    expect(hashOf(body.replace('"a"', '"b"'))).not.toBe(hashOf(body))
    expect(hashOf(body.replace('5511987654321', '+5511987654321'))).not.toBe(hashOf(body))
  })
})
