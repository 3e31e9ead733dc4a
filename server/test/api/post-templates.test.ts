import type { Fault, GraphCall } from '@pombo/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { disconnectChannel } from '../../src/features/channels/public.ts'
import { done, makeKey, type TestAccount } from '../support/accounts.ts'
import { formOf } from '../support/forms.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { memberOf } from '../support/team.ts'
import { addNumberOfSameWaba, newTemplate, rememberedCategory } from '../support/templates.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())
beforeEach(async () => {
  account = await gateway.account()
})

const create = (body: unknown, key: string | null = account.live) => gateway.call('POST', '/v1/templates', { key, body })
const upstream = (name: string) => gateway.simulator.templates(account.channel.wabaId).filter((each) => each.name === name)
const refusal = ({ status, body }: Awaited<ReturnType<typeof create>>) => [status, body.error.code]
const fail = (call: GraphCall, fault: Fault) => gateway.simulator.addFaults({ match: { call, id: account.channel.wabaId }, fault })

describe('201', () => {
  test('with upstream’s id and status, and the template is there', async () => {
    const { status, body } = await create(newTemplate('novo'))
    const [made] = upstream('novo_pending')
    expect([status, body]).toEqual([
      201,
      { id: made?.id, object: 'template', status: 'PENDING', name: 'novo_pending', category: 'UTILITY' },
    ])
    expect(made).toMatchObject({ language: 'pt_BR', components: [{ type: 'BODY', text: 'Tudo certo.' }] })
  })

  test('with the category in which upstream put it, which is remembered', async () => {
    const { body } = await create(newTemplate('x', { name: 'oferta_marketing' }))
    expect(body.category).toBe('MARKETING')
    expect(await rememberedCategory(gateway, account, 'oferta_marketing')).toBe('MARKETING')
  })

  test('when upstream has approved or rejected it at once', async () => {
    expect((await create(newTemplate('x', { name: 'a_at_once' }))).body.status).toBe('APPROVED')
    expect((await create(newTemplate('x', { name: 'a_rejected_now' }))).body.status).toBe('REJECTED')
  })

  test('and fields that the gateway does not know go upstream, but channel_id does not', async () => {
    const more = { parameter_format: 'named', message_send_ttl_seconds: 600, channel_id: account.channel.id }
    const example = { body_text_named_params: [{ param_name: 'nome', example: 'Ana' }] }
    const components = [{ type: 'BODY', text: 'Oi, {{nome}}!', example }]
    expect((await create(newTemplate('nomes', { ...more, components }))).status).toBe(201)
    expect(upstream('nomes_pending')).toMatchObject([{ parameterFormat: 'NAMED', sendTtlSeconds: 600, components }])
  })

  test('at the limits: a name of 512 characters, 20 components', async () => {
    const components = [{ type: 'BODY', text: 'Oi.' }, ...Array.from({ length: 19 }, (_, i) => ({ type: `KIND_${i}` }))]
    expect((await create(newTemplate('x', { name: `${'a'.repeat(504)}_pending`, components }))).status).toBe(201)
  })

  // rule: templates 3
  test('into the business account that several numbers share, or of the channel that is named', async () => {
    await addNumberOfSameWaba(gateway, account)
    expect((await create(newTemplate('comum'))).status).toBe(201)
    account = await gateway.account({ channels: 2 })
    const second = account.channels[1]
    expect((await create(newTemplate('segundo', { channel_id: second?.id }))).status).toBe(201)
    expect(upstream('segundo_pending')).toEqual([])
    expect(gateway.simulator.templates(second?.wabaId ?? '').map((each) => each.name)).toContain('segundo_pending')
  })
})

// rule: templates 5
describe('a submission that upstream did not clearly answer', () => {
  test.each([
    ['accept-then-reset', { kind: 'accept-then-reset' }],
    ['half an answer', { kind: 'unreadable' }],
    ['a page of HTML', { kind: 'html', accepted: true }],
    ['an unclear code', { kind: 'graph-error', code: 131000, accepted: true }],
  ] as const)('is looked up and answered with what it made (%s)', async (_what, fault) => {
    fail('template-create', fault)
    const { status, body } = await create(newTemplate('incerto'))
    expect([status, body.id]).toEqual([201, upstream('incerto_pending')[0]?.id])
  })

  test('is found by the same submission again, where upstream only says that it is already there', async () => {
    fail('template-create', { kind: 'accept-then-reset' })
    fail('templates-list', { kind: 'drop' })
    expect(refusal(await create(newTemplate('depois')))).toEqual([502, 'meta_error'])
    const { status, body } = await create(newTemplate('depois'))
    expect([status, body.id]).toEqual([201, upstream('depois_pending')[0]?.id])
    // Settled now: from here on it is what it is, a second one.
    expect(refusal(await create(newTemplate('depois')))).toEqual([502, 'meta_error'])
  })

  test('is not mistaken for another one with its name: neither what was there before, nor another body', async () => {
    gateway.simulator.addTemplate(account.channel.wabaId, { name: 'ocupado_pending', language: 'pt_BR', bodyParameters: 1 })
    fail('template-create', { kind: 'drop' })
    expect(refusal(await create(newTemplate('ocupado')))).toEqual([502, 'meta_error'])
    expect(refusal(await create(newTemplate('ocupado')))).toEqual([502, 'meta_error'])
    fail('template-create', { kind: 'accept-then-reset' })
    fail('templates-list', { kind: 'drop' })
    await create(newTemplate('livre'))
    const other = newTemplate('livre', { components: [{ type: 'BODY', text: 'Outro texto.' }] })
    expect(refusal(await create(other))).toEqual([502, 'meta_error'])
  })

  test('that upstream never saw is made by the next one', async () => {
    fail('template-create', { kind: 'drop' })
    expect(refusal(await create(newTemplate('perdido')))).toEqual([502, 'meta_error'])
    expect((await create(newTemplate('perdido'))).status).toBe(201)
    expect(upstream('perdido_pending')).toHaveLength(1)
  })
})

