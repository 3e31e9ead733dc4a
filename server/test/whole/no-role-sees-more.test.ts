import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalReceiver, localReceiver } from '../../src/features/webhooks/local-receiver.ts'
import type { TestAccount } from '../support/accounts.ts'
import type { Method } from '../support/caller.ts'
import type { Document } from '../support/contract.ts'
import { recordOf } from '../support/deliveries.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type ConsoleCaller, signedIn } from '../support/people-of-console.ts'

// What only some roles may read is looked for in every answer of the console that the others get: a new operation is tried without being named.

const canary = 'canary-token-of-the-url'
let gateway: TestGateway
let account: TestAccount
let receiver: LocalReceiver
let ids: Record<string, string>
let secrets: readonly string[]
let operations: readonly { method: Method; path: string; body: unknown }[]

beforeAll(async () => {
  gateway = await startTestGateway()
  receiver = await localReceiver()
  account = await gateway.account()
  const path = `/${canary}?token=${canary}`
  receiver.answer(`/${canary}`, 503)
  const url = receiver.urlOf(path)
  const made = await gateway.call('POST', '/v1/webhooks', { key: account.live, body: { url, events: ['*'] } })
  expect([made.status, made.body.url]).toEqual([201, expect.stringContaining(canary)])
  await gateway.letWrite(account, gateway.newPerson())
  const record = await recordOf(gateway, account, made.body.id, (each) => each.attempts.length === 1)
  secrets = [canary, made.body.secret, account.live, account.test]
  const { body } = await (await person('owner')).onAccount('GET', '/conversations')
  ids = {
    id: record.payload.data.id,
    conversation: body.data[0].id,
    webhook: made.body.id,
    channel: account.channel.id,
    delivery_id: record.id,
  }
  operations = await operationsOfConsole()
})
afterAll(async () => {
  await gateway.close()
  await receiver.close()
})

const person = (role: 'owner' | 'agent' | 'viewer'): Promise<ConsoleCaller> => signedIn(gateway, { accountId: account.uuid, role })

async function operationsOfConsole() {
  const document: Document = JSON.parse(await readFile(new URL('../../../contract/console.json', import.meta.url), 'utf8'))
  return Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods)
      // A stream, which shows ids only; and what would end the session, or the membership, that asks.
      .filter(([, { operationId }]) => !['followLive', 'signOut', 'removeMember', 'endOtherSessions'].includes(operationId))
      .map(([method, operation]) => ({ method: method.toUpperCase() as Method, path, body: exampleIn(operation) })),
  )
}

function exampleIn({ requestBody }: Document): unknown {
  const media = requestBody?.content['application/json']
  return media?.example ?? (Object.values<Document>(media?.examples ?? {})[0]?.value as unknown)
}

/** The path with every id of the world that may stand in it. */
function pathsOf(path: string): string[] {
  const own = [ids.id, ids.conversation, ids.webhook, ids.channel].map((id) => path.replace('{id}', String(id)))
  const filled = own.map((each) => each.replace('{delivery_id}', String(ids.delivery_id)).replaceAll(/\{[^}]+\}/g, 'x'))
  return [...new Set(filled)]
}

/** What the console answers this person, whatever they call. */
async function everythingTold(by: ConsoleCaller): Promise<{ path: string; status: number; text: string }[]> {
  const told = []
  for (const { method, path, body } of operations) {
    for (const each of pathsOf(path)) {
      const given = method === 'GET' || body === undefined ? {} : { body }
      const onAccount = each.startsWith('/account/')
      const answer = await (onAccount ? by.onAccount(method, each.slice('/account'.length), given) : by.call(method, each, given))
      told.push({ path: `${method} ${each}`, status: answer.status, text: answer.text })
    }
  }
  return told
}

test('no answer of the console shows a viewer or an agent the address, the secret or a key of a webhook or an account', async () => {
  for (const role of ['viewer', 'agent'] as const) {
    const told = await everythingTold(await person(role))
    expect(told.filter((each) => each.status === 200).length).toBeGreaterThan(15)
    expect(told.filter(({ text }) => secrets.some((secret) => text.includes(secret))).map((each) => [role, each.path])).toEqual([])
  }
})

test('who may change webhooks sees the whole address in the timeline, the others where it leads', async () => {
  const urlSeenBy = async (role: 'owner' | 'agent' | 'viewer') => {
    const { body } = await (await person(role)).onAccount('GET', `/messages/${ids.id}/timeline`)
    return body.entries.flatMap((each: { deliveries?: { url: string }[] }) => each.deliveries ?? [])[0].url
  }
  const { origin } = new URL(receiver.urlOf('/'))
  expect([await urlSeenBy('owner'), await urlSeenBy('agent'), await urlSeenBy('viewer')]).toEqual([
    expect.stringContaining(canary),
    origin,
    origin,
  ])
})
