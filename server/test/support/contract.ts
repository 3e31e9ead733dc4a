import { AjvCompiler } from '@fastify/ajv-compiler'
import { answersIn, nameOfAnswer } from '../../../tools/contract-answers.ts'

/** An answer as far as the contract says something about it. */
export type ContractAnswer = {
  method: string
  path: string
  status: number
  body: unknown
  headers: Readonly<Record<string, string | undefined>>
}

export type Contract = {
  /** Every operation, as `GET /v1/messages/{id}`. */
  readonly operations: readonly string[]
  /** The document itself. */
  readonly document: Document
  /**
   * Throws when the contract does not know this status of the operation, when a documented header is missing, or when the body does not
   * fit its schema: a field that the schema does not name does not fit. Answers which of the contract's answers it was, as
   * `GET /v1/messages/{id} 404 not_found`; null where there is no such operation.
   */
  check(answer: ContractAnswer): string | null
  /** The same for an event that was posted. */
  checkEvent(event: { type: string }): void
  /** Throws when the value does not fit a named schema of the contract. */
  checkSchema(name: string, value: unknown): void
}

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document has every shape.
export type Document = any

/** The one form in which the gateway writes a time. */
const writtenTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** Judges answers by the OpenAPI document that the gateway itself serves. */
export function createContract(document: Document): Contract {
  // With an id of its own, its local references (`#/components/…`) are found wherever a schema inside is started from.
  const compile = AjvCompiler()(
    { contract: { ...closed(document), $id: 'contract' } },
    {
      customOptions: { strict: false, allErrors: true, coerceTypes: false, useDefaults: false, removeAdditional: false, verbose: true },
      // After those of JSON Schema, which allow more than the gateway writes.
      onCreate: (ajv) => void ajv.addFormat('date-time', writtenTime),
    },
  )
  const checks = new Map<string, ReturnType<typeof compile>>()
  const fit = (pointer: string, value: unknown, what: string) => {
    const check = checks.get(pointer) ?? compile({ schema: { $ref: `contract#${pointer}` }, method: '', url: '', httpPart: '' })
    checks.set(pointer, check)
    if (!check(value)) throw new Error(`${what} does not fit the contract: ${wordsOf(check.errors)}`)
  }
  const templates = Object.keys(document.paths)
  const answers = new Set(answersIn(document))
  return {
    document,
    operations: templates.flatMap((path) => Object.keys(document.paths[path]).map((method) => `${method.toUpperCase()} /v1${path}`)),
    check({ method, path, status, body, headers }) {
      const template = templates.filter((each) => patternOf(each).test(path)).toSorted(plainFirst)[0]
      const operation = template === undefined ? undefined : document.paths[template][method.toLowerCase()]
      const what = `${method} ${path} answered ${status}, which`
      // Where there is no operation, only the error that says so (or that a key is missing) can be an answer.
      if (operation === undefined) {
        if (![400, 401, 404, 429, 500].includes(status)) throw new Error(`${what} is no answer where there is no operation`)
        fit('/components/schemas/Error', body, what)
        return null
      }
      const documented = operation.responses[status]
      if (documented?.content === undefined) throw new Error(`${what} the contract does not know of this operation`)
      checkHeaders(document, documented.headers, headers, what)
      fit(`/paths/${pointerPart(template ?? '')}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`, body, what)
      const code = status < 400 ? undefined : (body as { error: { code: string } }).error.code
      const name = nameOfAnswer({ method, path: template ?? '', status, code })
      if (!answers.has(name)) throw new Error(`${what} the contract does not list with this code: ${name}`)
      return name
    },
    checkEvent(event) {
      if (document.webhooks[event.type] === undefined) throw new Error(`the contract has no event ${event.type}`)
      fit(`/webhooks/${event.type}/post/requestBody/content/application~1json/schema`, event, event.type)
    },
    checkSchema: (name, value) => fit(`/components/schemas/${name}`, value, name),
  }
}

/** The document in which an object may have only the fields that its schema names, unless it says otherwise itself. */
function closed(value: Document): Document {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const all = mapped(value, (each, key) => (literal.has(key) ? each : key === 'properties' ? mapped(each, closed) : closed(each)))
  const isObjectSchema = [value.type].flat().includes('object') && typeof value.properties === 'object'
  return isObjectSchema && value.additionalProperties === undefined ? { ...all, additionalProperties: false } : all
}

const mapped = (value: object, work: (each: Document, key: string) => Document): Document =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, work(each, key)]))

/** What stands under these is not a schema. */
const literal = new Set(['example', 'examples', 'enum', 'const', 'default', 'required'])

function checkHeaders(document: Document, documented: Document, headers: ContractAnswer['headers'], what: string): void {
  for (const [name, reference] of Object.entries<Document>(documented ?? {})) {
    const { required, schema } = document.components.headers[reference.$ref.split('/').at(-1)]
    const value = headers[name.toLowerCase()]
    if (value === undefined && required) throw new Error(`${what} lacks the header ${name}`)
    if (value !== undefined && !headerFits(schema, value)) throw new Error(`${what} has a wrong header ${name}: ${value}`)
  }
}

function headerFits({ type, pattern, enum: allowed }: Document, value: string): boolean {
  if (type === 'integer') return /^[0-9]+$/.test(value)
  return (pattern === undefined || new RegExp(pattern).test(value)) && (allowed === undefined || allowed.includes(value))
}

type Fault = { instancePath: string; message?: string; params: object; data?: unknown }

const wordsOf = (faults: unknown) =>
  (faults as Fault[])
    .slice(0, 5)
    .map(
      ({ instancePath, message, params, data }) =>
        `${instancePath} ${message} ${JSON.stringify(params)} but is ${JSON.stringify(data)?.slice(0, 200)}`,
    )
    .join('; ')

const pointerPart = (path: string) => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))

const patternOf = (template: string) => new RegExp(`^/v1${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)

/** Of two paths that fit, the one with fewer placeholders is meant. */
const plainFirst = (a: string, b: string) => a.split('{').length - b.split('{').length
