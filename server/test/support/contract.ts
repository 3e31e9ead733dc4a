import { AjvCompiler } from '@fastify/ajv-compiler'

/** An answer as far as the contract says something about it. */
export type ContractAnswer = { method: string; path: string; status: number; body: unknown }

export type Contract = {
  /** Every operation, as `GET /v1/messages/{id}`. */
  readonly operations: readonly string[]
  /** Throws when the contract does not know this status of the operation, or when the body does not fit its schema. */
  check(answer: ContractAnswer): void
  /** Throws when the value does not fit a named schema of the contract. */
  checkSchema(name: string, value: unknown): void
}

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document has every shape.
type Document = any

/** Judges answers by the OpenAPI document that the gateway itself serves. */
export function createContract(document: Document): Contract {
  // With an id of its own, its local references (`#/components/…`) are found wherever a schema inside is started from.
  const compile = AjvCompiler()(
    { contract: { ...document, $id: 'contract' } },
    { customOptions: { strict: false, allErrors: true, coerceTypes: false, useDefaults: false, removeAdditional: false } },
  )
  const checks = new Map<string, ReturnType<typeof compile>>()
  const fit = (pointer: string, value: unknown, what: string) => {
    const check = checks.get(pointer) ?? compile({ schema: { $ref: `contract#${pointer}` }, method: '', url: '', httpPart: '' })
    checks.set(pointer, check)
    if (!check(value)) throw new Error(`${what} does not fit the contract: ${JSON.stringify(check.errors)}`)
  }
  const templates = Object.keys(document.paths)
  return {
    operations: templates.flatMap((path) => Object.keys(document.paths[path]).map((method) => `${method.toUpperCase()} /v1${path}`)),
    check({ method, path, status, body }) {
      const template = templates.find((each) => patternOf(each).test(path))
      const operation = template === undefined ? undefined : document.paths[template][method.toLowerCase()]
      const what = `${method} ${path} answered ${status}, which`
      // Where there is no operation, only the error that says so (or that a key is missing) can be an answer.
      if (operation === undefined) {
        if (![400, 401, 404, 429].includes(status)) throw new Error(`${what} is no answer where there is no operation`)
        return fit('/components/schemas/Error', body, what)
      }
      if (operation.responses[status]?.content === undefined) throw new Error(`${what} the contract does not know of this operation`)
      fit(`/paths/${pointerPart(template ?? '')}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`, body, what)
    },
    checkSchema: (name, value) => fit(`/components/schemas/${name}`, value, name),
  }
}

const pointerPart = (path: string) => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))

const patternOf = (template: string) => new RegExp(`^/v1${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
