import { Validator } from '@seriousme/openapi-schema-validator'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limit, listOf, startingAfter } from './paging.ts'
import { query, time } from './query.ts'
import { component, errors, optionalBody } from './schema.ts'
import { type TestServer, testServer } from './test-server.ts'

const config = { access: { scope: null, testKeys: true } }
const thingSchema = Type.Object(
  { id: Type.String(), object: Type.Literal('thing'), note: Type.Unsafe<string | null>({ type: ['string', 'null'] }) },
  { $id: 'Thing' },
)
const thing = component(thingSchema)

// biome-ignore lint/suspicious/noExplicitAny: a parsed document
let document: any
let server: TestServer
beforeAll(async () => {
  server = await testServer({
    servers: [
      { url: 'https://gateway.example', description: 'One.' },
      { url: 'https://other.example/', description: 'Another.' },
    ],
    webhooks: {
      'thing.made': {
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          responses: { 200: { description: 'Taken' } },
        },
      },
    },
    routes(v1) {
      v1.addSchema(thingSchema)
      v1.post(
        '/things',
        {
          config,
          schema: {
            operationId: 'makeThing',
            body: Type.Object({ name: Type.String() }, { additionalProperties: false }),
            response: { 201: thing, ...errors('conflict', 422) },
          },
        },
        async () => ({}) as never,
      )
      const querystring = query({ limit, starting_after: startingAfter('msg'), since: Type.Optional(time('Not before this.')) })
      v1.get('/things', { config, schema: { querystring, response: { 200: listOf(thing), ...errors(400) } } }, async () => ({}) as never)
      const params = Type.Object({ id: Type.String({ description: 'The id.' }) })
      v1.post(
        '/things/:id/touch',
        {
          config,
          schema: {
            params,
            body: optionalBody(Type.Object({ hard: Type.Optional(Type.Boolean()) }, { additionalProperties: false })),
            response: { 200: thing },
          },
        },
        async () => ({}) as never,
      )
      v1.post('/things/:id/poke', { config, schema: { params, response: { 200: thing } } }, async () => ({}) as never)
    },
    beside: (app) => app.get('/inside', async () => ({})),
  })
  document = (await server.app.inject('/openapi.json')).json()
})
afterAll(() => server.app.close())

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0')
    expect(await new Validator().validate(document)).toEqual({ valid: true })
  })

  test('has the version of the contract and both addresses, which end in /v1', () => {
    expect(document.info.version).toBe('1.0.0')
    expect(document.servers.map(({ url }: { url: string }) => url)).toEqual(['https://gateway.example/v1', 'https://other.example/v1'])
  })

  test('shows the operations under /v1 by their paths, and nothing else', () => {
    expect(Object.keys(document.paths).sort()).toEqual(['/things', '/things/{id}/poke', '/things/{id}/touch'])
    expect(Object.keys(document.paths['/things'])).toEqual(['post', 'get'])
  })

  test('asks for the key as bearer everywhere', () => {
    expect(document.security).toEqual([{ apiKey: [] }])
    expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' })
  })

  test('names components by their ids and refers to them', () => {
    const names = Object.keys(document.components.schemas)
    expect(names.filter((name) => !name.endsWith('Error'))).toEqual(['Thing'])
    expect(names).toEqual(expect.arrayContaining(['Error', 'InvalidRequestError', 'ConflictError', 'InternalError']))
    expect(names).not.toContain('MetaError')
    expect(document.paths['/things'].post.responses['201'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/Thing',
    })
    expect(document.paths['/things'].get.responses['200'].content['application/json'].schema.properties.data.items).toEqual({
      $ref: '#/components/schemas/Thing',
    })
    expect(document.webhooks['thing.made'].post.requestBody.content['application/json'].schema.$ref).toBe('#/components/schemas/Thing')
  })

  test('documents the errors that a route lists by status or code, those that all have, and the headers of every answer', () => {
    const { responses } = document.paths['/things'].post
    expect(Object.keys(responses)).toEqual(['201', '400', '401', '403', '409', '422', '429', '500'])
    const codesOf = (status: string) => Object.keys(responses[status].content['application/json'].examples)
    expect([codesOf('401'), codesOf('409')]).toEqual([['unauthorized'], ['conflict']])
    expect(codesOf('422')).toEqual(['channel_ambiguous', 'outside_customer_service_window', 'recipient_opted_out'])
    expect(responses['401'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/UnauthorizedError' })
    expect(document.components.schemas.ConflictError.properties.error.properties.code).toMatchObject({ type: 'string', const: 'conflict' })
    expect(Object.keys(responses['201'].headers)).toEqual(['Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
    expect(Object.keys(responses['429'].headers)).toContain('Retry-After')
  })

  test('tells apart bodies that are needed, may be left out, and do not exist', () => {
    expect(document.paths['/things'].post.requestBody.required).toBe(true)
    expect(document.paths['/things/{id}/touch'].post.requestBody).toMatchObject({
      required: false,
      content: { 'application/json': { schema: { type: 'object' } } },
    })
    expect(document.paths['/things/{id}/poke'].post.requestBody).toBeUndefined()
  })

  test('has no required query field that has a default', () => {
    const parameters = document.paths['/things'].get.parameters as { name: string; in: string; required: boolean }[]
    expect(parameters.filter((each) => each.required)).toEqual([])
    expect(parameters.map((each) => each.name)).toEqual(['limit', 'starting_after', 'since'])
  })
})
