import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractAltUrl, contractText, contractUrl } from '../../../tools/contract-text.ts'
import { REFUSALS } from '../../src/base/refusal.ts'
import type { Document } from '../support/contract.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const committed = await readFile(new URL('../../../contract/openapi.json', import.meta.url), 'utf8')
const document = JSON.parse(committed)

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { PUBLIC_URL: contractUrl, ALT_PUBLIC_URL: contractAltUrl, ROLES: 'api,console' } })
})
afterAll(() => gateway.close())

/** What the linter would say and we do not follow, each with the reason. */
const passedOver: readonly { rule: string; pointer: string; because: string }[] = [
  {
    rule: 'no-unused-components',
    pointer: '#/components/schemas/Error',
    because: 'what all errors have in common, for readers and clients',
  },
  { rule: 'no-unused-components', pointer: '#/components/schemas/Event', because: 'any event, for the type of a receiver' },
]

test('contract/openapi.json is what the server serves (else: npm run contract)', async () => {
  const served = await fetch(`${gateway.url}/openapi.json`)
  expect(contractText(await served.text())).toBe(committed)
})

// A start leaves them all uncompiled, so a mistake would otherwise be found by the first caller.
test('every schema of every route can be compiled: what it takes, and each of its answers', () => {
  const mistakes = gateway.compilations.flatMap(({ method, url, part, compile }) => {
    try {
      compile()
      return []
    } catch (error) {
      return [`${method} ${url}, ${part}: ${String(error)}`]
    }
  })
  expect(mistakes).toEqual([])
  expect(gateway.compilations.length).toBeGreaterThan(500)
})

describe('contract/openapi.json', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(document)
    expect(errors).toBeUndefined()
    expect({ valid, version: validator.version }).toEqual({ valid: true, version: '3.1' })
  })

  // The rules of this set also hold every example against its schema, unknown fields included.
  test('has nothing that a public linter would change, but for what is listed here', async () => {
    const config = await createConfig({ extends: ['recommended'], rules: { 'info-contact': 'error', 'operation-tag-defined': 'error' } })
    const found = await lintFromString({ source: committed, absoluteRef: 'openapi.json', config })
    const problems = found.map(({ ruleId, message, location }) => ({ rule: ruleId, pointer: location[0]?.pointer ?? '', message }))
    const isPassedOver = (problem: (typeof problems)[number]) =>
      passedOver.some(({ rule, pointer }) => rule === problem.rule && pointer === problem.pointer)
    expect(problems.filter((each) => !isPassedOver(each))).toEqual([])
    expect(problems.filter(isPassedOver)).toHaveLength(passedOver.length)
  })

  // rule: requests 5. That no other answer is given, support/contract.ts holds in every test; that each is reached, the run as a whole.
  test('shows an example of every request body, every answer, every error code and every part of a path', () => {
    const bare = operations().flatMap(({ name, requestBody, responses }) =>
      [['request', requestBody] as const, ...Object.entries(responses as object)].flatMap(([what, { content = {} } = {}]) =>
        Object.values(content as Record<string, { schema: object; example?: unknown; examples?: object }>)
          .filter(({ example, examples }) => example === undefined && examples === undefined)
          .map(() => `${name} ${what}`),
      ),
    )
    // A form is described by its fields.
    expect(bare.filter((each) => each !== 'POST /media request')).toEqual([])
    const nameless = operations().flatMap(({ name, parameters = [] }) =>
      parameters
        .filter((each: Operation) => each.in === 'path' && each.example === undefined)
        .map((each: Operation) => `${name} ${each.name}`),
    )
    expect(nameless).toEqual([])
    for (const { name, code } of errorExamples()) expect([name, code in REFUSALS]).toEqual([name, true])
    expect(errorExamples().length).toBeGreaterThanOrEqual(operations().length * 5)
  })

  test('says what each schema, each of their fields and each parameter is', () => {
    const schemas = Object.entries<Operation>(document.components.schemas)
    const nameless = schemas.filter(([, { description }]) => description === undefined).map(([name]) => name)
    const fields = fieldsWithin(document, '')
    expect(fields.length).toBeGreaterThan(500)
    expect([...nameless, ...fields.filter(({ field }) => !field.description).map(({ name }) => name)]).toEqual([])
    const parameters = operations().flatMap(({ name, parameters = [] }) =>
      parameters.filter((each: Operation) => !each.description).map((each: Operation) => `${name} ${each.name}`),
    )
    expect(parameters).toEqual([])
  })

  test('shows how each operation is called, from a shell and in two languages', () => {
    for (const { name, 'x-codeSamples': samples } of operations()) {
      expect([name, samples?.map(({ label }: { label: string }) => label)]).toEqual([name, ['curl', 'fetch', 'requests']])
      for (const { source } of samples) expect(source).toContain(`${contractUrl}/v1/`)
    }
  })

  test('asks for a key at every operation, and names the scope that it needs', () => {
    const asked = operations().filter(({ security }) => security?.[0]?.apiKey?.length !== 1)
    expect(asked.map(({ name }) => name)).toEqual([])
    const described = operations().filter(
      ({ summary, description, tags }) => summary && /scope `[a-z_]+:[a-z]+`/.test(description) && tags?.length === 1,
    )
    expect(described).toHaveLength(operations().length)
  })

  test('tells every kind of event, with its envelope, its headers, what a receiver answers, and an example', () => {
    const kinds = Object.keys(document.webhooks)
    expect(kinds).toHaveLength(14)
    for (const kind of kinds) {
      const { post } = document.webhooks[kind]
      expect(post.parameters.map((each: { name: string }) => each.name)).toEqual([
        'Service-Signature',
        'Service-Event-Id',
        'Service-Event-Type',
      ])
      expect([kind, Object.keys(post.responses), post.security]).toEqual([kind, ['2XX'], []])
      const { schema, example } = post.requestBody.content['application/json']
      const envelope = document.components.schemas[schema.$ref.split('/').at(-1)]
      expect(envelope.required).toEqual(['id', 'object', 'type', 'api_version', 'created_at', 'livemode', 'data'])
      expect([envelope.properties.type.const, example.type]).toEqual([kind, kind])
    }
  })
})

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document has every shape.
type Operation = any

