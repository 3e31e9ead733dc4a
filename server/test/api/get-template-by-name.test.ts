import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { disconnectChannel } from '../../src/features/channels/public.ts'
import { done, makeKey, type TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { addNumberOfSameWaba, rememberedCategory } from '../support/templates.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())
beforeEach(async () => {
  account = await gateway.account()
})

const get = (name: string, query: Record<string, string> = {}, key: string | null = account.live) =>
  gateway.call('GET', `/v1/templates/${name}`, { key, query })
const add = (name: string, more: object = {}) => gateway.simulator.addTemplate(account.channel.wabaId, { name, language: 'pt_BR', ...more })
const refusal = ({ status, body }: Awaited<ReturnType<typeof get>>) => [status, body.error.code]

describe('200', () => {
  // rule: templates 2
  test('with all languages of exactly this name, though upstream’s filter finds more', async () => {
    const languages = ['pt_BR', 'en_US', 'es']
    const ids = languages.map((language) => add('aviso', { language }).id)
    for (const name of ['aviso_geral', 'novo_aviso']) add(name)
    const { status, body } = await get('aviso')
    expect([status, body.object, body.has_more]).toEqual([200, 'list', false])
    expect(body.data.map((each: { id: string; name: string; language: string }) => [each.id, each.name, each.language])).toEqual(
      languages.map((language, i) => [ids[i], 'aviso', language]),
    )
    expect(body.data[0]).toMatchObject({ object: 'template', sub_category: null, parameter_format: 'POSITIONAL', components: [{}] })
  })

  test('from every page that upstream gives', async () => {
    add('longe', { language: 'es' })
    for (let i = 0; i < 60; i += 1) add(`longe_${i}`)
    add('longe', { language: 'en_US' })
    expect((await get('longe')).body.data).toHaveLength(2)
  })

  test('also when upstream calls a cursor stale on the way', async () => {
    for (let i = 0; i < 30; i += 1) add(`velho_${i}`)
    add('velho', { language: 'en_US' })
    const match = { call: 'templates-list' as const, id: account.channel.wabaId }
    gateway.simulator.addFaults({ match, after: 1, fault: { kind: 'graph-error', code: 131059 } })
    expect((await get('velho')).body.data).toHaveLength(1)
    gateway.simulator.addFaults({ match, after: 1, times: 'always', fault: { kind: 'graph-error', code: 131059 } })
    expect((await get('velho')).status).toBe(502)
    gateway.simulator.clearFaults()
  })

  // rule: authentication 3
  test('with a test key, and of the channel that is named', async () => {
    account = await gateway.account({ channels: 2 })
    add('meu')
    expect((await get('meu', { channel_id: account.channel.id }, account.test)).status).toBe(200)
    expect(refusal(await get('meu', { channel_id: account.channels[1]?.id ?? '' }))).toEqual([404, 'not_found'])
  })

  test('with several numbers of one business account', async () => {
    await addNumberOfSameWaba(gateway, account)
    expect((await get('hello_world')).status).toBe(200)
  })

  // rule: templates 6
  test('and its category is remembered', async () => {
    add('promo', { category: 'MARKETING' })
    await get('promo')
    expect(await rememberedCategory(gateway, account, 'promo')).toBe('MARKETING')
  })
})

test('400 invalid_request for a field that is not known, or a channel_id that is none', async () => {
  for (const [field, query] of [
    ['language', { language: 'pt_BR' }],
    ['channel_id', { channel_id: 'x' }],
  ] as const) {
    const { status, body } = await get('hello_world', query as Record<string, string>)
    expect([status, body.error.details[0].field]).toEqual([400, field])
  }
})

test('401 without a key, 403 without the scope', async () => {
  expect((await get('hello_world', {}, null)).status).toBe(401)
  const other = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['templates:write'] })
  expect(refusal(await get('hello_world', {}, other.secret))).toEqual([403, 'forbidden'])
})

describe('404 not_found', () => {
  test.each(['nada', 'order', 'order_updat', 'Hello_World', 'hello%20world', 'a'.repeat(512), 'a'.repeat(513), 'a'.repeat(700)])(
    'for the name %s',
    async (name) => {
      expect(refusal(await get(name))).toEqual([404, 'not_found'])
    },
  )

  test('for a template of another account, and for a channel that is not there', async () => {
    const other = await gateway.account()
    gateway.simulator.addTemplate(other.channel.wabaId, { name: 'dela', language: 'pt_BR' })
    expect(refusal(await get('dela'))).toEqual([404, 'not_found'])
    expect(refusal(await get('dela', { channel_id: other.channel.id }))).toEqual([404, 'not_found'])
  })
})

test('409 channel_not_connected without a connected number', async () => {
  done(await disconnectChannel(gateway.deps, account.channel.uuid))
  expect(refusal(await get('hello_world'))).toEqual([409, 'channel_not_connected'])
  expect(refusal(await get('hello_world', {}, account.test))).toEqual([409, 'channel_not_connected'])
})

test('422 channel_ambiguous with several business accounts and none named', async () => {
  account = await gateway.account({ channels: 2 })
  expect(refusal(await get('hello_world'))).toEqual([422, 'channel_ambiguous'])
})

// rule: templates 4
test('502 meta_error when upstream refuses, and when it is away in the middle of the pages', async () => {
  for (let i = 0; i < 30; i += 1) add(`hello_world_${i}`)
  const match = { call: 'templates-list' as const, id: account.channel.wabaId }
  gateway.simulator.addFaults({ match, fault: { kind: 'graph-error', code: 10 } })
  const refused = await get('hello_world')
  expect([...refusal(refused), refused.body.error.details[0].code]).toEqual([502, 'meta_error', 10])
  gateway.simulator.addFaults({ match, after: 1, fault: { kind: 'drop' } })
  expect(refusal(await get('hello_world'))).toEqual([502, 'meta_error'])
  expect((await get('hello_world')).status).toBe(200)
})
