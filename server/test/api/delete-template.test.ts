import type { GraphCall } from '@pombo/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { disconnectChannel } from '../../src/features/channels/public.ts'
import { done, makeKey, type TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { rememberedCategory } from '../support/templates.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())
beforeEach(async () => {
  account = await gateway.account()
})

const remove = (name: string, query: Record<string, string> = {}, key: string | null = account.live) =>
  gateway.call('DELETE', `/v1/templates/${name}`, { key, query })
const add = (name: string, more: object = {}) => gateway.simulator.addTemplate(account.channel.wabaId, { name, language: 'pt_BR', ...more })
const languagesOf = (name: string) =>
  gateway.simulator
    .templates(account.channel.wabaId)
    .filter((each) => each.name === name)
    .map((each) => each.language)
const refusal = ({ status, body }: Awaited<ReturnType<typeof remove>>) => [status, body.error.code]

describe('200', () => {
  test('and the template is gone in all languages, and others are not', async () => {
    for (const language of ['pt_BR', 'en_US']) add('velho', { language })
    add('velho_dois')
    const { status, body } = await remove('velho')
    expect([status, body]).toEqual([200, { deleted: true, name: 'velho' }])
    expect([languagesOf('velho'), languagesOf('velho_dois')]).toEqual([[], ['pt_BR']])
    expect((await gateway.call('GET', '/v1/templates/velho', { key: account.live })).status).toBe(404)
  })

  test('and with hsm_id only that language is gone', async () => {
    const { id } = add('bilingue')
    add('bilingue', { language: 'en_US' })
    expect((await remove('bilingue', { hsm_id: id })).body).toEqual({ deleted: true, name: 'bilingue' })
    expect(languagesOf('bilingue')).toEqual(['en_US'])
  })

  test('from the business account of the channel that is named', async () => {
    account = await gateway.account({ channels: 2 })
    add('meu')
    expect((await remove('meu', { channel_id: account.channels[1]?.id ?? '' })).status).toBe(404)
    expect((await remove('meu', { channel_id: account.channel.id })).status).toBe(200)
  })

  // rule: templates 4
  test('when upstream gave no clear answer and the template is gone', async () => {
    for (const fault of [{ kind: 'accept-then-reset' }, { kind: 'html', accepted: true }] as const) {
      add('incerto')
      gateway.simulator.addFaults({ match: { call: 'template-delete', id: account.channel.wabaId }, fault })
      expect((await remove('incerto')).body).toEqual({ deleted: true, name: 'incerto' })
      expect(languagesOf('incerto')).toEqual([])
    }
  })

  // rule: templates 6
  test('and what was known of its category is forgotten', async () => {
    add('promo', { category: 'MARKETING' })
    await gateway.call('GET', '/v1/templates/promo', { key: account.live })
    expect(await rememberedCategory(gateway, account, 'promo')).toBe('MARKETING')
    await remove('promo')
    expect(await rememberedCategory(gateway, account, 'promo')).toBeUndefined()
  })
})

test('400 invalid_request for an empty hsm_id, a field that is not known, a channel_id that is none', async () => {
  add('fica')
  for (const [field, query] of [
    ['hsm_id', { hsm_id: '' }],
    ['language', { language: 'pt_BR' }],
    ['channel_id', { channel_id: 'x' }],
  ] as const) {
    const { status, body } = await remove('fica', query as unknown as Record<string, string>)
    expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', field])
  }
  expect(languagesOf('fica')).toEqual(['pt_BR'])
})

test('401 without a key, 403 with a test key and without the scope', async () => {
  add('fica')
  expect((await remove('fica', {}, null)).status).toBe(401)
  expect(refusal(await remove('fica', {}, account.test))).toEqual([403, 'forbidden'])
  const other = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['templates:read'] })
  expect(refusal(await remove('fica', {}, other.secret))).toEqual([403, 'forbidden'])
  expect(languagesOf('fica')).toEqual(['pt_BR'])
})

// rule: templates 4
describe('404 not_found', () => {
  test.each(['nada', 'order', 'Hello_World', 'a'.repeat(513)])('for the name %s', async (name) => {
    expect(refusal(await remove(name))).toEqual([404, 'not_found'])
    expect(languagesOf('order_update')).toHaveLength(2)
  })

  test('the second time, for an hsm_id that is not of this name, and for a channel that is not there', async () => {
    add('uma')
    const other = add('outra')
    expect(refusal(await remove('uma', { hsm_id: other.id }))).toEqual([404, 'not_found'])
    expect(refusal(await remove('uma', { channel_id: `ch_${'0'.repeat(32)}` }))).toEqual([404, 'not_found'])
    expect((await remove('uma')).status).toBe(200)
    expect(refusal(await remove('uma'))).toEqual([404, 'not_found'])
  })

  test('for a template of another account', async () => {
    const other = await gateway.account()
    gateway.simulator.addTemplate(other.channel.wabaId, { name: 'dela', language: 'pt_BR' })
    expect(refusal(await remove('dela'))).toEqual([404, 'not_found'])
  })
})

test('409 channel_not_connected without a connected number', async () => {
  done(await disconnectChannel(gateway.deps, account.channel.uuid))
  expect(refusal(await remove('hello_world'))).toEqual([409, 'channel_not_connected'])
})

test('422 channel_ambiguous with several business accounts and none named', async () => {
  account = await gateway.account({ channels: 2 })
  expect(refusal(await remove('hello_world'))).toEqual([422, 'channel_ambiguous'])
})

// rule: templates 4
describe('502 meta_error', () => {
  const fail = (call: GraphCall, fault: { kind: 'drop' } | { kind: 'graph-error'; code: number }) =>
    gateway.simulator.addFaults({ match: { call, id: account.channel.wabaId }, fault })

  test('for a template that upstream will not delete: it is there', async () => {
    add('morto', { status: 'DISABLED' })
    const { status, body } = await remove('morto')
    expect([status, body.error.code, body.error.details[0].code]).toEqual([502, 'meta_error', 100])
  })

  test('when upstream refuses, and cannot be asked whether the template is there', async () => {
    fail('template-delete', { kind: 'graph-error', code: 80008 })
    fail('templates-list', { kind: 'drop' })
    const { status, body } = await remove('hello_world')
    expect([status, body.error.details[0].code]).toEqual([502, 80008])
  })

  test('when upstream is away', async () => {
    fail('template-delete', { kind: 'drop' })
    expect(refusal(await remove('hello_world'))).toEqual([502, 'meta_error'])
    expect(languagesOf('hello_world')).toEqual(['en_US'])
  })
})