function operations(): Operation[] {
  return Object.entries(document.paths as Record<string, Record<string, object>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
  )
}

/** Every field that a schema of the document describes, wherever it stands. */
function fieldsWithin(value: unknown, at: string): { name: string; field: Operation }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => {
    if (key === 'example' || key === 'examples') return []
    const within = fieldsWithin(each, `${at}/${key}`)
    if (key !== 'properties') return within
    return [...Object.entries(each as object).map(([name, field]) => ({ name: `${at}.${name}`, field })), ...within]
  })
}

function errorExamples(): { name: string; code: string }[] {
  return operations().flatMap(({ name, responses }) =>
    Object.entries(responses as Record<string, Operation>)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([, { content }]) => Object.keys(content['application/json'].examples).map((code) => ({ name, code }))),
  )
}

// By OpenAPI a value without a mapping is the name of a schema: clients that are generated by it could send nothing.
test('each value of a discriminator is mapped to the schema that has it', async () => {
  const schemas: Record<string, Document> = document.components.schemas
  const unions = Object.entries(schemas).filter(([, each]) => each.discriminator !== undefined)
  expect(unions.map(([name]) => name).toSorted()).toEqual(['Event', 'SendMessageRequest'])
  for (const [, { discriminator, oneOf }] of unions) {
    expect(Object.values(discriminator.mapping).toSorted()).toEqual(oneOf.map((each: { $ref: string }) => each.$ref).toSorted())
    for (const [value, reference] of Object.entries<string>(discriminator.mapping)) {
      const { [discriminator.propertyName]: tag } = schemas[reference.split('/').at(-1) ?? '']?.properties ?? {}
      expect([reference, tag.const ?? tag.enum[0]]).toEqual([reference, value])
    }
  }
})
