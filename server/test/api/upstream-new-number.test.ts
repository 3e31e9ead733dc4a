import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
})
afterAll(() => gateway.close())

type Numbers = { before: string; after: string }
type Shape = (numbers: Numbers) => { from?: unknown; system: object; more?: object; contacts?: unknown }

const tell = async ({ from, system, more, contacts }: ReturnType<Shape>) => {
  const message = {
    from,
    id: `wamid.MOVE${Math.random()}`,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    type: 'system',
    system,
    ...more,
  }
  const metadata = { display_phone_number: '0', phone_number_id: account.channel.phoneNumberId }
  const value = { messaging_product: 'whatsapp', metadata, ...(contacts === undefined ? {} : { contacts }), messages: [message] }
  const body = { object: 'whatsapp_business_account', entry: [{ id: account.channel.wabaId, changes: [{ field: 'messages', value }] }] }
  const [told] = await gateway.simulator.postNotice(body)
  expect(told?.status).toBe(200)
  await gateway.noticesWorked()
}

const shapes: [what: string, shape: Shape][] = [
  ['as a text', ({ before, after }) => ({ from: before, system: { wa_id: after, type: 'user_changed_number' } })],
  ['as a number', ({ before, after }) => ({ from: before, system: { wa_id: Number(after), type: 'user_changed_number' } })],
  ['both as numbers', ({ before, after }) => ({ from: Number(before), system: { wa_id: Number(after), type: 'user_changed_number' } })],
  [
    'with contacts, all as numbers',
    ({ before, after }) => ({
      from: Number(before),
      system: { wa_id: Number(after), type: 'user_changed_number' },
      contacts: [{ wa_id: Number(before), profile: { name: 'Ana' } }],
    }),
  ],
  [
    'with contacts, as a text',
    ({ before, after }) => ({
      from: before,
      system: { wa_id: after, type: 'user_changed_number' },
      contacts: [{ wa_id: before, profile: { name: 'Ana' } }],
    }),
  ],
  [
    'in the older place, as a number',
    ({ before, after }) => ({ from: before, system: { wa_id: before, new_wa_id: Number(after), type: 'customer_changed_number' } }),
  ],
  [
    'of the older kind in the newer place, as a text',
    ({ before, after }) => ({ from: before, system: { wa_id: after, type: 'customer_changed_number' } }),
  ],
  [
    'with a new user id, as a number',
    ({ before, after }) => ({
      from: before,
      system: { wa_id: Number(after), user_id: `BR.9${after}`, previous_user_id: `BR.8${after}`, type: 'user_changed_user_id' },
      more: { from_user_id: `BR.8${after}` },
    }),
  ],
  [
    'without a time',
    ({ before, after }) => ({ from: before, system: { wa_id: Number(after), type: 'user_changed_number' }, more: { timestamp: null } }),
  ],
]

// rule: people 5
describe('a new number of a person that upstream tells', () => {
  test.each(shapes)('%s: opt-out, window and old messages follow to it', async (_what, shape) => {
    const [before, after] = [gateway.newPerson(), gateway.newPerson()]
    const wamid = await gateway.letWrite(account, before, { text: 'before' })
    await gateway.call('POST', '/v1/marketing-opt-outs', { key: account.live, body: { phone: before } })
    await tell(shape({ before, after }))
    const optOuts = await gateway.call('GET', '/v1/marketing-opt-outs', { key: account.live, query: { limit: 100 } })
    const phones = optOuts.body.data.map((each: { phone: string }) => each.phone)
    expect([phones.includes(after), phones.includes(before)]).toEqual([true, false])
    expect((await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(after) })).status).toBe(202)
    const { body } = await gateway.call('GET', '/v1/messages', { key: account.live, query: { phone: after, limit: 100 } })
    expect(body.data.map((each: { wamid: string | null }) => each.wamid)).toContain(wamid)
  })
})
