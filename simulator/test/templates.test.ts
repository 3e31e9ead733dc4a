import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { number, type Stage, setStage } from './stage.ts'

const path = `/v24.0/${number.wabaId}/message_templates`
const plain = { name: 'novo', language: 'pt_BR', category: 'UTILITY', components: [{ type: 'BODY', text: 'Tudo certo.' }] }

let stage: Stage
beforeEach(async () => {
  stage = await setStage({ templateReviewMs: 0 })
})
afterEach(() => stage.close())

const list = async (query = '') => (await stage.call('GET', `${path}${query}`)).json
const names = async (query: string) => (await list(query)).data.map((each: { name: string }) => each.name)
const create = (change: object = {}) => stage.call('POST', path, { ...plain, ...change })
const remove = (query: string) => stage.call('DELETE', `${path}?${query}`)
const body = (text: string, rest: object = {}) => ({ components: [{ type: 'BODY', text, ...rest }] })

/** The notices about templates that the callback received, as `field value`. */
const told = () =>
  stage.callback.received
    .map((each) => JSON.parse(each.bytes.toString('utf8')).entry[0].changes[0])
    .filter((change) => change.field !== 'messages')

describe('the list', () => {
  test('has a few fields by itself and the others by name, always with the id', async () => {
    expect(Object.keys((await list('?name=hello_world')).data[0]).toSorted()).toEqual(
      ['category', 'components', 'id', 'language', 'name', 'parameter_format', 'status'].toSorted(),
    )
    expect((await list('?name=hello_world&fields=quality_score,rejected_reason')).data).toEqual([
      { quality_score: { score: 'UNKNOWN', date: 1_790_000_000 }, rejected_reason: 'NONE', id: expect.stringMatching(/^\d{16}$/) },
    ])
    expect(await stage.call('GET', `${path}?fields=colour`)).toMatchObject({ status: 400, json: { error: { code: 100 } } })
  })

  test('has 25 of them unless another number is asked for, and no next address on its last page', async () => {
    for (let i = 0; i < 30; i += 1) stage.simulator.addTemplate(number.wabaId, { name: `t${i}`, language: 'en_US' })
    const first = await list()
    expect(first.data).toHaveLength(25)
    const second = (await stage.call('GET', first.paging.next.replace(stage.simulator.url, ''))).json
    expect(second.data).toHaveLength(12)
    expect(second.paging).toEqual({ cursors: expect.anything(), previous: expect.any(String) })
    const back = await list(`?before=${second.paging.cursors.before}`)
    expect(back.data).toEqual(first.data)
    expect((await list('?limit=37')).paging.next).toBeUndefined()
    expect((await list('?limit=36')).paging.next).toBeDefined()
  })

  test('refuses a cursor whose template is gone, and one that never was one', async () => {
    const { after } = (await list('?limit=1')).paging.cursors
    expect((await list(`?after=${after}`)).data).not.toHaveLength(0)
    await remove('name=hello_world')
    expect((await list(`?after=${after}`)).error.code).toBe(131059)
    expect((await list('?after=nonsense')).error.code).toBe(131059)
  })

  test('is filtered by status in either form, by language, category, and by what a name contains', async () => {
    stage.simulator.addTemplate(number.wabaId, { name: 'resting', language: 'en_US', status: 'PAUSED' })
    expect(await names('?status=paused')).toEqual(['resting'])
    expect(await names('?status=PAUSED')).toEqual(['resting'])
    expect(await names('?status=%5B%22PAUSED%22%2C%22REJECTED%22%5D')).toEqual(['resting'])
    expect(await names('?status[]=PAUSED&status[1]=REJECTED')).toEqual(['resting'])
    expect((await list('?status=sleepy')).error.code).toBe(100)
    expect(await names('?name=order')).toEqual(['order_update', 'order_update'])
    expect(await names('?name=order_update&language=pt_BR')).toEqual(['order_update'])
    expect(await names('?category=AUTHENTICATION')).toEqual(['login_code'])
    expect(await list('?name=nothing')).toEqual({ data: [] })
  })

  test('is that of the WABA whose token asks', async () => {
    expect(await stage.call('GET', path, undefined, 'nobody')).toMatchObject({ status: 401, json: { error: { code: 190 } } })
    expect(await stage.call('GET', '/v24.0/99/message_templates')).toMatchObject({ json: { error: { code: 100, error_subcode: 33 } } })
    const [one] = (await list('?name=hello_world')).data
    expect((await stage.call('GET', `/v24.0/${one.id}?fields=name,status`)).json).toEqual({
      id: one.id,
      name: 'hello_world',
      status: 'APPROVED',
    })
    expect((await stage.call('GET', `/v24.0/${one.id}`, undefined, 'nobody')).status).toBe(401)
  })
})

