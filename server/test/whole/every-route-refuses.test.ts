import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import type { Answer, CallOptions, Method } from '../support/caller.ts'
import type { Contract, Document } from '../support/contract.ts'
import type { TestDatabase } from '../support/database.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type LossyConnection, lossyConnection } from '../support/lossy-connection.ts'

// What any operation can be answered, whatever it does. The operations are those of the document: a new one is tried without being named.

type Told = { operation: string; answer: Answer }

/** Calls every operation of the document, with its own example as the body unless another one is given. */
function callAll(gateway: TestGateway, options: CallOptions): Promise<Told[]> {
  return Promise.all(
    gateway.contract.operations.map(async (operation) => {
      const [method = ''] = operation.split(' ')
      return {
        operation,
        answer: await gateway.call(method as Method, concretePath(gateway, operation), { ...bodyOf(gateway, operation), ...options }),
      }
    }),
  )
}

/** The path with the document's own examples in it: well-formed ids, which nobody has. */
function concretePath({ contract }: TestGateway, operation: string): string {
  const [, path = ''] = operation.split(' ')
  const examples = new Map<string, unknown>(documentOf(contract, operation).parameters?.map((each: Document) => [each.name, each.example]))
  return path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => encodeURIComponent(String(examples.get(name))))
}

function documentOf({ document }: Contract, operation: string): Document {
  const [method = '', path = ''] = operation.split(' ')
  return document.paths[path.slice('/v1'.length)][method.toLowerCase()]
}

/** An example that the document gives, as JSON; nothing for an operation that reads none, or a form. */
function bodyOf({ contract }: TestGateway, operation: string): { body?: unknown } {
  const media = documentOf(contract, operation).requestBody?.content['application/json']
  const first = media?.example ?? (Object.values(media?.examples ?? {})[0] as { value: unknown } | undefined)?.value
  return first === undefined ? {} : { body: first }
}

const codes = (told: readonly Told[]) => told.map(({ operation, answer }) => `${operation} ${answer.status} ${answer.body.error?.code}`)
const all = (gateway: TestGateway, words: string) => gateway.contract.operations.map((operation) => `${operation} ${words}`)

describe('every operation of the document answers', () => {
  let gateway: TestGateway
  let account: TestAccount
  beforeAll(async () => {
    gateway = await startTestGateway()
    account = await gateway.account()
  })
  afterAll(() => gateway.close())

  // rule: authentication 6
  test('401 unauthorized without a valid key', async () => {
    expect(codes(await callAll(gateway, { key: null }))).toEqual(all(gateway, '401 unauthorized'))
    expect(codes(await callAll(gateway, { key: 'svc_live_00000000000000000000000000000000' }))).toEqual(all(gateway, '401 unauthorized'))
  })

  // rule: authentication 8
  test('403 forbidden, naming the scope, to a key that lacks it', async () => {
    const { secret } = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: [] })
    const told = await callAll(gateway, { key: secret })
    expect(codes(told)).toEqual(all(gateway, '403 forbidden'))
    for (const { operation, answer } of told) {
      const [scope] = documentOf(gateway.contract, operation).security[0].apiKey
      expect(answer.body.error.message).toContain(scope)
    }
  })

  // rule: requests 1
  test('400 invalid_request, naming it, for a field of the query that it does not know', async () => {
    const told = await callAll(gateway, { key: account.live, query: { nonsense: '1' } })
    expect(codes(told)).toEqual(all(gateway, '400 invalid_request'))
    for (const { answer } of told) expect(answer.body.error.details).toMatchObject([{ field: 'nonsense' }])
  })

  test('400 invalid_request for a body that it cannot read', async () => {
    const writing = gateway.contract.operations.filter((operation) => !operation.startsWith('GET '))
    expect(writing.length).toBeGreaterThan(3)
    for (const body of ['{ broken', '[]', '"text"', '5', 'true']) {
      for (const { operation, answer } of await callAll(gateway, { key: account.live, body })) {
        // The body of a GET means nothing, and is passed over.
        if (writing.includes(operation)) expect([operation, body, answer.status]).toEqual([operation, body, 400])
      }
    }
  })
})

// rule: limits 1
test('every operation of the document answers 429 rate_limited above the limit, whatever is wrong with it beside', async () => {
  const gateway = await startTestGateway({ settings: { RATE_LIMIT_PER_KEY: '1' } })
  try {
    const account = await gateway.account()
    await gateway.call('GET', '/v1/channels', { key: account.live })
    const told = await callAll(gateway, { key: account.live })
    expect(codes(told)).toEqual(all(gateway, '429 rate_limited'))
  } finally {
    await gateway.close()
  }
})

// rule: limits 4. Every call of a test is checked for these headers (support/caller.ts), and here nobody could be told by the key.
test('every operation of the document answers 500 internal_error while the database is away, and works again after', async () => {
  const proxies: LossyConnection[] = []
  const through = async (connection: TestDatabase['connection']) => {
    const lossy = await lossyConnection(connection)
    proxies.push(lossy)
    return lossy.connection
  }
  const gateway = await startTestGateway({ through, settings: { ROLES: 'api' } })
  try {
    const account = await gateway.account()
    const channels = () => gateway.call('GET', '/v1/channels', { key: account.live })
    await channels()
    for (const lossy of proxies) lossy.cut()
    expect(codes(await callAll(gateway, { key: account.live }))).toEqual(all(gateway, '500 internal_error'))
    for (const lossy of proxies) lossy.heal()
    expect((await channels()).status).toBe(200)
  } finally {
    await gateway.close()
    for (const lossy of proxies) await lossy.close()
  }
})