describe('400 invalid_request', () => {
  const body = { type: 'BODY', text: 'Oi.' }
  test.each([
    ['name', { name: undefined }],
    ['name', { name: '' }],
    ['name', { name: 'Pedido' }],
    ['name', { name: 'pedido-enviado' }],
    ['name', { name: 'a'.repeat(513) }],
    ['name', { name: 5 }],
    ['language', { language: undefined }],
    ['language', { language: '' }],
    ['language', { language: { code: 'pt_BR' } }],
    ['category', { category: undefined }],
    ['category', { category: 'marketing' }],
    ['components', { components: undefined }],
    ['components', { components: [] }],
    ['components', { components: Array.from({ length: 21 }, () => body) }],
    ['components', { components: body }],
    ['components[1]', { components: [body, 'FOOTER'] }],
    ['channel_id', { channel_id: 'ch_1' }],
    ['channel_id', { channel_id: null }],
  ])('about %s for %j', async (field, change) => {
    const { status, body: answer } = await create({ ...newTemplate('x'), ...change })
    expect([status, answer.error.code, answer.error.details[0].field]).toEqual([400, 'invalid_request', field])
  })

  test('for a component that is a number beyond 2^53, and for no body at all', async () => {
    const text = JSON.stringify(newTemplate('x')).replace('"components":[', '"components":[12345678901234567890,')
    const { status, body: answer } = await create(text)
    expect([status, answer.error.details[0].field]).toEqual([400, 'components[0]'])
    expect((await create(undefined)).status).toBe(400)
  })
})

test('401 without a key, 403 with a test key and without the scope', async () => {
  expect((await create(newTemplate('x'), null)).status).toBe(401)
  expect(refusal(await create(newTemplate('x'), account.test))).toEqual([403, 'forbidden'])
  const other = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['templates:read'] })
  expect(refusal(await create(newTemplate('x'), other.secret))).toEqual([403, 'forbidden'])
  const right = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['templates:write'] })
  expect((await create(newTemplate('x'), right.secret)).status).toBe(201)
})

test('404 not_found for a channel of another account', async () => {
  const other = await gateway.account()
  expect(refusal(await create(newTemplate('x', { channel_id: other.channel.id })))).toEqual([404, 'not_found'])
})

test('409 channel_not_connected without a connected number', async () => {
  done(await disconnectChannel(gateway.deps, account.channel.uuid))
  expect(refusal(await create(newTemplate('x')))).toEqual([409, 'channel_not_connected'])
})

test('422 channel_ambiguous with several business accounts and none named', async () => {
  account = await gateway.account({ channels: 2 })
  expect(refusal(await create(newTemplate('x')))).toEqual([422, 'channel_ambiguous'])
})

// rule: templates 4
describe('502 meta_error', () => {
  test('with upstream’s code and words, and with what it says to people', async () => {
    await create(newTemplate('duplo'))
    const { status, body } = await create(newTemplate('duplo'))
    expect([status, body.error.code]).toEqual([502, 'meta_error'])
    expect(body.error.details).toEqual([
      { message: 'Invalid parameter', code: 100 },
      { message: expect.stringContaining('Já existe'), code: 2388024 },
    ])
  })

  test('when upstream is away', async () => {
    fail('template-create', { kind: 'drop' })
    fail('templates-list', { kind: 'drop' })
    expect(refusal(await create(newTemplate('longe')))).toEqual([502, 'meta_error'])
  })
})

describe('the sample of a header', () => {
  const png = Buffer.concat([Buffer.from([0x89]), Buffer.from('PNG\r\n'), Buffer.alloc(2_000, 7)])
  const give = async (bytes: Buffer) => {
    const form = formOf([{ name: 'file', fileName: 'amostra.png', bytes }])
    const call = await memberOf(gateway, account)
    return call('POST', '/templates/samples', { body: form.body, headers: { 'content-type': form.contentType } })
  }

  test('is given to the platform, and a template with its handle is taken', async () => {
    const { status, body } = await give(png)
    expect([status, body.handle]).toEqual([201, expect.stringMatching(/^4::/)])
  })

  test('is refused where it is of no kind that a header has, or too large', async () => {
    const strange = await give(Buffer.from('MZ this is a program'))
    expect([strange.status, strange.body.error.details[0].reason.code]).toEqual([400, 'sample_kind'])
    const large = await give(Buffer.concat([png, Buffer.alloc(5 * 1024 ** 2)]))
    expect([large.status, large.body.error.details[0].reason]).toEqual([400, { code: 'sample_too_large', params: { max: '5 MB' } }])
  })

  test('is not there under /v1', async () => {
    expect((await gateway.call('POST', '/v1/templates/samples', { key: account.live, body: {} })).status).toBe(404)
  })
})