describe('a new template', () => {
  test('waits for its review and is then approved, with a notice', async () => {
    stage.simulator.change({ templateReviewMs: 20 })
    const made = await create({ parameter_format: 'named', message_send_ttl_seconds: 600 })
    expect(made).toMatchObject({ status: 200, json: { status: 'PENDING', category: 'UTILITY', id: expect.stringMatching(/^\d{16}$/) } })
    await stage.simulator.settled()
    const fields = 'status,parameter_format,message_send_ttl_seconds'
    expect((await list(`?name=novo&fields=${fields}`)).data).toEqual([
      { id: made.json.id, status: 'APPROVED', parameter_format: 'NAMED', message_send_ttl_seconds: 600 },
    ])
    expect(told()).toEqual([
      {
        field: 'message_template_status_update',
        value: {
          event: 'APPROVED',
          message_template_id: Number(made.json.id),
          message_template_name: 'novo',
          message_template_language: 'pt_BR',
          message_template_category: 'UTILITY',
          reason: 'NONE',
        },
      },
    ])
  })

  test.each([
    ['a_rejected', 'PENDING', ['REJECTED INVALID_FORMAT'], 'REJECTED'],
    ['a_pending', 'PENDING', [], 'PENDING'],
    ['a_at_once', 'APPROVED', [], 'APPROVED'],
    ['a_rejected_now', 'REJECTED', [], 'REJECTED'],
    ['a_paused', 'PENDING', ['APPROVED NONE', 'PAUSED NONE'], 'PAUSED'],
    ['a_disabled', 'PENDING', ['APPROVED NONE', 'DISABLED NONE'], 'DISABLED'],
  ])('whose name is %s is answered %s, then told %j', async (name, answered, notices, last) => {
    expect((await create({ name })).json.status).toBe(answered)
    await stage.simulator.settled()
    expect(told().map(({ value }) => `${value.event} ${value.reason}`)).toEqual(notices)
    expect((await list(`?name=${name}`)).data[0].status).toBe(last)
  })

  test('may be put into another category than was asked for', async () => {
    expect((await create({ name: 'a_marketing' })).json).toMatchObject({ status: 'PENDING', category: 'MARKETING' })
  })

  test('keeps whole numbers beyond 2^53 digit for digit', async () => {
    const buttons = '[{"type":"FLOW","text":"Abrir","flow_id":12345678901234567890}]'
    const text = `{"name":"fluxo","language":"pt_BR","category":"UTILITY","components":[{"type":"BODY","text":"Oi."},{"type":"BUTTONS","buttons":${buttons}}]}`
    const headers = { authorization: `Bearer ${number.token}`, 'content-type': 'application/json' }
    expect((await fetch(stage.simulator.url + path, { method: 'POST', headers, body: text })).status).toBe(200)
    expect((await stage.call('GET', `${path}?name=fluxo`)).text).toContain(buttons)
  })

  const variables = { example: { body_text: [['Ana']] } }
  test.each([
    ['no name', { name: undefined }, null],
    ['a name with capitals', { name: 'Novo' }, 2388040],
    ['no language', { language: undefined }, null],
    ['a language that is none', { language: 'portuguese' }, null],
    ['another category', { category: 'SERVICE' }, null],
    ['no components', { components: [] }, null],
    ['no body', { components: [{ type: 'FOOTER', text: 'Loja' }] }, 2388072],
    ['two bodies', { components: [plain.components[0], plain.components[0]] }, 2388072],
    ['a long body', body('x'.repeat(1025)), 2388040],
    ['variables without an example', body('Oi, {{1}}!'), 2388043],
    ['an example of another length', body('Oi, {{1}} e {{2}}!', variables), 2388043],
    ['variables that do not count from 1', body('Oi, {{2}}!', variables), 2388072],
    ['names without parameter_format', body('Oi, {{nome}}!', variables), 2388072],
    ['a variable at the end', body('Oi {{1}}', variables), 2388299],
    ['a long footer', { components: [...plain.components, { type: 'FOOTER', text: 'x'.repeat(61) }] }, 2388040],
    ['a header of media without an example', { components: [...plain.components, { type: 'HEADER', format: 'IMAGE' }] }, 2388043],
    ['three addresses', { components: [...plain.components, { type: 'BUTTONS', buttons: Array(3).fill({ type: 'URL' }) }] }, 2388072],
  ])('with %s is refused', async (_what, change, subcode) => {
    const answer = await create(change)
    expect(answer).toMatchObject({ status: 400, json: { error: { code: 100 } } })
    expect(answer.json.error.error_subcode ?? null).toBe(subcode)
    if (subcode !== null) expect(answer.json.error.error_user_title).toEqual(expect.any(String))
  })

  test('may name its variables when it says so, with an example for each', async () => {
    const example = { body_text_named_params: [{ param_name: 'nome', example: 'Ana' }] }
    expect((await create({ parameter_format: 'NAMED', ...body('Oi, {{nome}}!', { example }) })).status).toBe(200)
  })

  test('cannot have a name that is taken in its language; another language is free', async () => {
    await create()
    expect((await create()).json.error).toMatchObject({ code: 100, error_subcode: 2388024 })
    expect((await create({ language: 'en_US' })).status).toBe(200)
  })
})

