import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { systemClock } from '../../base/clock.ts'
import { newUuid } from '../../base/id.ts'
import { statement } from '../database/statement.ts'
import { newRequestId, uuidOfRequestId } from './request-id.ts'
import type { RequestLogEntry } from './request-log.ts'
import { insertRequestLog } from './request-log-store.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await testDatabase()
})
afterAll(() => store.close())

const clock = systemClock()
const entry = (over: Partial<RequestLogEntry> = {}): RequestLogEntry => ({
  requestId: newRequestId(clock.now()),
  accountId: newUuid(clock.now()),
  keyId: newUuid(clock.now()),
  livemode: true,
  method: 'POST',
  route: '/v1/messages',
  status: 202,
  errorCode: null,
  messageId: null,
  ms: 12.6,
  ...over,
})
const readAll = statement('test_read_request_log', 'select * from request_log where account_id = $1 order by id')

describe('writing the request log', () => {
  test('keeps each entry, under the uuid of its Request-Id', async () => {
    const first = entry({ messageId: newUuid(clock.now()) })
    const second = entry({
      accountId: first.accountId,
      livemode: false,
      method: 'GET',
      route: '/v1/messages/:id',
      status: 404,
      errorCode: 'not_found',
      ms: 0.2,
    })
    await insertRequestLog(store.database, [first, second, entry()])
    expect(await store.database.run(readAll, [first.accountId])).toEqual([
      {
        account_id: first.accountId,
        id: uuidOfRequestId(first.requestId),
        request_id: first.requestId,
        key_id: first.keyId,
        livemode: true,
        method: 'POST',
        route: '/v1/messages',
        status_code: 202,
        error_code: null,
        message_id: first.messageId,
        ms: 13,
      },
      expect.objectContaining({ request_id: second.requestId, livemode: false, status_code: 404, error_code: 'not_found', ms: 0 }),
    ])
  })

  test('the same batch twice is there once', async () => {
    const one = entry()
    await insertRequestLog(store.database, [one])
    await insertRequestLog(store.database, [one])
    expect(await store.database.run(readAll, [one.accountId])).toHaveLength(1)
  })
})
