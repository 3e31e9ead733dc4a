import { describe, expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import type { Graph, GraphAnswer, GraphRequest } from './graph.ts'
import { deleteTemplate, findTemplates, listTemplates, postTemplate } from './templates.ts'

const waba = { token: 'token', wabaId: '2048/1' }
const any = { status: null, name: null }

/** An upstream that answers each call in turn, the last answer for ever, and keeps what it was asked. */
function upstream(...answers: (object | string | GraphAnswer)[]): { graph: Graph; asked: GraphRequest[] } {
  const asked: GraphRequest[] = []
  const call: Graph['call'] = async (request) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]
    asked.push(request)
    if (typeof answer === 'object' && 'kind' in answer) return answer
    return { kind: 'answer', statusCode: 200, body: typeof answer === 'string' ? answer : JSON.stringify(answer) }
  }
  return { graph: { concurrentMax: 1, call, close: async () => {} }, asked }
}

const page = (names: readonly string[], next?: string) => ({
  data: names.map((name) => ({ id: '1', name, language: 'pt_BR' })),
  paging: { cursors: { before: 'b', after: next ?? 'end' }, ...(next === undefined ? {} : { next: 'https://graph.example/next' }) },
})
const searchOf = ({ path }: GraphRequest) => Object.fromEntries(new URL(path, 'http://x').searchParams)

describe('a page', () => {
  test('is asked for with its filters, its cursor and all fields, each escaped', async () => {
    const { graph, asked } = upstream(page([]))
    await listTemplates(graph, { ...waba, filter: { status: 'PAUSED', name: 'a&b' }, after: 'c+/=' })
    expect(asked[0]?.path.startsWith('/2048%2F1/message_templates?')).toBe(true)
    expect(asked.map(searchOf)).toEqual([
      {
        fields: 'id,name,language,status,category,sub_category,parameter_format,quality_score,rejected_reason,components',
        limit: '25',
        status: 'paused',
        name: 'a&b',
        after: 'c+/=',
      },
    ])
  })

  test.each([
    ['its cursor, when an address follows too', page(['a'], 'c1'), 'c1'],
    ['none, when only the cursor is there', page(['a']), null],
    ['none, when only the address is there', { data: [], paging: { next: 'https://graph.example' } }, null],
    ['none, without paging', { data: [] }, null],
  ])('tells of the next one %s', async (_what, answer, next) => {
    const read = await listTemplates(upstream(answer).graph, { ...waba, filter: any, after: null })
    expect(read).toMatchObject({ ok: true, value: { next } })
  })

  // rule: requests 3
  test('keeps what it is told, digit for digit, and leaves out what is no template', async () => {
    const components = '[{"type":"BODY","n":12345678901234567890}]'
    const body = `{"data":[{"id":98765432109876543210,"name":"a","quality_score":{"score":"RED"},"components":${components}},7,null]}`
    const read = await listTemplates(upstream(body).graph, { ...waba, filter: any, after: null })
    expect(read.ok && read.value.templates).toMatchObject([{ id: '98765432109876543210', qualityScore: 'RED', category: null }])
    expect(JSON.stringify(read.ok && read.value.templates[0]?.components)).toBe(components)
  })

  test.each([[{ data: {} }], [{}], ['[]'], ['<html>']])('that is none is a failure: %j', async (answer) => {
    const read = await listTemplates(upstream(answer).graph, { ...waba, filter: any, after: null })
    expect(read).toMatchObject({ ok: false, refusal: { reached: true, code: null } })
  })
})

// rule: templates 2
describe('finding a name', () => {
  const clock = manualClock('2026-11-27T12:00:00Z')
  const call = { ...waba, name: 'aviso', language: null, deadlineMs: 1_000 }

  test('follows the cursors and keeps only what has exactly this name', async () => {
    const { graph, asked } = upstream(page(['aviso', 'aviso_dois'], 'c1'), page(['Aviso', 'aviso']))
    const found = await findTemplates({ graph, clock }, call)
    expect(found.ok && found.value.map((each) => each.name)).toEqual(['aviso', 'aviso'])
    expect(asked.map((each) => searchOf(each).after)).toEqual([undefined, 'c1'])
  })

  test('and one language leaves out the others', async () => {
    const found = await findTemplates({ graph: upstream(page(['aviso'])).graph, clock }, { ...call, language: 'pt' })
    expect(found).toEqual({ ok: true, value: [] })
  })

  test('ends when the pages never do', async () => {
    const { graph, asked } = upstream(page(['outro'], 'again'))
    expect(await findTemplates({ graph, clock }, call)).toMatchObject({ ok: false, refusal: { reached: true, code: null } })
    expect(asked).toHaveLength(80)
  })

  test('has one deadline for all pages together', async () => {
    const { graph, asked } = upstream(page([], 'c1'))
    const slow: Graph = {
      ...graph,
      call: (request) => {
        clock.advance(400)
        return graph.call(request)
      },
    }
    expect(await findTemplates({ graph: slow, clock }, call)).toMatchObject({ ok: false, refusal: { reached: false } })
    expect(asked.map((each) => each.deadlineMs)).toEqual([1_000, 600, 200])
  })
})

test('a template is deleted by its query alone', async () => {
  const { graph, asked } = upstream({ success: true })
  expect(await deleteTemplate(graph, { ...waba, name: 'a', id: null })).toMatchObject({ ok: true })
  expect(await deleteTemplate(graph, { ...waba, name: 'a', id: '7' })).toMatchObject({ ok: true })
  expect(asked.map((each) => [each.method, searchOf(each), each.body])).toEqual([
    ['DELETE', { name: 'a' }, undefined],
    ['DELETE', { name: 'a', hsm_id: '7' }, undefined],
  ])
})

test('what upstream leaves out of the answer to a submission is null', async () => {
  const { graph, asked } = upstream({})
  expect(await postTemplate(graph, { ...waba, body: '{"n":1}' })).toEqual({ ok: true, value: { id: null, status: null, category: null } })
  expect(asked[0]?.body).toBe('{"n":1}')
})