describe('a deleted template', () => {
  test('goes in all languages by its name, or in one by its id; the name of an approved one stays blocked', async () => {
    const both = (await list('?name=order_update')).data
    expect(await remove(`name=order_update&hsm_id=${both[0].id}`)).toMatchObject({ status: 200, json: { success: true } })
    expect(await names('?name=order_update')).toEqual(['order_update'])
    expect((await remove('name=order_update')).json).toEqual({ success: true })
    expect(await names('?name=order_update')).toEqual([])
    expect((await create({ name: 'order_update' })).json.error.error_subcode).toBe(2388023)
    await create({ name: 'x_pending' })
    await remove('name=x_pending')
    expect((await create({ name: 'x_pending' })).status).toBe(200)
  })

  test('must be there, by exactly this name, and not be disabled', async () => {
    for (const query of ['name=order', 'name=order_update&hsm_id=1'])
      expect((await remove(query)).json.error).toMatchObject({ code: 100, error_subcode: 2593002, error_user_title: expect.any(String) })
    expect((await remove('hsm_id=1')).json.error.code).toBe(100)
    stage.simulator.addTemplate(number.wabaId, { name: 'gone', language: 'en_US', status: 'DISABLED' })
    expect((await remove('name=gone')).json.error.error_subcode).toBe(2388039)
  })
})

