import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatId } from '../../src/base/id.ts'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { originOf, signedIn } from '../support/people-of-console.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
})
afterAll(() => gateway.close())

describe('a session', () => {
  test('opens the console to whoever has it', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid, name: 'Ana' })
    const me = await ana.call('GET', '/me')
    expect([me.status, me.body]).toEqual([
      200,
      {
        user: {
          id: formatId('usr', ana.userId),
          object: 'user',
          email: ana.email,
          name: 'Ana',
          language: null,
          two_factor: false,
          has_password: false,
        },
        accounts: [{ id: formatId('acc', account.uuid), name: 'Loja de Teste', role: 'owner', scopes: null, suspended: false }],
      },
    ])
    expect((await ana.call('POST', '/me/password', { body: { new_password: 'uma senha longa' } })).text).toContain('done')
    const signIn = await gateway.call('POST', '/console/api/sign-in', {
      headers: { origin: originOf(gateway) },
      body: { email: ana.email, password: 'uma senha longa' },
    })
    expect([signIn.status, signIn.body]).toEqual([200, { second_factor: false }])
  })
})
