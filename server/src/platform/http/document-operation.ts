import type { RefusalCode } from '../../base/refusal.ts'
import { type DocumentSchema, errorExample, exampleOf, resolved, type Schemas } from './document-examples.ts'
import { codeSamples } from './document-samples.ts'
import { codeWords, errorSchema } from './schema.ts'

type Media = { schema?: DocumentSchema; example?: unknown; examples?: Readonly<Record<string, { value?: unknown }>> }
type Content = Record<string, Media>
type Parameter = { name: string; in: string; required?: boolean; schema?: DocumentSchema; example?: unknown }

export type Operation = {
  summary?: string
  description?: string
  tags?: readonly string[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content?: Content }
  responses?: Record<string, { description: string; headers?: object; content?: Content }>
  /** From `describe`, and taken out again: the error codes of each status. */
  'x-codes'?: Readonly<Record<string, readonly RefusalCode[]>>
  /** From `describe`, and taken out again: its good answers may have the header `Service-Warning`. */
  'x-warns'?: true
  'x-codeSamples'?: ReturnType<typeof codeSamples>
}

const whole = (description: string) => ({ description, required: true, schema: { type: 'integer' as const, minimum: 0 } })

/** The headers of answers, as components. Those of `everyAnswer` are always there. */
export const documentedHeaders = {
  RequestId: {
    description: 'The name of this call, also in its error.',
    required: true,
    schema: { type: 'string' as const, pattern: '^req_[0-9a-f]{32}$' },
  },
  RateLimitLimit: whole('Calls allowed in the window, for the tighter of key and account.'),
  RateLimitRemaining: whole('Calls left in the window.'),
  RateLimitReset: whole('Seconds until the window ends.'),
  RetryAfter: whole('Seconds after which the call may be repeated.'),
  WwwAuthenticate: { description: 'How to show a key.', required: true, schema: { type: 'string' as const, enum: ['Bearer'] } },
  ServiceWarning: {
    description:
      'There when a field at the top of the body was passed on unread and is nearly one of the contract: which, and what may be meant.',
    required: false,
    schema: { type: 'string' as const, pattern: '^[ -~]+$' },
  },
  IdempotentReplayed: {
    description: 'There when this is the answer of an earlier call with the same Idempotency-Key, and nothing was done again.',
    required: false,
    schema: { type: 'string' as const, enum: ['true'] },
  },
}

const header = (name: keyof typeof documentedHeaders) => ({ $ref: `#/components/headers/${name}` })
const everyAnswer = {
  'Request-Id': header('RequestId'),
  'RateLimit-Limit': header('RateLimitLimit'),
  'RateLimit-Remaining': header('RateLimitRemaining'),
  'RateLimit-Reset': header('RateLimitReset'),
}

const statusWords: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  400: 'The body or the parameters are not valid; details names the field',
  401: 'The key is missing, invalid or revoked',
  402: 'The account is suspended',
  403: 'The key may not do this',
  404: 'There is no such resource in this account',
  409: 'It conflicts with the current state',
  422: 'A rule does not allow it',
  429: 'Too many calls; obey Retry-After',
  500: 'A fault on our side; repeating with the same Idempotency-Key is safe',
  502: 'The upstream platform refused the operation; details has its code and message',
}

/** Fills in what the routes leave to one place: the headers of every answer, the closed list of error codes, and examples. Answers all of its codes. */
// rule: requests 5
export function finishOperation(path: string, operation: Operation, schemas: Schemas): readonly RefusalCode[] {
  finishBody(operation, schemas)
  const { 'x-codes': codes = {}, responses = {} } = operation
  const warns = operation['x-warns'] === true
  delete operation['x-codes']
  delete operation['x-warns']
  const replays = operation.parameters?.some(({ name }) => name === 'idempotency-key') === true
  for (const [status, answer] of Object.entries(responses)) {
    answer.description = statusWords[status] ?? 'Answer'
    answer.headers = { ...answer.headers, ...everyAnswer, ...headersOf(status, { replays, warns }) }
    const media = answer.content?.['application/json']
    if (media === undefined) continue
    if (codes[status] === undefined) giveExamples(media, schemas)
    else Object.assign(media, errorMedia(codes[status], { path, field: fieldOf(operation, schemas) }))
  }
  return Object.values(codes).flat()
}

