import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compile } from 'json-schema-to-typescript'

// The types of the SDK and of the console's client, read from the contract and from the document of the console's interface: every schema under its own name, every query and unnamed body under the name of its
// operation, and `Operations`, which says of each operation what it takes and what it answers.

type Schema = { [key: string]: unknown }
type Content = { content?: Record<string, { schema?: Schema }> }
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema }
type Operation = {
  operationId: string
  summary?: string
  description?: string
  parameters?: readonly Parameter[]
  requestBody?: Content & { required?: boolean }
  responses: Record<string, Content>
}
type Document = { components: { schemas: Record<string, Schema> }; paths: Record<string, Record<string, Operation>> }
type Definitions = Record<string, Schema>

const contractPath = 'contract/openapi.json'
const typesPath = 'sdk/src/generated/contract.ts'

const consolePath = 'contract/console.json'
const consoleTypesPath = 'console/src/api/generated/operations.ts'

const headOf = (path: string) => `// Written by "npm run contract" from ${path}: change the routes of the server instead of this file.`

/** The names that would hide one of TypeScript's own. */
const renamed: Readonly<Record<string, string>> = { Error: 'ErrorEnvelope', Event: 'PomboEvent' }

/** What receivers and errors need, though no operation answers it. */
const besideContract = ['ErrorEnvelope', 'PomboEvent']

/** Choices that people speak of, which the contract repeats: the name that each gets, and the field that lists it. */
const choices: Readonly<Record<string, readonly [schema: string, field: string]>> = {
  EventType: ['WebhookDelivery', 'event_type'],
  MessageStatus: ['Message', 'status'],
  MessageType: ['Message', 'type'],
}

/** Each document, and the types that are written from it. */
const written = [
  { document: contractPath, types: typesPath },
  { document: consolePath, types: consoleTypesPath },
]

/** Writes the types of the SDK and of the console anew from the committed documents. */
export async function writeClientTypes(root: string): Promise<void> {
  for (const { document, types } of written)
    await writeFile(join(root, types), await clientTypes(await readFile(join(root, document), 'utf8'), document))
}

/** What `npm run check` says when the types of the SDK or of the console are not those of the committed documents. */
export async function staleClientTypes(root: string): Promise<string[]> {
  const problems = await Promise.all(
    written.map(async ({ document, types }) => {
      const [contract = '', now] = await Promise.all([document, types].map((path) => readFile(join(root, path), 'utf8')))
      return (await clientTypes(contract, document)) === now ? [] : [`${types} is not what ${document} says: npm run client-types`]
    }),
  )
  return problems.flat()
}

/** The text of the types for a document, which is at this path. */
export async function clientTypes(contract: string, path = contractPath): Promise<string> {
  const { components, paths } = JSON.parse(contract) as Document
  const definitions: Definitions = {}
  for (const [name, schema] of Object.entries(components.schemas)) definitions[renamed[name] ?? name] = plain(schema)
  const operations: Record<string, Schema> = {}
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      operations[`${method.toUpperCase()} ${path}`] = operationType(operation, definitions)
  const root = object(operations, Object.keys(operations), 'What each operation takes, and what it answers when it succeeds.')
  const needed = reachable({ ...root, title: 'Operations', definitions }, path === contractPath ? besideContract : [])
  const written = await compile(withNamedChoices(needed), 'Operations', {
    bannerComment: headOf(path),
    // Where the contract says nothing of further fields, a type does not mention them.
    additionalProperties: false,
    // A list of at most 10 is not ten types of tuples.
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    style: { semi: false, singleQuote: true, printWidth: 140, trailingComma: 'all', bracketSpacing: true },
  })
  return readable(written)
}

/** Adds the operation's query and body to the named types, and answers the type that refers to them. */
function operationType(operation: Operation, definitions: Definitions): Schema {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`
  const fields: Record<string, Schema> = {}
  const required = ['answer']
  const path = parameters.filter((each) => each.in === 'path')
  if (path.length > 0) {
    fields.path = parametersType(path)
    required.push('path')
  }
  const query = parameters.filter((each) => each.in === 'query')
  if (query.length > 0) {
    fields.query = define(parametersType(query), `${name}Query`, definitions)
    if (query.some((each) => each.required === true)) required.push('query')
  }
  // A form is not described by types: the client makes it.
  const body = jsonOf(requestBody)
  if (body !== null) {
    fields.body = define(plain(body), `${name}Request`, definitions)
    if (requestBody?.required === true) required.push('body')
  }
  fields.answer = answerType(responses)
  return object(fields, required, [summary, description].filter((each) => each !== undefined).join('\n\n'))
}

function parametersType(parameters: readonly Parameter[]): Schema {
  const fields = parameters.map(({ name, description, schema = {} }): [string, Schema] => [
    name,
    plain(description === undefined ? schema : { ...schema, description }),
  ])
  const required = parameters.filter((each) => each.required === true).map((each) => each.name)
  return object(Object.fromEntries(fields), required)
}

function answerType(responses: Record<string, Content>): Schema {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const texts = new Set(successes.map(([, response]) => JSON.stringify(plain(jsonOf(response) ?? {}))))
  const answers = [...texts].map((text) => JSON.parse(text) as Schema)
  return answers.length === 1 ? (answers[0] ?? {}) : { anyOf: answers }
}

/** What has no name in the contract gets that of its operation. */
function define(schema: Schema, name: string, definitions: Definitions): Schema {
  if ('$ref' in schema) return schema
  definitions[name] = schema
  return { $ref: `#/definitions/${name}` }
}

