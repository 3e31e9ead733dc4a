import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setOptOutWords } from '../../src/features/accounts/public.ts'
import { done, type TestAccount } from '../support/accounts.ts'
import type { TestEvents } from '../support/events.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { exactly, makeSharedWaba, type SharedWaba } from '../support/shared-waba.ts'
import { textTo } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
let events: TestEvents
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())
beforeEach(async () => {
  gateway.simulator.clearFaults()
  account = await gateway.account()
  events = await gateway.events(account)
})

const kind = 'contact.marketing_preference_updated'
const optOutsOf = async (key: string) =>
  (await gateway.call('GET', '/v1/marketing-opt-outs', { key })).body.data.map(
    ({ phone, source, livemode }: { phone: string; source: string; livemode: boolean }) => [phone, source, livemode],
  )
const now = () => Math.floor(Date.now() / 1_000)
const said = (person: string, value: string, timestamp: number | string, more: object = {}) => ({
  ...{ wa_id: person, detail: 'As the person chose', category: 'marketing_messages', value, timestamp },
  ...more,
})
const preferences = (items: readonly object[], { phoneNumberId, wabaId } = account.channel, contacts: readonly object[] = []) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: wabaId,
      changes: [
        {
          field: 'user_preferences',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '0', phone_number_id: phoneNumberId },
            contacts,
            user_preferences: items,
          },
        },
      ],
    },
  ],
})
const tell = async (body: unknown) => {
  const [told] = await gateway.simulator.postNotice(body)
  expect(told?.status).toBe(200)
  await gateway.noticesWorked()
}
const toldOf = async (of = account) =>
  gateway.deps.database.all<{ type: string }>({
    compile: () => ({ sql: 'select type from event where account_id = $1 and type = $2', parameters: [of.uuid, kind] }) as never,
  })

// rule: changes 5, opt-outs 4
describe('what a person chooses by upstream’s own control', () => {
  let world: SharedWaba
  beforeEach(async () => {
    world = await makeSharedWaba(gateway)
  })

  test('is told to the account of the number alone, whole, and opts the person out or in; repeated it tells nothing', async () => {
    const stop = world.fixture('user-preferences-stop')
    await world.post(stop)
    await world.post(stop)
    expect(await world.told()).toEqual({ first: [kind], second: [], stranger: [] })
    const event = await world.event('first')
    expect(event).toMatchObject({ type: kind, livemode: true })
    expect(event.raw).toContain(`"data":{"meta":${exactly(stop)}}}`)
    expect(await optOutsOf(world.first.live)).toEqual([['15550107712', 'person', true]])
    expect(await optOutsOf(world.first.test)).toEqual([])
    await world.post(stop.replace('"stop"', '"resume"').replace(String(world.second0 + 600), String(world.second0 + 700)))
    expect(await optOutsOf(world.first.live)).toEqual([])
    expect((await world.told()).first).toEqual([kind, kind])
  })

  test('to resume of one who never stopped is told too', async () => {
    await world.post(world.fixture('user-preferences-resume'))
    expect((await world.told()).first).toEqual([kind])
    expect(await optOutsOf(world.first.live)).toEqual([])
  })
})

