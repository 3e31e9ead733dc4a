import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { present } from '../../base/assert.ts'
import { manualClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { parseSecretKey, unseal } from '../../base/seal.ts'
import { statement } from '../../platform/database/statement.ts'
import { createAccount } from '../accounts/public.ts'
import { registerWebhook } from './register.ts'
import { removeWebhook } from './remove.ts'
import { findWebhook, listWebhooks } from './store.ts'
import { webhookJson } from './wire.ts'

const clock = manualClock('2026-03-02T12:00:00Z')
const secretKey = present(parseSecretKey(Buffer.alloc(32, 7).toString('base64')), '32 bytes')
const policy = { allowPrivate: false, allowCidrs: [], certificateAuthorities: null, ownEndpoints: [] }
let own: TestDatabase
let accountId: Uuid

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  const made = await createAccount({ database: own.database, clock }, { name: 'Padaria', plan: null })
  if (!made.ok) throw new Error(made.refusal.message)
  accountId = made.value.id
})

const register = (change: { url?: string; description?: string | null } = {}) =>
  registerWebhook(
    { database: own.database, clock, policy, secretKey },
    { accountId, url: 'https://example.com/events', events: ['message.sent', '*'], description: null, ...change },
  )

async function registered() {
  const made = await register()
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value
}

describe('registering', () => {
  test('the webhook reads back as it was made, and its secret is kept sealed', async () => {
    const { webhook, secret } = await registered()
    expect(await findWebhook(own.database, accountId, webhook.id)).toEqual(webhook)
    expect(webhookJson(webhook)).toEqual({
      id: `whk_${webhook.id.replaceAll('-', '')}`,
      object: 'webhook',
      url: 'https://example.com/events',
      events: ['message.sent', '*'],
      enabled: true,
      description: null,
      created_at: '2026-03-02T12:00:00.000Z',
    })
    const [row] = await own.database.run<{ secret: Buffer }>(
      statement('test_secret', 'select secret from webhook where account_id = $1 and id = $2'),
      [accountId, webhook.id],
    )
    const sealed = present(row, 'registered').secret
    expect(sealed.includes(secret)).toBe(false)
    expect(unseal(secretKey, sealed as never)).toBe(secret)
  })

  test('an empty description is none', async () => {
    const made = await register({ description: '' })
    expect(made.ok && made.value.webhook.description).toBeNull()
  })

  test.each(['http://example.com/', 'https://127.0.0.1/', 'https://localhost/', 'https://user:word@example.com/', 'no url'])(
    'an address that may not be called is refused on url: %s',
    async (url) => {
      expect(await register({ url })).toMatchObject({ ok: false, refusal: { code: 'invalid_request', details: [{ field: 'url' }] } })
    },
  )

  // rule: delivery 7
  test('of eleven that are made at once exactly ten are made, and the other is a conflict', async () => {
    const made = await Promise.all(Array.from({ length: 11 }, () => register()))
    expect(made.filter((each) => each.ok)).toHaveLength(10)
    expect(made.find((each) => !each.ok)).toMatchObject({ refusal: { code: 'conflict' } })
    expect(await listWebhooks(own.database, accountId)).toHaveLength(10)
  })

  test('the list is newest first and shows no other account', async () => {
    const first = (await registered()).webhook
    clock.advance(1)
    const second = (await registered()).webhook
    expect(await listWebhooks(own.database, accountId)).toEqual([second, first])
    expect(await listWebhooks(own.database, newUuid(clock.now()))).toEqual([])
    expect(await findWebhook(own.database, newUuid(clock.now()), first.id)).toBeNull()
  })
})

describe('removing', () => {
  const remove = (id: Uuid, account = accountId) =>
    removeWebhook({ database: own.database, clock, wakeDeliveries: () => {} }, { accountId: account, id })

  test('a removed webhook is gone, and removing it again finds nothing', async () => {
    const { webhook } = await registered()
    expect(await remove(webhook.id)).toEqual({ ok: true, value: null })
    expect(await findWebhook(own.database, accountId, webhook.id)).toBeNull()
    expect(await remove(webhook.id)).toMatchObject({ ok: false, refusal: { code: 'not_found' } })
  })

  test('another account cannot remove it', async () => {
    const { webhook } = await registered()
    expect(await remove(webhook.id, newUuid(clock.now()))).toMatchObject({ ok: false, refusal: { code: 'not_found' } })
    expect(await findWebhook(own.database, accountId, webhook.id)).not.toBeNull()
  })
})
