import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChannel, disconnectChannel } from '../../src/features/channels/public.ts'
import { addChannel, done, makeKey, type TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
})
afterAll(() => gateway.close())

const list = (key: string | null, query = {}) => gateway.call('GET', '/v1/channels', { key, query })

test('200 with every field of the number as upstream told it, for live and test keys alike', async () => {
  const { status, body } = await list(account.live)
  const { id, displayDigits, wabaId, phoneNumberId } = account.channel
  expect([status, body]).toEqual([
    200,
    {
      object: 'list',
      data: [
        {
          id,
          object: 'channel',
          status: 'connected',
          phone: displayDigits,
          display_name: 'Pombo Simulator',
          name_status: 'APPROVED',
          quality: 'GREEN',
          throughput: 'STANDARD',
          messaging_limit: 'TIER_2K',
          official_business_account: false,
          waba_id: wabaId,
          phone_number_id: phoneNumberId,
        },
      ],
      has_more: false,
    },
  ])
  expect((await list(account.test)).body).toEqual(body)
})

test('all numbers of the account and none of another, oldest first, disconnected ones too; the token nowhere', async () => {
  const own = await gateway.account({ channels: 2 })
  const third = await addChannel(gateway.deps, gateway.simulator, own.uuid)
  done(await disconnectChannel(gateway.deps, own.channel.uuid))
  const { body, text } = await list(own.live)
  expect(body.data.map((each: { id: string; status: string }) => [each.id, each.status])).toEqual([
    [own.channel.id, 'disconnected'],
    [own.channels[1]?.id, 'connected'],
    [third.id, 'connected'],
  ])
  expect(text).not.toContain('EAAtest')
})

test('a quality that upstream does not know yet is null', async () => {
  const own = await gateway.account({ channels: 0 })
  expect((await list(own.live)).body.data).toEqual([])
  const number = { phoneNumberId: '777000111', wabaId: '777000222', displayDigits: '551140009999', token: 'EAAtest-unrated' }
  gateway.simulator.addNumber({ ...number, qualityRating: 'UNKNOWN' })
  done(await connectChannel(gateway.deps, { accountId: own.uuid, ...number, pin: null }))
  expect((await list(own.live)).body.data[0].quality).toBeNull()
})

test('400 invalid_request for a query that it does not have', async () => {
  const { status, body } = await list(account.live, { limit: 5 })
  expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', 'limit'])
})

test('401 unauthorized without a key, 403 forbidden for a key without channels:read', async () => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:send'] })
  expect((await list(null)).body.error.code).toBe('unauthorized')
  const { status, body } = await list(key.secret)
  expect([status, body.error.code]).toEqual([403, 'forbidden'])
  expect(body.error.message).toContain('channels:read')
})
