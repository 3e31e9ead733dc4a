import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import type { TestEvents } from '../support/events.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
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

const add = (name: string, more: { category?: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'; status?: string } = {}) =>
  gateway.simulator.addTemplate(account.channel.wabaId, { name, language: 'pt_BR', ...more })
const templateTo = (to: string, name: string, language: unknown = 'pt_BR') => ({ to, type: 'template', template: { name, language } })
const send = (body: unknown, key = account.live) => gateway.call('POST', '/v1/messages', { key, body })
const optOut = (phone: string, key = account.live) => gateway.call('POST', '/v1/marketing-opt-outs', { key, body: { phone } })
const outcome = async (body: unknown, key?: string) => {
  const answer = await send(body, key)
  return answer.status === 202 ? 202 : [answer.status, answer.body.error.code]
}
const refused = [422, 'recipient_opted_out']

// rule: send 9
describe('422 recipient_opted_out', () => {
  test('a marketing template to a person who has opted out; utility and authentication templates leave', async () => {
    const person = gateway.newPerson()
    add('oferta', { category: 'MARKETING' })
    add('entrega', { category: 'UTILITY' })
    add('codigo', { category: 'AUTHENTICATION' })
    expect(await outcome(templateTo(person, 'oferta'))).toBe(202)
    await optOut(person)
    expect(await outcome(templateTo(person, 'oferta'))).toEqual(refused)
    expect(await outcome(templateTo(person, 'oferta', { code: 'pt_BR' }))).toEqual(refused)
    expect(await outcome(templateTo(person, 'entrega'))).toBe(202)
    expect(await outcome(templateTo(person, 'codigo'))).toBe(202)
    expect(await outcome(templateTo(gateway.newPerson(), 'oferta'))).toBe(202)
  })

  test('whatever spelling of the phone is dialled; after it was lifted the template leaves', async () => {
    const ninth = '5511912340001'
    add('oferta', { category: 'MARKETING' })
    await optOut(ninth)
    expect(await outcome(templateTo('+55 11 1234-0001', 'oferta'))).toBe(202)
    expect(await outcome(templateTo('+55 (11) 91234-0001', 'oferta'))).toEqual(refused)
    await gateway.call('DELETE', `/v1/marketing-opt-outs/${ninth}`, { key: account.live })
    expect(await outcome(templateTo(ninth, 'oferta'))).toBe(202)
  })

  test('everything but a template still goes to them', async () => {
    const person = gateway.newPerson()
    await gateway.letWrite(account, person)
    await optOut(person)
    expect(await outcome(textTo(person))).toBe(202)
  })

  test('a category that upstream does not tell now: refused, and sent once it tells', async () => {
    const person = gateway.newPerson()
    await optOut(person)
    add('entrega', { category: 'UTILITY' })
    const match = { call: 'templates-list' as const, id: account.channel.wabaId }
    gateway.simulator.addFaults({ match, fault: { kind: 'graph-error', code: 80008 } })
    expect(await outcome(templateTo(person, 'entrega'))).toEqual(refused)
    const other = add('aviso', { category: 'UTILITY' })
    expect(other.category).toBe('UTILITY')
    expect(await outcome(templateTo(person, 'aviso'))).toBe(202)
  })

  // rule: templates 7
  test('a template that upstream has made marketing since our last look of the same second, and not once it is something else again', async () => {
    const person = gateway.newPerson()
    await optOut(person)
    const change = async (category: 'MARKETING' | 'UTILITY', at: number) => {
      const value = { message_template_name: 'aviso', message_template_language: 'pt_BR', new_category: category }
      const time = Math.floor(at / 1_000)
      await gateway.simulator.postNotice({
        object: 'whatsapp_business_account',
        entry: [{ id: account.channel.wabaId, time, changes: [{ field: 'template_category_update', value }] }],
      })
      await gateway.noticesWorked()
    }
    // The simulator's own: upstream changes it.
    const template = add('aviso', { category: 'UTILITY' }) as { category: string }
    const began = Date.now()
    expect(await outcome(templateTo(person, 'aviso'))).toBe(202)
    Object.assign(template, { category: 'MARKETING' })
    await change('MARKETING', began)
    expect(await outcome(templateTo(person, 'aviso'))).toEqual(refused)
    Object.assign(template, { category: 'UTILITY' })
    await change('UTILITY', began + 1_000)
    expect(await outcome(templateTo(person, 'aviso'))).toBe(202)
  })

  test('a template that is not there might be marketing', async () => {
    const person = gateway.newPerson()
    await optOut(person)
    expect(await outcome(templateTo(person, 'que_nao_ha'))).toEqual(refused)
  })

  test('nobody asks upstream for the category of a template to a person who has not opted out', async () => {
    const before = gateway.simulator.calls.length
    add('oferta', { category: 'MARKETING' })
    expect(await outcome(templateTo(gateway.newPerson(), 'oferta'))).toBe(202)
    expect(gateway.simulator.calls.slice(before).filter((each) => each.call === 'templates-list')).toEqual([])
  })

  test('with a test key by the opt-outs of the test mode, which live sends do not know', async () => {
    const person = gateway.newPerson()
    add('oferta', { category: 'MARKETING' })
    await optOut(person, account.test)
    expect(await outcome(templateTo(person, 'oferta'), account.test)).toEqual(refused)
    expect(await outcome(templateTo(person, 'oferta'))).toBe(202)
  })
})

// rule: test 4
describe('a template of a test key', () => {
  const fate = async (name: string, language?: string) => {
    const { body } = await send(templateTo(gateway.newPerson(), name, language), account.test)
    const told = await events.until((event) => event.data.id === body.id && ['message.failed', 'message.read'].includes(event.type))
    return [told.data.status, told.data.error?.code ?? null, told.livemode]
  }

  test('that is approved is read; upstream hears nothing of the send', async () => {
    add('entrega')
    const before = gateway.simulator.sends.length
    expect(await fate('entrega')).toEqual(['read', null, false])
    expect(gateway.simulator.sends).toHaveLength(before)
  })

  test.each([
    ['that is not there', 'que_nao_ha', 'APPROVED', 132001],
    ['that waits for its review', 'em_analise', 'PENDING', 132001],
    ['that is paused', 'pausado', 'PAUSED', 132015],
    ['that is disabled', 'morto', 'DISABLED', 132016],
  ])('%s fails as it would live', async (_what, name, status, code) => {
    if (name !== 'que_nao_ha') add(name, { status })
    expect(await fate(name)).toEqual(['failed', code, false])
  })

  test('in a language that it does not have fails as it would live', async () => {
    add('entrega')
    expect(await fate('entrega', 'en_US')).toEqual(['failed', 132001, false])
  })
})
