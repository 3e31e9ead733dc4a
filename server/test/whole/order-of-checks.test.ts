import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopes } from '../../src/features/api-keys/public.ts'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import type { CallOptions, Method } from '../support/caller.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { nobodys } from '../support/texts.ts'

/** More than any key here calls, but for the one that is used up. */
const perKey = 300

let gateway: TestGateway
let account: TestAccount
let operations: readonly string[]
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { RATE_LIMIT_PER_KEY: String(perKey) } })
  account = await gateway.account()
  operations = gateway.contract.operations
  expect(operations.length).toBeGreaterThan(15)
})
afterAll(() => gateway.close())

/** A call of the operation for what nobody has, with everything wrong that a form can have. */
function callWrongly(operation: string, key: string | null) {
  const [method = '', path = ''] = operation.split(' ')
  const concrete = path
    .replaceAll('{delivery_id}', nobodys('dlv'))
    .replaceAll(/\{[^}]+\}/g, path.startsWith('/v1/webhooks') ? nobodys('whk') : 'x')
  const options: CallOptions = { key, query: { colour: 'red' }, ...(method === 'GET' ? {} : { body: '{ broken' }) }
  return gateway.call(method as Method, concrete, options)
}

async function outcomes(key: string | null): Promise<Record<string, string>> {
  const said: Record<string, string> = {}
  for (const operation of operations) {
    const { status, body } = await callWrongly(operation, key)
    said[operation] = `${status} ${body.error.code}`
  }
  return said
}

const all = (outcome: string) => Object.fromEntries(operations.map((operation) => [operation, outcome]))

// rule: authentication 1
// rule: send 13
describe('of several reasons to refuse a call, on every operation', () => {
  test('the key comes first: 401, whatever else is wrong', async () => {
    expect(await outcomes(null)).toEqual(all('401 unauthorized'))
    expect(await outcomes(`${account.live}x`)).toEqual(all('401 unauthorized'))
  })

  // rule: limits 1
  test('then the limits: 429 for a key that is used up, also where it lacks the scope', async () => {
    const { secret } = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: [] })
    await Promise.all(Array.from({ length: perKey }, () => gateway.call('GET', '/v1/channels', { key: secret })))
    expect(await outcomes(secret)).toEqual(all('429 rate_limited'))
  })

  test('then what the key may do: 403, before its body is read', async () => {
    const { secret } = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: [] })
    expect(await outcomes(secret)).toEqual(all('403 forbidden'))
  })

  test('then the form: 400, before it is looked up whether there is such a thing', async () => {
    expect(await outcomes(account.live)).toEqual(all('400 invalid_request'))
  })
})

/** What the scope of an operation is called: by what it is about, and whether it changes anything. */
function expectedScope(operation: string): RegExp {
  const [method = '', path = ''] = operation.split(' ')
  const about = path.split('/')[2] ?? ''
  const fixed: Readonly<Record<string, string>> = {
    channels: 'channels:read',
    webhooks: 'webhooks:write',
    'marketing-opt-outs': 'opt_outs:write',
    media: 'media:write',
    usage: 'usage:read',
  }
  if (operation === 'POST /v1/messages') return /^messages:send$/
  return new RegExp(`^${fixed[about] ?? `${about}:${method === 'GET' ? 'read' : '(send|read|write)'}`}$`)
}

describe('scopes', () => {
  test('without its scope a key is refused by each operation, in words that name it; with it alone it is not', async () => {
    const own = await gateway.account()
    const onlyKeys = new Map<string, string>()
    for (const scope of scopes) onlyKeys.set(scope, (await makeKey(gateway.deps, own.uuid, { livemode: true, scopes: [scope] })).secret)
    const none = (await makeKey(gateway.deps, own.uuid, { livemode: true, scopes: [] })).secret
    for (const operation of operations) {
      const { body } = await callWrongly(operation, none)
      const named = /^This key lacks the scope (\S+)\.$/.exec(body.error.message)?.[1] ?? ''
      expect([operation, named]).toEqual([operation, expect.stringMatching(expectedScope(operation))])
      for (const [scope, key] of onlyKeys) {
        const answer = await callWrongly(operation, key)
        expect([operation, scope, answer.status]).toEqual([operation, scope, scope === named ? 400 : 403])
        if (answer.status === 403) expect(answer.body.error.message).toContain(named)
      }
    }
  })

  test('a test key is bound by its scopes too', async () => {
    const own = await gateway.account()
    const key = await makeKey(gateway.deps, own.uuid, { livemode: false, scopes: ['channels:read'] })
    expect((await gateway.call('GET', '/v1/channels', { key: key.secret })).status).toBe(200)
    const refused = await gateway.call('GET', '/v1/marketing-opt-outs', { key: key.secret })
    expect([refused.status, refused.body.error.message]).toEqual([403, 'This key lacks the scope opt_outs:write.'])
  })
})
