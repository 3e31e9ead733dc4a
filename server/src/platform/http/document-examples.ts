import type { RefusalCode } from '../../base/refusal.ts'

/** As much of a JSON Schema as an example is made from. */
export type DocumentSchema = {
  $ref?: string
  type?: unknown
  description?: string
  properties?: Readonly<Record<string, DocumentSchema>>
  required?: readonly string[]
  items?: DocumentSchema
  oneOf?: readonly DocumentSchema[]
  anyOf?: readonly DocumentSchema[]

  const?: unknown
  enum?: readonly unknown[]
  examples?: readonly unknown[]
}

export type Schemas = Readonly<Record<string, DocumentSchema>>

/** The schema itself, or the component that it refers to. */
export function resolved(schema: DocumentSchema, schemas: Schemas): DocumentSchema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : (schemas[name] ?? {})
}

/**
 * An example of what fits a schema: its own first one, or one put together from those of its required fields. Undefined where some field
 * has none: nothing is made up.
 */
export function exampleOf(schema: DocumentSchema, schemas: Schemas): unknown {
  const { examples, oneOf, items, properties, ...rest } = resolved(schema, schemas)
  if (examples?.[0] !== undefined) return examples[0]
  if (rest.const !== undefined) return rest.const
  if (rest.enum?.length === 1) return rest.enum[0]
  if (oneOf?.[0] !== undefined) return exampleOf(oneOf[0], schemas)
  if (items !== undefined) {
    const item = exampleOf(items, schemas)
    return item === undefined ? undefined : [item]
  }
  return properties === undefined ? undefined : objectExample(properties, rest.required ?? [], schemas)
}

function objectExample(properties: Schemas, required: readonly string[], schemas: Schemas): object | undefined {
  const fields = required.map((name) => [name, exampleOf(properties[name] ?? {}, schemas)] as const)
  return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields)
}

/** What an operation's errors talk about: where it stands, and a field that a caller could get wrong. */
export type ErrorSubject = { path: string; field: string | null }

const requestId = 'req_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f'

/** An error with this code, as the operation would answer it. */
export function errorExample(code: RefusalCode, subject: ErrorSubject): object {
  return { error: { code, ...errorWords[code](subject), request_id: requestId } }
}

type ErrorWords = { message: string; details?: readonly { field?: string; message: string; code?: number }[] }

const errorWords: Readonly<Record<RefusalCode, (subject: ErrorSubject) => ErrorWords>> = {
  invalid_request: ({ field }) => {
    const [name, words] = field === null ? ['page', 'is not a known field'] : [field, 'is required']
    return { message: `The request is not valid: ${name} ${words}.`, details: [{ field: name, message: words }] }
  },
  unauthorized: () => ({ message: 'The API key is missing, invalid or revoked. Send it as "Authorization: Bearer <API_KEY>".' }),
  account_suspended: () => ({ message: 'The account is suspended; nothing is sent.' }),
  forbidden: () => ({ message: 'A test key may not do this operation.' }),
  not_found: ({ path }) => ({ message: nothingAt(path) }),
  conflict: () => ({ message: 'This is not possible in the current state of the resource.' }),
  idempotency_conflict: () => ({ message: 'This Idempotency-Key was used with a different body in the last 24 hours.' }),
  channel_not_connected: () => ({ message: 'The number is not connected to the official API now.' }),
  channel_ambiguous: () => ({ message: 'The account has more than one number: name one by channel_id.' }),
  outside_customer_service_window: () => ({
    message: 'More than 24 hours have passed since the person last wrote: only a template is accepted.',
  }),
  recipient_opted_out: () => ({ message: 'The person has opted out of marketing.' }),
  rate_limited: () => ({ message: 'Too many calls: 600 a minute are allowed. Try again in 42 seconds.' }),
  meta_error: () => ({
    message: 'The upstream platform refused the operation.',
    details: [{ code: 131009, message: 'Parameter value is not valid' }],
  }),
  internal_error: () => ({
    message: 'Something went wrong on our side. Retrying with the same Idempotency-Key is safe and does not duplicate.',
  }),
}

/** `/webhooks/{id}` → "There is no webhook with this id." */
function nothingAt(path: string): string {
  const noun = path.split('/')[1]?.replace(/s$/, '').replaceAll('-', ' ') ?? ''
  const name = /\{([^}]+)\}/.exec(path)?.[1]
  return name === undefined ? `There is no such ${noun}.` : `There is no ${noun} with this ${name}.`
}
