import { AjvCompiler } from '@fastify/ajv-compiler'
import type { FastifySchemaValidationError } from 'fastify'
import { because, refusal } from '../../base/refusal.ts'
import { RequestRefused } from './failure.ts'
import { isText } from './query-text.ts'
import { referredBy, type SchemasById } from './schema-closure.ts'
import { detailsOf } from './validation-details.ts'

type Fault = { keyword: string; instancePath: string; params: Record<string, unknown> }
/** As much of one of Ajv's functions as Fastify uses. */
export type Check = { (value: unknown): unknown; errors?: unknown }
type Part = { schema: unknown; httpPart?: string; contentType?: string }

/**
 * Two compilers, because a query is text and must be read (`5` is a number there), while a body must be taken as it is:
 * Fastify's own settings turn 5 into "5", null into "" and drop unknown fields without a word. Schemas that are written alike share a check.
 */
// rule: requests 2
export function buildValidator(): (part: Part, known: SchemasById) => Check {
  const body = compilerOf(false)
  const bodyFirst = compilerOf(false, false)
  const rest = compilerOf(true)
  return (part, known) => {
    if (part.httpPart === 'body') {
      // Parts of a form are read and checked by the operation, one after another: here there is nothing to look at.
      return part.contentType === 'multipart/form-data'
        ? passes
        : smallOrLarge(body(part.schema, known), () => bodyFirst(part.schema, known))
    }
    const check = rest(part.schema, known)
    return part.httpPart === 'querystring' || part.httpPart === 'params' ? textsFirst(check) : check
  }
}

/** One compiler for each set of schemas that are referred to, all of them made at first use. */
function compilerOf(coerceTypes: boolean, allErrors = true): (schema: unknown, known: SchemasById) => Check {
  const ajv = AjvCompiler()
  const customOptions = optionsOf(coerceTypes, allErrors)
  const compiled = new Map<string, Check>()
  return (schema, known) => {
    const needed = referredBy(schema, known)
    const key = JSON.stringify([schema, needed])
    const check = compiled.get(key) ?? (ajv(needed as never, { customOptions })({ schema } as never) as Check)
    compiled.set(key, check)
    return check
  }
}

/** What schemas say beside the standard, for words and documents. A compiler of our schemas must know them. */
export const ownKeywords = ['x-expected', 'x-reason', 'x-tags']

const optionsOf = (coerceTypes: boolean, allErrors: boolean) => ({
  allErrors,
  removeAdditional: false as const,
  useDefaults: coerceTypes,
  discriminator: true,
  coerceTypes,
  // Errors then carry the schema that they come from, for its words.
  verbose: true,
  strict: true,
  // They are ours, and held against the standard as the contract's document; doing so again at each compilation cost more than half of it.
  validateSchema: false,
  // V8 does it too: a check is as fast without, and is made in half the time.
  code: { optimize: false },
  strictTypes: false as const,
  strictRequired: false,
  keywords: ownKeywords,
})

const passes = () => true

/** Any body that means something has fewer values, but for a few with much in them. */
const valuesMax = 500

/**
 * Names all that is wrong with a body of usual size, and of one with more values the first: else thousands of mistakes would be written down,
 * of which nobody reads more than 20. The second check of a route is compiled when it is first needed.
 */
function smallOrLarge(all: Check, first: () => Check): Check {
  let ofLarge: Check | null = null
  const check: Check = (body) => {
    const isLarge = valuesIn(body, valuesMax) <= 0
    if (isLarge) ofLarge ??= first()
    const used = isLarge && ofLarge !== null ? ofLarge : all
    const passed = used(body)
    check.errors = used.errors
    return passed
  }
  return check
}

/** How many of `left` values remain when those in `value` are counted; it stops at none. */
function valuesIn(value: unknown, left: number): number {
  if (left <= 0 || typeof value !== 'object' || value === null) return left - 1
  let rest = left - 1
  for (const key in value) {
    rest = valuesIn((value as Record<string, unknown>)[key], rest)
    if (rest <= 0) break
  }
  return rest
}

/** Refuses what no field of a query or path may be: empty, given twice, no UTF-8, or a NUL, which PostgreSQL cannot store. */
function textsFirst(check: Check): Check {
  const first: Check = (fields) => {
    const wrong = wrongTexts(fields as Readonly<Record<string, unknown>>)
    if (wrong !== null) {
      first.errors = wrong
      return false
    }
    const passed = check(fields)
    first.errors = check.errors
    return passed
  }
  return first
}

function wrongTexts(fields: Readonly<Record<string, unknown>>): Fault[] | null {
  let wrong: Fault[] | null = null
  for (const name in fields) {
    const value = fields[name]
    const keyword = Array.isArray(value) ? 'repeated' : wrongText(String(value))
    if (keyword !== null) wrong = [...(wrong ?? []), { keyword, instancePath: `/${name}`, params: {} }]
  }
  return wrong
}

const wrongText = (text: string) => (text === '' ? 'empty' : text.includes('\0') ? 'nul' : isText(text) ? null : 'encoding')

/** Fastify's `schemaErrorFormatter`: a 400 that names each wrong field; a path that lacks a part, such as `/messages/`, is no path of ours. */
export function invalidRequest(errors: readonly FastifySchemaValidationError[], part: string): RequestRefused {
  if (part === 'params' && errors.some((each) => each.keyword === 'empty'))
    return new RequestRefused(refusal('not_found', because('no_page', 'There is nothing at this path.')))
  const details = detailsOf(errors, part)
  const [first] = details
  const words = first?.field === undefined ? first?.message : `${first.field} ${first.message}`
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
  return new RequestRefused(refusal('invalid_request', `The request is not valid: ${words}${more}.`, details))
}