describe('sending a template', () => {
  const send = (template: object) => stage.send('+15550107712', { type: 'template', template })
  const named = (name: string, components: object[] = []) => ({ name, language: { code: 'pt_BR' }, components })
  const text = (value: string, rest: object = {}) => ({ type: 'text', text: value, ...rest })

  test('is refused until it is approved, and once it is paused or gone', async () => {
    const made = await create({ name: 'a_pending' })
    expect((await send(named('a_pending'))).json.error.code).toBe(132001)
    stage.simulator.changeTemplate(made.json.id, { status: 'APPROVED' })
    expect((await send(named('a_pending'))).status).toBe(200)
    stage.simulator.changeTemplate(made.json.id, { status: 'PAUSED' })
    expect((await send(named('a_pending'))).json.error.code).toBe(132015)
    stage.simulator.changeTemplate(made.json.id, { status: 'DISABLED' })
    expect((await send(named('a_pending'))).json.error.code).toBe(132016)
  })

  test('is refused without the parameters of its header, its body and its addresses', async () => {
    const image = { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::a'] } }
    const buttons = { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Ver', url: 'https://example.com/{{1}}' }] }
    const components = [image, { type: 'BODY', text: 'Oi, {{nome}}!' }, buttons]
    stage.simulator.addTemplate(number.wabaId, { name: 'rico', language: 'pt_BR', parameterFormat: 'NAMED', components })
    const header = { type: 'header', parameters: [{ type: 'image', image: { link: 'https://example.com/a.png' } }] }
    const words = { type: 'body', parameters: [text('Ana', { parameter_name: 'nome' })] }
    const button = { type: 'button', sub_type: 'url', index: '0', parameters: [text('7')] }
    const code = async (...given: object[]) => (await send(named('rico', given))).json.error?.code ?? null
    expect(await code(words, button)).toBe(132012)
    expect(await code(header, button)).toBe(132000)
    expect(await code(header, { type: 'body', parameters: [text('Ana')] }, button)).toBe(100)
    expect(await code(header, { type: 'body', parameters: [text('Ana', { parameter_name: 'outro' })] }, button)).toBe(132018)
    expect(await code(header, words)).toBe(131008)
    expect(await code(header, words, button)).toBe(null)
  })
})

describe('commands', () => {
  test('put templates in place and change them, with the notices of each change', async () => {
    const made = await stage.call('POST', '/_sim/templates', { wabaId: number.wabaId, name: 'meu', language: 'pt_BR', status: 'PAUSED' })
    expect(made.json).toMatchObject({ name: 'meu', status: 'PAUSED', category: 'UTILITY' })
    const shown = (await stage.call('GET', `/_sim/templates?waba_id=${number.wabaId}`)).json.data
    expect(shown.at(-1)).toEqual(made.json)
    const change = { category: 'MARKETING', qualityScore: 'RED', components: [{ type: 'BODY', text: 'Outro.' }] }
    expect((await stage.call('POST', `/_sim/templates/${made.json.id}`, change)).status).toBe(200)
    await stage.simulator.settled()
    expect(told().map(({ field }) => field)).toEqual([
      'template_category_update',
      'message_template_quality_update',
      'message_template_components_update',
    ])
    expect((await stage.call('POST', '/_sim/templates/1', { status: 'PAUSED' })).status).toBe(404)
    expect((await stage.call('POST', `/_sim/templates/${made.json.id}`, { colour: 'red' })).status).toBe(400)
    expect((await stage.call('POST', '/_sim/templates', { name: 'meu' })).status).toBe(400)
  })

  test('spoil calls about templates only where a fault names their kind', async () => {
    stage.simulator.addFaults({ times: 'always', fault: { kind: 'graph-error', code: 131000 } })
    expect((await create()).status).toBe(200)
    stage.simulator.addFaults({ match: { call: 'template-create' }, fault: { kind: 'graph-error', code: 1, accepted: true } })
    expect((await create({ name: 'outro' })).json.error.code).toBe(1)
    expect(await names('?name=outro')).toEqual(['outro'])
  })

  test('no notice of a template comes before its WABA is subscribed', async () => {
    stage.simulator.changeNumber(number.phoneNumberId, { subscribed: false })
    await create()
    await stage.simulator.settled()
    expect(told()).toEqual([])
    expect(stage.simulator.undelivered).toMatchObject([{ items: ['novo pt_BR message_template_status_update'] }])
  })
})
