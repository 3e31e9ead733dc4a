import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { manualClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import type { Sealed } from '../../base/seal.ts'
import { accountId, as, type TestServer, testServer } from '../../platform/http/test-server.ts'
import type { Channel } from './channel.ts'
import { channelRoutes } from './routes.ts'
import { upsertChannel } from './store.ts'

const clock = manualClock('2026-03-02T12:00:00Z')
let own: TestDatabase
let server: TestServer

beforeAll(async () => {
  own = await testDatabase()
  server = await testServer({ routes: (v1) => channelRoutes(v1, { database: own.database }) })
})
afterAll(async () => {
  await server.app.close()
  await own.close()
})

const get = (key: 'live' | 'test' | 'reader') => server.app.inject({ url: '/v1/channels', headers: as(key) })

async function storeChannel(owner: Uuid, phoneNumberId: string): Promise<void> {
  const channel: Channel = {
    id: newUuid(clock.now()),
    accountId: owner,
    phoneNumberId,
    wabaId: '777',
    status: 'connected',
    disconnectedBecause: null,
    phone: '5511912345678',
    displayName: 'Padaria',
    nameStatus: null,
    quality: null,
    throughput: 'STANDARD',
    messagingLimit: 'TIER_2K',
    officialBusinessAccount: false,
    onBusinessApp: false,
    subscribed: true,
    checkedAt: null,
    lastNoticeAt: null,
    createdAt: clock.now(),
  }
  await own.database.transaction(async (tx) => {
    const account = {
      name: 'insert_account',
      text: 'insert into account (id, name, created_at) values ($1, $2, $3) on conflict do nothing',
    }
    await tx.run(account, [owner, 'Padaria', clock.now()])
    await upsertChannel(tx, channel, Buffer.from('sealed') as Sealed)
  })
}

test('200 lists the account’s own numbers with every field of the contract and nothing else', async () => {
  await storeChannel(accountId, '1')
  await storeChannel(newUuid(clock.now()), '2')
  const answer = await get('live')
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({
    object: 'list',
    data: [
      {
        id: expect.stringMatching(/^ch_[0-9a-f]{32}$/),
        object: 'channel',
        status: 'connected',
        phone: '5511912345678',
        display_name: 'Padaria',
        name_status: null,
        quality: null,
        throughput: 'STANDARD',
        messaging_limit: 'TIER_2K',
        official_business_account: false,
        waba_id: '777',
        phone_number_id: '1',
      },
    ],
    has_more: false,
  })
})

// rule: authentication 3
test('200 for a test key too', async () => {
  expect((await get('test')).statusCode).toBe(200)
})

test('403 forbidden for a key without the scope channels:read', async () => {
  const answer = await get('reader')
  expect(answer.statusCode).toBe(403)
  expect(answer.json().error).toMatchObject({ code: 'forbidden', message: expect.stringContaining('channels:read') })
})