/** Gives a finished operation its samples; `address` is where it is called. Left out where a part of the path has no example. */
export function giveSamples(address: string, method: string, operation: Operation): void {
  const { parameters = [], requestBody } = operation
  const url = parameters
    .filter((each) => each.in === 'path' && each.example !== undefined)
    .reduce((path, { name, example }) => path.replace(`{${name}}`, encodeURIComponent(String(example))), address)
  if (/[{}]/.test(url)) return
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {}
  const body = json?.example ?? Object.values(json?.examples ?? {})[0]?.value
  operation['x-codeSamples'] = codeSamples({ method: method.toUpperCase(), url, body, isUpload: form !== undefined })
}

function headersOf(status: string, { replays, warns }: { replays: boolean; warns: boolean }): object {
  if (status === '401') return { 'WWW-Authenticate': header('WwwAuthenticate') }
  if (status === '429') return { 'Retry-After': header('RetryAfter') }
  if (!status.startsWith('2')) return {}
  return {
    ...(replays ? { 'Idempotent-Replayed': header('IdempotentReplayed') } : {}),
    ...(warns ? { 'Service-Warning': header('ServiceWarning') } : {}),
  }
}

/** The errors that an answer can be, each with an example. */
function errorMedia(codes: readonly RefusalCode[], subject: Parameters<typeof errorExample>[1]): Media {
  const references = codes.map((code) => ({ $ref: `#/components/schemas/${errorComponent(code)}` }))
  return {
    schema: references.length === 1 && references[0] !== undefined ? references[0] : { anyOf: references },
    examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code, subject) }])),
  }
}

/** `not_found` → `NotFoundError`, the name of its component. */
const errorComponent = (code: RefusalCode): string =>
  `${code.replace(/_error$/, '').replaceAll(/(?:^|_)([a-z])/g, (_whole, letter: string) => letter.toUpperCase())}Error`

/** The error of each code that some operation can answer, as a component: `Error` with that one code. */
export function errorComponents(codes: ReadonlySet<RefusalCode>): Record<string, object> {
  const { error } = errorSchema.properties
  return Object.fromEntries(
    [...codes].map((code) => {
      const properties = { ...error.properties, code: { type: 'string', const: code, description: codeWords } }
      return [
        errorComponent(code),
        {
          type: 'object',
          description: `An error with the code \`${code}\`.`,
          required: ['error'],
          properties: { error: { ...error, properties } },
        },
      ]
    }),
  )
}

/** A field that a caller could leave out: of the body, or else of the query. */
function fieldOf({ requestBody, parameters = [] }: Operation, schemas: Schemas): string | null {
  const body = requestBody?.content?.['application/json']?.schema
  const first = body === undefined ? {} : resolved(body, schemas)
  const branch = first.oneOf?.[0] === undefined ? first : resolved(first.oneOf[0], schemas)
  const required = branch.required?.[0] ?? first.required?.[0]
  if (required !== undefined && requestBody?.required === true) return required
  return parameters.find((each) => each.in === 'query' && each.required === true)?.name ?? null
}

/** What the plug-in cannot know: that some bodies may be left out, and that one without fields is none. */
function finishBody(operation: Operation, schemas: Schemas): void {
  for (const media of Object.values(operation.requestBody?.content ?? {})) {
    const { schema } = media
    if (operation.requestBody !== undefined && schema !== undefined && Array.isArray(schema.type) && schema.type.includes('null')) {
      if (Object.keys(schema.properties ?? {}).length === 0) {
        delete operation.requestBody
        return
      }
      operation.requestBody.required = false
      schema.type = 'object'
    }
    giveExamples(media, schemas)
  }
}

/** One example, or one for each branch of a choice, by the value that chooses it. */
function giveExamples(media: Media, schemas: Schemas): void {
  if (media.schema === undefined || media.example !== undefined || media.examples !== undefined) return
  const { oneOf } = resolved(media.schema, schemas)
  if (oneOf === undefined) {
    const example = exampleOf(media.schema, schemas)
    if (example !== undefined) media.example = example
    return
  }
  const examples = oneOf.map((branch) => [nameOf(branch), { value: exampleOf(branch, schemas) }] as const)
  if (examples.every(([, { value }]) => value !== undefined)) media.examples = Object.fromEntries(examples)
}

const nameOf = ({ $ref = '' }: DocumentSchema) => $ref.slice($ref.lastIndexOf('/') + 1)
