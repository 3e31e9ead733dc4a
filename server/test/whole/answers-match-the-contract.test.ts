import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createContract } from '../support/contract.ts'

// Every answer of every API test goes through this judge (`caller.ts`); here it is shown that it does judge.
const contract = createContract(JSON.parse(await readFile(new URL('../../../contract/openapi.json', import.meta.url), 'utf8')))

const error = { error: { code: 'not_found', message: 'There is nothing.', request_id: 'req_1' } }
const unauthorized = { error: { ...error.error, code: 'unauthorized' } }
const headers = {
  'request-id': `req_${'0'.repeat(32)}`,
  'ratelimit-limit': '600',
  'ratelimit-remaining': '0',
  'ratelimit-reset': '60',
  'www-authenticate': 'Bearer',
}
const channel = {
  id: 'ch_1',
  object: 'channel',
  status: 'connected',
  phone: null,
  display_name: null,
  name_status: null,
  quality: null,
  throughput: null,
  messaging_limit: null,
  official_business_account: null,
  waba_id: null,
  phone_number_id: null,
}
const listed = (item: object) => ({ object: 'list', data: [item], has_more: false })
const channels = (body: unknown, status = 200, more: Record<string, string | undefined> = {}) =>
  contract.check({ method: 'GET', path: '/v1/channels', status, body, headers: { ...headers, ...more } })

describe('the judge of answers', () => {
  test('lets pass what fits', () => {
    expect(channels(listed(channel))).toBe('GET /v1/channels 200')
    expect(channels(unauthorized, 401)).toBe('GET /v1/channels 401 unauthorized')
    expect(contract.check({ method: 'GET', path: '/v1/messages/msg_1', status: 404, body: error, headers })).toBe(
      'GET /v1/messages/{id} 404 not_found',
    )
    expect(contract.check({ method: 'GET', path: '/v1/nothing', status: 404, body: error, headers })).toBeNull()
  })

  test('refuses a status that the operation does not have', () => {
    expect(() => channels(listed(channel), 202)).toThrow(/does not know/)
    expect(() => channels(error, 402)).toThrow(/does not know/)
    expect(() => contract.check({ method: 'GET', path: '/v1/nothing', status: 200, body: {}, headers })).toThrow(/no answer/)
  })

  test('refuses a body that lacks a field, or has one of another type', () => {
    const { quality: _quality, ...without } = channel
    expect(() => channels(listed(without))).toThrow(/does not fit/)
    expect(() => channels(listed({ ...channel, phone: 5511 }))).toThrow(/does not fit/)
    expect(() => channels({ object: 'list', data: {}, has_more: false })).toThrow(/does not fit/)
    expect(() => channels(null)).toThrow(/does not fit/)
  })

  test('refuses a field that the schema does not name, wherever it stands', () => {
    expect(() => channels(listed({ ...channel, secret: 'x' }))).toThrow(/additional.*secret/)
    expect(() => channels({ ...listed(channel), total: 1 })).toThrow(/additional.*total/)
    expect(() => channels({ error: { ...unauthorized.error, stack: 'x' } }, 401)).toThrow(/additional.*stack/)
  })

  test('refuses a time in another form than the one of the contract', () => {
    const webhook = { id: 'whk_1', object: 'webhook', url: null, events: [], enabled: true, description: null }
    contract.checkSchema('Webhook', { ...webhook, created_at: '2026-11-27T21:11:41.747Z' })
    for (const time of ['2026-11-27T21:11:41Z', '2026-11-27T21:11:41.747+00:00', '2026-11-27', 'now'])
      expect(() => contract.checkSchema('Webhook', { ...webhook, created_at: time })).toThrow(/does not fit.*date-time/)
  })

  test('refuses an answer that lacks a documented header, or has a wrong one', () => {
    expect(() => channels(listed(channel), 200, { 'ratelimit-reset': undefined })).toThrow(/lacks the header RateLimit-Reset/)
    expect(() => channels(listed(channel), 200, { 'request-id': 'x' })).toThrow(/wrong header Request-Id/)
    expect(() => channels(unauthorized, 401, { 'www-authenticate': undefined })).toThrow(/lacks the header WWW-Authenticate/)
    expect(() => channels({ error: { ...error.error, code: 'rate_limited' } }, 429)).toThrow(/lacks the header Retry-After/)
  })

  test('refuses an event that is not as its kind says', () => {
    const event = { id: `evt_${'0'.repeat(32)}`, object: 'event', type: 'channel.updated', api_version: 'v1', livemode: true }
    const meta = { object: 'whatsapp_business_account', entry: [{ id: '1', time: 1, changes: [{ field: 'x', value: {} }] }] }
    const whole = { ...event, created_at: '2026-11-27T21:11:41.747Z', data: { meta } }
    const check = (more: object) => contract.checkEvent({ ...whole, ...more })
    check({})
    expect(() => check({ type: 'message.sent' })).toThrow(/does not fit/)
    expect(() => check({ type: 'message.lost' })).toThrow(/no event/)
    expect(() => check({ data: { meta: { ...meta, entry: [] } } })).toThrow(/does not fit/)
  })

  test('refuses an error outside of the envelope, or with a code that the contract lacks', () => {
    expect(() => channels({ message: 'no' }, 401)).toThrow(/does not fit/)
    expect(() => channels({ error: { ...error.error, code: 'not_found' } }, 401)).toThrow(/does not fit/)
  })

  test('refuses a message that lacks a key which the contract wants even when it is null', () => {
    expect(() => contract.checkSchema('Message', { id: 'msg_1' })).toThrow(/does not fit/)
  })
})