describe('of several people in one notice', () => {
  test('each has an event that tells of nobody else; one that cannot be read is set aside', async () => {
    const [a, b, c] = [gateway.newPerson(), gateway.newPerson(), gateway.newPerson()]
    const contacts = [a, b, c].map((each) => ({ wa_id: each, profile: { name: `P${each}` } }))
    const items = [said(a, 'stop', now()), said(b, 'perhaps', now()), said(c, 'stop', String(now()))]
    await tell(preferences(items, account.channel, contacts))
    const first = await events.until((event) => event.raw.includes(`"wa_id":"${a}"`))
    expect(first.raw).not.toMatch(new RegExp(`${b}|${c}`))
    expect(first.data.meta.entry[0].changes[0].value).toMatchObject({ contacts: [contacts[0]], user_preferences: [items[0]] })
    const last = await events.until((event) => event.raw.includes(`"wa_id":"${c}"`))
    expect(last.raw).not.toMatch(new RegExp(`${a}|${b}`))
    expect((await optOutsOf(account.live)).map(([phone]: string[]) => phone)).toEqual([a, c].toSorted())
    const aside = await gateway.deps.database.all<{ reason: string }>({
      compile: () =>
        ({
          sql: "select reason from notice_set_aside where field = 'preference' and convert_from(body, 'UTF8') like $1",
          parameters: [`%${b}%`],
        }) as never,
    })
    expect(aside).toEqual([{ reason: 'it says neither stop nor resume' }])
  })

  test('another category than marketing is passed over', async () => {
    await tell(preferences([said(gateway.newPerson(), 'stop', now(), { category: 'newsletters' })]))
    expect(await toldOf()).toEqual([])
    expect(await optOutsOf(account.live)).toEqual([])
  })

  test('a number that is not connected here sets it aside, and a person known by user id alone counts', async () => {
    const userId = 'BR.88880000911557'
    const person = gateway.newPerson()
    await tell(preferences([said(person, 'stop', now())], { ...account.channel, phoneNumberId: '40404' }))
    const noPhone = { category: 'marketing_messages', value: 'stop', timestamp: now(), user_id: userId }
    await tell(preferences([noPhone]))
    const { body } = await gateway.call('GET', '/v1/marketing-opt-outs', { key: account.live })
    expect(body.data).toMatchObject([{ phone: '', user_id: userId, source: 'person' }])
    const aside = await gateway.deps.database.all({
      compile: () =>
        ({ sql: "select 1 from notice_set_aside where convert_from(body, 'UTF8') like $1", parameters: [`%${person}%`] }) as never,
    })
    expect(aside).toHaveLength(1)
  })
})

// rule: opt-outs 4
describe('what was said last counts', () => {
  test('a stop that comes after a resume that was said later is told, and does not opt out', async () => {
    const person = gateway.newPerson()
    await tell(preferences([said(person, 'resume', now() - 10)]))
    await tell(preferences([said(person, 'stop', now() - 60)]))
    expect(await toldOf()).toHaveLength(2)
    expect(await optOutsOf(account.live)).toEqual([])
  })

  test('a resume that was said before a call opted the person out does not lift that', async () => {
    const person = gateway.newPerson()
    await gateway.call('POST', '/v1/marketing-opt-outs', { key: account.live, body: { phone: person } })
    await tell(preferences([said(person, 'resume', now() - 60)]))
    expect(await optOutsOf(account.live)).toEqual([[person, 'api', true]])
  })

  test('a stop that was said before a call lifted the opt-out does not opt out again; one that was said after it does', async () => {
    const person = gateway.newPerson()
    await tell(preferences([said(person, 'stop', now() - 100)]))
    expect((await gateway.call('DELETE', `/v1/marketing-opt-outs/${person}`, { key: account.live })).status).toBe(200)
    await tell(preferences([said(person, 'stop', now() - 90)]))
    expect(await optOutsOf(account.live)).toEqual([])
    await tell(preferences([said(person, 'stop', now() + 60)]))
    expect(await optOutsOf(account.live)).toEqual([[person, 'person', true]])
  })

  // rule: opt-outs 7
  test('under every name of people who turn out to be one, and what is repeated after that tells nothing', async () => {
    const [person, userId] = [gateway.newPerson(), 'BR.88880000911999']
    const byId = { category: 'marketing_messages', value: 'stop', timestamp: now() - 100, user_id: userId }
    await tell(preferences([byId]))
    await tell(preferences([said(person, 'resume', now() - 50)]))
    await tell(preferences([said(person, 'resume', now() - 45, { user_id: userId })]))
    expect(await toldOf()).toHaveLength(3)
    await tell(preferences([byId]))
    expect(await toldOf()).toHaveLength(3)
    await tell(preferences([{ ...byId, timestamp: now() - 60 }]))
    expect(await toldOf()).toHaveLength(4)
    expect(await optOutsOf(account.live)).toEqual([])
  })

  test('a call that finds nothing to lift says nothing about what comes late', async () => {
    const person = gateway.newPerson()
    await gateway.letWrite(account, person)
    expect((await gateway.call('DELETE', `/v1/marketing-opt-outs/${person}`, { key: account.live })).status).toBe(404)
    await tell(preferences([said(person, 'stop', now() - 60)]))
    expect(await optOutsOf(account.live)).toEqual([[person, 'person', true]])
  })
})