function object(properties: Record<string, Schema>, required: readonly string[], description?: string): Schema {
  return { type: 'object', properties, required, additionalProperties: false, ...(description === undefined ? {} : { description }) }
}

const jsonOf = (of: Content | undefined): Schema | null => of?.content?.['application/json']?.schema ?? null

/** A schema as the compiler of types wants it, all the way down. */
function plain(schema: Schema): Schema {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.replace('#/components/schemas/', '')
    return { $ref: `#/definitions/${renamed[name] ?? name}` }
  }
  const described = schema.description === undefined ? {} : { description: schema.description }
  const alternatives = schema.oneOf ?? schema.anyOf
  // A choice between types, without what only helps a validator to choose.
  if (Array.isArray(alternatives) && schema.properties === undefined) return { ...described, anyOf: alternatives.map(plain) }
  if (['type', 'enum', 'const', 'allOf'].every((key) => schema[key] === undefined)) return { ...described, tsType: 'unknown' }
  const open = [schema.type].flat().includes('object') && schema.properties === undefined && schema.additionalProperties === undefined
  const fields = Object.entries(schema).map(([key, value]) => [key, plainWithin(key, value)])
  return { ...Object.fromEntries(fields), ...(open ? { additionalProperties: true } : {}) }
}

function plainWithin(key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (key === 'properties') return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
  if (['oneOf', 'anyOf', 'allOf'].includes(key)) return (value as Schema[]).map(plain)
  return ['items', 'additionalProperties'].includes(key) ? plain(value as Schema) : value
}

type Root = Schema & { definitions: Definitions }

/** Without what only the contract's lists of single errors use. */
function reachable(root: Root, beside: readonly string[]): Root {
  const { definitions, ...operations } = root
  const found = new Set<string>()
  const look = (schema: unknown) => {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      if (definitions[name] === undefined) throw new Error(`the contract refers to ${name}, which it does not have`)
      look(definitions[name])
    }
  }
  look(operations)
  look(beside.filter((name) => name in definitions).map((name) => ({ $ref: `#/definitions/${name}` })))
  return { ...root, definitions: Object.fromEntries(Object.entries(definitions).filter(([name]) => found.has(name))) }
}

/** Puts the name of a choice wherever exactly its values stand, and beside what else is allowed where more stand. */
function withNamedChoices(root: Root): Root {
  const definitions: Definitions = {}
  for (const [name, [schema, field]] of Object.entries(choices)) {
    const properties = root.definitions[schema]?.properties as Record<string, Schema> | undefined
    const values = properties?.[field]?.enum
    if (!Array.isArray(values)) throw new Error(`the contract has no choice ${schema}.${field}, which is to be named ${name}`)
    definitions[name] = { type: 'string', enum: values }
  }
  const named = replaced(root, definitions) as Root
  return { ...named, definitions: { ...named.definitions, ...definitions } }
}

function replaced(value: unknown, named: Definitions): unknown {
  if (Array.isArray(value)) return value.map((each) => replaced(each, named))
  if (typeof value !== 'object' || value === null) return value
  const { enum: values, type, ...rest } = value as Schema
  if (Array.isArray(values))
    for (const [name, choice] of Object.entries(named)) {
      const known = choice.enum as unknown[]
      if (!known.every((each) => values.includes(each))) continue
      const more = values.filter((each) => !known.includes(each))
      const reference = { $ref: `#/definitions/${name}` }
      // Beside a reference nothing else is read; a choice of one keeps the description.
      return { ...rest, anyOf: more.length === 0 ? [reference] : [reference, { enum: more }] }
    }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, named)]))
}

/** Without the compiler's remarks on its own work, with an empty line before each type, and short comments on one line. */
function readable(written: string): string {
  return written
    .replaceAll(/\n \*(?: *\n \*)? This (?:interface|type) was referenced by [^\n]*\n \* via the `definition` "[^"]*"\./g, '')
    .replaceAll(/\/\*\*\n \*\/\n/g, '')
    .replaceAll(/( *)\/\*\*\n *\* ([^\n]{1,120})\n *\*\//g, '$1/** $2 */')
    .replaceAll(/\n(\/\*\*[\s\S]*?\*\/\n)?export /g, '\n\n$1export ')
    .replaceAll(/\n{3,}/g, '\n\n')
}
