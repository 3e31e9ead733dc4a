import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limit, startingAfter } from './paging.ts'
import { query } from './query.ts'
import { component } from './schema.ts'
import { as, type TestServer, testServer } from './test-server.ts'

const config = { access: { scope: null, testKeys: true } }
const card = Type.Object({ name: Type.Object({ formatted_name: Type.String() }) })
const media = Type.Object({ link: Type.Optional(Type.String({ format: 'uri', maxLength: 30 })) })
const textSend = Type.Object(
  {
    type: Type.Literal('text'),
    to: Type.String({ pattern: '^[0-9]{10,15}$', 'x-expected': 'a phone with country code' }),
    text: Type.Object({ body: Type.String({ minLength: 1, maxLength: 10 }) }),
  },
  { $id: 'SendText' },
)
const imageSend = Type.Object({ type: Type.Literal('image'), to: Type.String(), image: media }, { $id: 'SendImage' })
const cardSend = Type.Object(
  { type: Type.Literal('contacts'), to: Type.String(), contacts: Type.Array(card, { minItems: 1, maxItems: 3 }) },
  { $id: 'SendContacts' },
)
const send = Type.Unsafe<object>({
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', enum: ['text', 'image', 'contacts'] } },
  discriminator: { propertyName: 'type' },
  oneOf: [component(textSend), component(imageSend), component(cardSend)],
})
const plain = Type.Object(
  {
    name: Type.String(),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
    ratio: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    note: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 3 })),
    language: Type.Optional(Type.Union([Type.String(), Type.Object({ code: Type.String() })])),
    tags: Type.Optional(Type.Array(Type.String(), { uniqueItems: true, minItems: 1 })),
    'odd/name~x': Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    routes(v1) {
      for (const schema of [textSend, imageSend, cardSend]) v1.addSchema(schema)
      v1.post('/sends', { config, schema: { body: send } }, async () => ({ ok: true }))
      v1.post('/plain', { config, schema: { body: plain } }, async () => ({ ok: true }))
      const querystring = query({
        limit,
        starting_after: startingAfter('msg'),
        phone: Type.Optional(Type.String()),
        open: Type.Optional(Type.Boolean()),
      })
      v1.get('/list', { config, schema: { querystring } }, async (request) => request.query)
    },
  })
})
afterAll(() => server.app.close())

async function details(url: string, payload?: object) {
  const answered = await server.app.inject({
    method: payload === undefined ? 'GET' : 'POST',
    url,
    headers: as('live'),
    ...(payload === undefined ? {} : { payload }),
  })
  expect(answered.statusCode).toBe(400)
  return answered.json().error.details
}

