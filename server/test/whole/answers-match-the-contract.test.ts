import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createContract } from '../support/contract.ts'

// Every answer of every API test goes through this judge (`caller.ts`); here it is shown that it does judge.
const contract = createContract(JSON.parse(await readFile(new URL('../../../contract/openapi.json', import.meta.url), 'utf8')))

const error = { error: { code: 'not_found', message: 'There is nothing.', request_id: 'req_1' } }
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
const channels = (body: unknown, status = 200) => contract.check({ method: 'GET', path: '/v1/channels', status, body })

describe('the judge of answers', () => {
  test('lets pass what fits', () => {
    channels(listed(channel))
    channels(error, 401)
    contract.check({ method: 'GET', path: '/v1/messages/msg_1', status: 404, body: error })
    contract.check({ method: 'GET', path: '/v1/nothing', status: 404, body: error })
  })

  test('refuses a status that the operation does not have', () => {
    expect(() => channels(listed(channel), 202)).toThrow(/does not know/)
    expect(() => channels(error, 402)).toThrow(/does not know/)
    expect(() => contract.check({ method: 'GET', path: '/v1/nothing', status: 200, body: {} })).toThrow(/no answer/)
  })

  test('refuses a body that lacks a field, or has one of another type', () => {
    const { quality: _quality, ...without } = channel
    expect(() => channels(listed(without))).toThrow(/does not fit/)
    expect(() => channels(listed({ ...channel, phone: 5511 }))).toThrow(/does not fit/)
    expect(() => channels({ object: 'list', data: {}, has_more: false })).toThrow(/does not fit/)
    expect(() => channels(null)).toThrow(/does not fit/)
  })

  test('refuses an error outside of the envelope, or with a code that the contract lacks', () => {
    expect(() => channels({ message: 'no' }, 401)).toThrow(/does not fit/)
    expect(() => channels({ error: { ...error.error, code: 'teapot' } }, 401)).toThrow(/does not fit/)
  })

  test('refuses a message that lacks a key which the contract wants even when it is null', () => {
    expect(() => contract.checkSchema('Message', { id: 'msg_1' })).toThrow(/does not fit/)
  })
})