// rule: opt-outs 6
describe('a send that upstream refuses because its person stopped marketing', () => {
  const send = async (person: string, key = account.live) => {
    const { body } = await gateway.call('POST', '/v1/messages', { key, body: textTo(person) })
    const failed = await events.of(body.id, 'message.failed')
    expect(failed.data.error.code).toBe(131050)
  }

  test('opts them out when a notice tells', async () => {
    const person = gateway.newPerson('131050')
    await gateway.letWrite(account, person)
    await send(person)
    expect(await optOutsOf(account.live)).toEqual([[person, 'upstream', true]])
    expect(await toldOf()).toEqual([])
  })

  test('opts them out when the answer tells', async () => {
    const person = gateway.newPerson()
    await gateway.letWrite(account, person)
    gateway.simulator.addFaults({ match: { to: person }, fault: { kind: 'graph-error', code: 131050, status: 400 } })
    await send(person)
    expect(await optOutsOf(account.live)).toEqual([[person, 'upstream', true]])
  })

  test('opts nobody out with a test key: the number fails the next time too', async () => {
    const person = gateway.newPerson('131050')
    await send(person, account.test)
    expect(await optOutsOf(account.test)).toEqual([])
    expect(await optOutsOf(account.live)).toEqual([])
  })

  test('opts nobody out who has resumed since', async () => {
    const person = gateway.newPerson('131050')
    await gateway.letWrite(account, person)
    await tell(preferences([said(person, 'resume', now() + 3_600)]))
    gateway.simulator.change({ statusHold: true })
    const { body } = await gateway.call('POST', '/v1/messages', { key: account.live, body: textTo(person) })
    await events.of(body.id, 'message.sent')
    await tell(preferences([said(person, 'resume', now() + 3_601)]))
    await gateway.simulator.releaseStatuses()
    gateway.simulator.change({ statusHold: false })
    await events.of(body.id, 'message.failed')
    expect(await optOutsOf(account.live)).toEqual([])
  })
})

// rule: opt-outs 5
describe('a word that opts out', () => {
  const words = (on: boolean) => setOptOutWords(gateway.deps, { id: account.uuid, on }).then(done)

  test('counts where the account lets it, is an ordinary message, and emits no event of its own', async () => {
    await words(true)
    const person = gateway.newPerson()
    const wamid = await gateway.letWrite(account, person, { text: ' Não quero receber. ' })
    expect(await optOutsOf(account.live)).toEqual([[person, 'keyword', true]])
    const message = await events.until((event) => event.data.wamid === wamid)
    expect(message).toMatchObject({ type: 'message.received', data: { text: ' Não quero receber. ' } })
    expect(await toldOf()).toEqual([])
  })

  test('counts for nothing while the account does not', async () => {
    await gateway.letWrite(account, gateway.newPerson(), { text: 'PARAR' })
    await words(true)
    await words(false)
    await gateway.letWrite(account, gateway.newPerson(), { text: 'PARAR' })
    expect(await optOutsOf(account.live)).toEqual([])
  })

  test('counts as of when it was written: a later resume by the control stands', async () => {
    await words(true)
    const person = gateway.newPerson()
    await tell(preferences([said(person, 'resume', now())]))
    await gateway.letWrite(account, person, { text: 'sair', timestamp: String(now() - 60) })
    expect(await optOutsOf(account.live)).toEqual([])
    await gateway.letWrite(account, person, { text: 'sair', timestamp: String(now() + 5) })
    expect(await optOutsOf(account.live)).toEqual([[person, 'keyword', true]])
  })

  test('inside a longer message is no word', async () => {
    await words(true)
    await gateway.letWrite(account, gateway.newPerson(), { text: 'Pode parar na minha casa?' })
    expect(await optOutsOf(account.live)).toEqual([])
  })
})
