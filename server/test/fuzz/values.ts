import fc, { type Arbitrary } from 'fast-check'
import type { Document } from '../support/contract.ts'

/** What a schema does not say of a field, by the field's name: how a value is made that is right all the same. A pattern says enough. */
export type Hints = Readonly<Record<string, Arbitrary<unknown>>>

/** What a schema cannot say of a value, by its field's name: how one that was made becomes right. */
export type Mends = Readonly<Record<string, (made: Document) => unknown>>

export type Context = { document: Document; hints: Hints; mends: Mends }

/** Three times in four one of these, looked up when the value is made: what exists changes while the fuzzer runs. */
export function mostly<Value>(list: () => readonly Value[] | undefined, otherwise: Value): Arbitrary<Value> {
  return fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 99 })).map(([chance, i]) => {
    const there = list() ?? []
    return chance === 3 ? otherwise : (there[i % there.length] ?? otherwise)
  })
}

/** Longer texts and lists say nothing more, but for the longest that is allowed, which is made now and then. */
const usualLengthMax = 24
const usualItemsMax = 3

/** Values that fit a schema of the document. `field` is the name under which it stands. */
export function valuesOf(context: Context, schema: Document, field = ''): Arbitrary<unknown> {
  const hint = context.hints[field]
  if (hint !== undefined && schema.pattern === undefined) return hint
  const mend = context.mends[field]
  if (mend !== undefined) return valuesOf({ ...context, mends: {} }, schema, field).map(mend)
  if (schema.$ref !== undefined) return valuesOf(context, componentOf(context.document, schema.$ref), field)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const branches: Document[] | undefined = schema.oneOf ?? schema.anyOf
  if (branches !== undefined) return fc.oneof(...branches.map((branch) => valuesOf(context, branch, field)))
  const types: string[] = [schema.type ?? []].flat()
  if (types.length === 0) return anyJson
  return fc.oneof(...types.map((type) => valuesOfType(context, type, schema)))
}

/** Whatever JSON can say, but for a key that no caller may use. */
const anyJson = fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('__proto__'))

const componentOf = (document: Document, reference: string): Document => document.components.schemas[reference.split('/').at(-1) ?? '']

function valuesOfType(context: Context, type: string, schema: Document): Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textsOf(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return listsOf(context, schema)
    case 'object':
      return objectsOf(context, schema)
    default:
      return fc.constant(null)
  }
}

function textsOf({ minLength = 0, maxLength = 200, pattern, format }: Document): Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https'] })
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  // JSON Schema counts code points, and so does this unit.
  const unit = 'binary'
  const usual = fc.string({ unit, minLength, maxLength: Math.max(minLength, Math.min(maxLength, usualLengthMax)) })
  const longest = fc.string({ unit, minLength: maxLength, maxLength, size: 'max' })
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: longest }).map((text) => text.replaceAll('\0', '0'))
}

function listsOf(context: Context, { items = {}, minItems = 0, maxItems = 100 }: Document): Arbitrary<unknown[]> {
  const lists = (min: number, max: number) => fc.array(valuesOf(context, items), { minLength: min, maxLength: max })
  const usual = lists(minItems, Math.max(minItems, Math.min(maxItems, usualItemsMax)))
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: lists(maxItems, maxItems) })
}

function objectsOf(context: Context, { properties = {}, required = [], additionalProperties }: Document): Arbitrary<object> {
  const fields = Object.fromEntries(Object.entries<Document>(properties).map(([name, schema]) => [name, valuesOf(context, schema, name)]))
  const known = fc.record(fields, { requiredKeys: required }) as Arbitrary<object>
  if (additionalProperties !== true) return known
  const key = fc.stringMatching(/^x_[a-z0-9]{1,8}$/)
  const extra = fc.dictionary(key, anyJson, { maxKeys: 2, noNullPrototype: true })
  return fc.tuple(known, extra).map(([fixed, more]) => ({ ...more, ...fixed }))
}