describe('a 400 names exactly the wrong field', () => {
  const good = { type: 'text', to: '5511987654321', text: { body: 'hi' } }

  test.each([
    ['no kind', {}, 'type', 'is required'],
    ['an unknown kind', { type: 'fax', to: '5511987654321' }, 'type', 'must be one of text, image, contacts; "fax" is not'],
    ['a kind that is no string', { type: 5 }, 'type', 'must be a string'],
    ['no text', { type: 'text', to: '5511987654321' }, 'text', 'is required'],
    ['no body in it', { ...good, text: {} }, 'text.body', 'is required'],
    ['an empty body', { ...good, text: { body: '' } }, 'text.body', 'must not be empty'],
    ['a long body', { ...good, text: { body: 'x'.repeat(11) } }, 'text.body', 'must have at most 10 characters'],
    ['a body that is a number', { ...good, text: { body: 5 } }, 'text.body', 'must be a string'],
    ['a phone in no form that we know', { ...good, to: 'abc' }, 'to', 'must be a phone with country code'],
    ['no phone', { type: 'text', text: { body: 'hi' } }, 'to', 'is required'],
    ['a link that is none', { type: 'image', to: '5', image: { link: 'nowhere' } }, 'image.link', 'must be a complete URL'],
    ['no cards', { type: 'contacts', to: '5', contacts: [] }, 'contacts', 'must have at least 1 item'],
    [
      'too many cards',
      { type: 'contacts', to: '5', contacts: Array(4).fill({ name: { formatted_name: 'x' } }) },
      'contacts',
      'must have at most 3 items',
    ],
    [
      'a card without a name',
      { type: 'contacts', to: '5', contacts: [{ name: { formatted_name: 'x' } }, { name: {} }] },
      'contacts[1].name.formatted_name',
      'is required',
    ],
  ])('of a union by kind: %s', async (_name, payload, field, message) => {
    expect(await details('/v1/sends', payload)).toEqual([{ field, message }])
  })

  test.each([
    ['unknown', { name: 'x', other: 1 }, 'other', 'is not a known field'],
    ['unknown, named like a path', { name: 'x', 'a/b~c': 1 }, 'a/b~c', 'is not a known field'],
    ['a list for a text', { name: ['x'] }, 'name', 'must be a string'],
    ['null for a text', { name: null }, 'name', 'must be a string'],
    ['a number in quotes', { name: 'x', count: '5' }, 'count', 'must be a whole number'],
    ['a fraction', { name: 'x', count: 1.5 }, 'count', 'must be a whole number'],
    ['too small', { name: 'x', count: 0 }, 'count', 'must be at least 1'],
    ['too large', { name: 'x', count: 6 }, 'count', 'must be at most 5'],
    ['not more than the bound', { name: 'x', ratio: 0 }, 'ratio', 'must be more than 0'],
    ['none of the values', { name: 'x', kind: 'c' }, 'kind', 'must be one of a, b; "c" is not'],
    ['neither text nor null', { name: 'x', note: 5 }, 'note', 'must be a string or null'],
    ['neither text nor object', { name: 'x', language: 5 }, 'language', 'must be a string or an object'],
    ['an object that lacks a field', { name: 'x', language: {} }, 'language.code', 'is required'],
    ['an object with a wrong field', { name: 'x', language: { code: 5 } }, 'language.code', 'must be a string'],
    ['the same twice', { name: 'x', tags: ['a', 'a'] }, 'tags', 'must not have the same item twice'],
    ['a wrong item', { name: 'x', tags: ['a', 5] }, 'tags[1]', 'must be a string'],
    ['a name with path characters', { name: 'x', 'odd/name~x': 5 }, 'odd/name~x', 'must be a string'],
  ])('of a plain object: %s', async (_name, payload, field, message) => {
    expect(await details('/v1/plain', payload)).toEqual([{ field, message }])
  })

  test('several at once, each once, and never more than 20', async () => {
    expect(await details('/v1/plain', { count: 'x', kind: 5, other: true })).toEqual([
      { field: 'name', message: 'is required' },
      { field: 'other', message: 'is not a known field' },
      { field: 'count', message: 'must be a whole number' },
      { field: 'kind', message: 'must be one of a, b' },
    ])
    expect(await details('/v1/plain', { name: 'x', tags: Array.from({ length: 400 }, (_, i) => i) })).toHaveLength(20)
  })

  test('of a body with very many values the first only: looking at all of them would hold up everybody', async () => {
    expect(await details('/v1/plain', { name: 'x', tags: Array.from({ length: 1000 }, (_, i) => i) })).toHaveLength(1)
  })

  test.each([
    ['limit=0', 'limit', 'must be at least 1'],
    ['limit=101', 'limit', 'must be at most 100'],
    ['limit=ten', 'limit', 'must be a whole number'],
    ['limit=', 'limit', 'must not be empty'],
    ['limit=1&limit=2', 'limit', 'may be given only once'],
    ['starting_after=msg_1', 'starting_after', 'must be an id of this list: msg_ and 32 hex characters'],
    [`starting_after=evt_${'0'.repeat(32)}`, 'starting_after', 'must be an id of this list: msg_ and 32 hex characters'],
    ['phone=', 'phone', 'must not be empty'],
    ['phone', 'phone', 'must not be empty'],
    ['phone=1%00', 'phone', 'must not contain NUL characters'],
    ['open=yes', 'open', 'must be true or false'],
    ['colour=red', 'colour', 'is not a known field'],
    ['phone[]=1', 'phone[]', 'is not a known field'],
  ])('of a query: %s', async (text, field, message) => {
    expect(await details(`/v1/list?${text}`)).toEqual([{ field, message }])
  })

  test('a good query is read into its types, with the default page size', async () => {
    const answered = await server.app.inject({ url: '/v1/list?open=true&phone=5511', headers: as('live') })
    expect(answered.json()).toEqual({ limit: 20, open: true, phone: '5511' })
  })
})
