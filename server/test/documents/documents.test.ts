import { afterAll, beforeAll, expect, test } from 'vitest'
import { testModeText } from '../../src/features/messages/public.ts'
import type { TestDatabase } from '../support/database.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type LossyConnection, lossyConnection } from '../support/lossy-connection.ts'
import { errorsDocument } from './errors.ts'
import { eventsDocument } from './events.ts'

// `npm run docs` runs this file with -u, which writes what is compared here.
const file = (name: string) => new URL(`../../../docs/${name}`, import.meta.url).pathname

const proxies: LossyConnection[] = []
let gateway: TestGateway
beforeAll(async () => {
  const through = async (connection: TestDatabase['connection']) => {
    const lossy = await lossyConnection(connection)
    proxies.push(lossy)
    return lossy.connection
  }
  gateway = await startTestGateway({ through })
})
afterAll(async () => {
  await gateway.close()
  for (const lossy of proxies) await lossy.close()
})

test('docs/events.md shows each kind of event that is told, as it is told (else: npm run docs)', async () => {
  const account = await gateway.account()
  const events = await gateway.events(account)
  await expect(await eventsDocument({ gateway, account, events })).toMatchFileSnapshot(file('events.md'))
})

test('docs/test-mode.md has every number that means something to a test key (else: npm run docs)', async () => {
  const head =
    '# Test mode\n\nThe same text stands in the contract, and so in `/docs`. Written by `npm run docs` from `test-number.ts`: change that, not this file.'
  await expect(`${head}\n\n${testModeText()}\n`).toMatchFileSnapshot(file('test-mode.md'))
})

test('docs/errors.md shows each error, as it is answered (else: npm run docs)', async () => {
  const account = await gateway.account()
  const person = gateway.newPerson()
  await gateway.letWrite(account, person)
  const whileAway = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    for (const lossy of proxies) lossy.cut()
    const done = await work()
    for (const lossy of proxies) lossy.heal()
    const { status } = await gateway.call('GET', '/v1/channels', { key: account.live })
    expect(status).toBe(200)
    return done
  }
  await expect(await errorsDocument({ gateway, account, person, whileAway })).toMatchFileSnapshot(file('errors.md'))
})
