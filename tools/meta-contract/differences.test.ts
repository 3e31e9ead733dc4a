import { describe, expect, test } from 'vitest'
import { differences } from './differences.ts'
import { judge } from './judge.ts'
import { knownDifferences } from './known-differences.ts'
import { openApiOf, type Schema } from './openapi.ts'

const api = openApiOf({
  paths: {
    '/{Version}/{Phone-Number-ID}/messages': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Send' } } } },
        responses: { 200: { content: { 'application/json': { schema: { type: 'object', properties: { id: { type: 'string' } } } } } } },
      },
    },
  },
  components: {
    schemas: {
      Send: {
        discriminator: { propertyName: 'type', mapping: { text: '#/components/schemas/Text' } },
        oneOf: [{ $ref: '#/components/schemas/Text' }],
      },
      Base: { type: 'object', required: ['to'], properties: { to: { type: 'string' }, type: { type: 'string' } } },
      Text: {
        allOf: [
          { $ref: '#/components/schemas/Base' },
          { type: 'object', additionalProperties: false, required: ['text'], properties: { text: { type: 'string', maxLength: 3 } } },
        ],
      },
      GraphAPIError: { type: 'object', properties: { error: { type: 'object', properties: { code: { type: 'integer' } } } } },
      MarkMessageRequestPayload: { type: 'object', properties: { status: { type: 'string' } } },
    },
  },
})

const found = (schema: Schema, value: unknown) => differences(api, schema, value).map(({ pointer, what }) => `${pointer} ${what}`)

describe('comparing a value with a schema', () => {
  test.each<[string, Schema, unknown, string[]]>([
    ['a fitting value', { type: 'object', properties: { a: { type: 'integer' } } }, { a: 1 }, []],
    ['another type', { type: 'string' }, 7, ['/ is a integer, not a string']],
    ['a whole number for a number', { type: 'number' }, 7, []],
    ['null where it may be', { type: 'string', nullable: true }, null, []],
    ['null among types', { type: ['string', 'null'] }, null, []],
    ['another word', { enum: ['A'] }, 'B', ['/ is another word: B']],
    ['too long a text', { type: 'string', maxLength: 2 }, 'abc', ['/ is longer than 2']],
    ['another form', { type: 'string', pattern: '^[0-9]+$' }, 'a', ['/ has another form']],
    ['too many', { type: 'array', maxItems: 1, items: {} }, [1, 2], ['/ holds more than 1']],
    ['what is not listed, though open', { type: 'object', properties: { a: {} } }, { a: 1, b: 2 }, ['/b is not listed']],
    ['an object of which nothing is said', { type: 'object' }, { b: 2 }, []],
    ['what is missing', { required: ['a'], properties: { a: {} } }, {}, ['/a is required']],
    [
      'a place in a list',
      { type: 'array', items: { properties: { a: { type: 'string' } } } },
      [{ a: '' }, { a: 1 }],
      ['/*/a is a integer, not a string'],
    ],
    [
      'the best of alternatives',
      {
        oneOf: [
          { required: ['x'], properties: { x: {}, y: {} } },
          { required: ['z'], properties: { z: {} } },
        ],
      },
      { x: 1, w: 2 },
      ['/w is not listed'],
    ],
    [
      'what alternatives and the schema around them list together',
      { properties: { a: {} }, oneOf: [{ properties: { b: {} } }] },
      { a: 1, b: 2 },
      [],
    ],
    ['parts that are closed against one another', { $ref: '#/components/schemas/Text' }, { to: '1', text: 'abc' }, []],
  ])('%s', (_what, schema, value, expected) => {
    expect(found(schema, value)).toEqual(expected)
  })

  test('ends, though a schema refers to itself', () => {
    const ring = openApiOf({ components: { schemas: { Ring: { allOf: [{ $ref: '#/components/schemas/Ring' }], properties: { a: {} } } } } })
    expect(differences(ring, { $ref: '#/components/schemas/Ring' }, { b: 1 })).toEqual([])
  })
})

describe('judging what passed', () => {
  const exchange = {
    label: 'a send',
    method: 'POST',
    path: '/v23.0/1/messages',
    requestType: 'application/json',
    status: 200,
    answer: { id: 'a' },
  }
  const judged = (more: object) =>
    judge(api, [{ ...exchange, request: { to: '1', type: 'text', text: 'abc' }, ...more }], () => '{Media-ID}')
  const told = (more: object) => judged(more).findings.map(({ where, what }) => `${where}: ${what}`)

  test('a call that fits is compared twice and found good', () => {
    expect(judged({})).toEqual({ findings: [], compared: 2, unknown: [] })
  })

  test('differences are told with their direction, once, with everything that showed them', () => {
    const two = [
      { ...exchange, request: { to: '1', type: 'text', text: 'abcd', extra: 1 } },
      { ...exchange, label: 'another', request: { to: '1', type: 'text', text: 'abcd' } },
    ]
    expect(judge(api, two, () => '{Media-ID}').findings).toEqual([
      { where: 'POST messages request', what: '/extra is not listed', labels: ['a send'] },
      { where: 'POST messages request', what: '/text is longer than 3', labels: ['a send', 'another'] },
    ])
    expect(told({ answer: { id: 7 } })).toEqual(['POST messages answer: /id is a integer, not a string'])
  })

  test('a refused request is not compared, its error is', () => {
    expect(told({ status: 400, request: {}, answer: { error: { code: 'x' } } })).toEqual([
      'POST messages error: /error/code is a string, not a integer',
    ])
  })

  test('a read receipt is compared with its own schema', () => {
    expect(told({ request: { status: 'read', typing: true } })).toEqual(['POST messages (receipt) request: /typing is not listed'])
  })

  test('what the file does not have, or the simulator does not, is told and not compared', () => {
    expect(judged({ path: '/v23.0/1/poems' })).toEqual({ findings: [], compared: 0, unknown: ['POST poems'] })
    expect(judged({ status: 400, answer: { error: { code: 2500 } } })).toEqual({ findings: [], compared: 0, unknown: ['POST messages'] })
    expect(judged({ path: '/whatsapp_business/attachments/' })).toEqual({ findings: [], compared: 0, unknown: [] })
  })
})

test('known differences are the rows of a document whose first two cells are code', () => {
  const markdown =
    '| where | what | why |\n| --- | --- | --- |\n| `POST media request` | `/type is not listed` | Asked for. |\n| no | `code` | x |\n'
  expect(knownDifferences(markdown)).toEqual([{ where: 'POST media request', what: '/type is not listed', because: 'Asked for.' }])
})
