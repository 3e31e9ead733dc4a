import { expect, test } from 'vitest'
import { present } from '../../base/assert.ts'
import { parseId } from '../../base/id.ts'
import { apiKeyJson } from './wire.ts'

test('a key is printed with the contract’s ids and times, and without anything secret', () => {
  const id = present(parseId('key', `key_${'0'.repeat(31)}1`), 'well formed')
  const accountId = present(parseId('acc', `acc_${'0'.repeat(31)}2`), 'well formed')
  const createdAt = new Date('2026-03-02T12:00:00Z')
  expect(
    apiKeyJson({
      id,
      accountId,
      name: 'Loja',
      hint: 'a1B2',
      livemode: false,
      scopes: ['usage:read'],
      createdAt,
      lastUsedAt: null,
      revokedAt: createdAt,
    }),
  ).toEqual({
    id: `key_${'0'.repeat(31)}1`,
    object: 'api_key',
    account_id: `acc_${'0'.repeat(31)}2`,
    name: 'Loja',
    hint: 'a1B2',
    livemode: false,
    scopes: ['usage:read'],
    created_at: '2026-03-02T12:00:00.000Z',
    last_used_at: null,
    revoked_at: '2026-03-02T12:00:00.000Z',
  })
})
