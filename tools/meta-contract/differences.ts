import { isSchema, type OpenApi, type Schema } from './openapi.ts'

/** Where a value differs from its schema, and how. The pointer has `*` for the places of lists. */
export type Difference = { pointer: string; what: string }

/** A schema of one object, with what several schemas say of it put together. */
type Flat = { schema: Schema; properties: { readonly [name: string]: Schema }; required: readonly string[] }

const DEPTH_MAX = 30

/**
 * Compares a value with a schema. Among alternatives the one that fits best counts. A property that no part of the schema names is a difference
 * even where the schema would allow it: what the file does not list, nobody can have read in it. Schemas that are closed inside an `allOf`, which
 * nothing could fit, are read as one.
 */
export function differences(api: OpenApi, schema: Schema, value: unknown, pointer = '', depth = 0): Difference[] {
  if (depth > DEPTH_MAX) return []
  const found = alternatives(api, schema).map((flat) => differencesFromFlat(api, flat, value, pointer, depth))
  return found.sort((a, b) => a.length - b.length)[0] ?? []
}

function alternatives(api: OpenApi, given: Schema, depth = 0): Flat[] {
  const schema = api.resolve(given)
  if (depth > DEPTH_MAX) return []
  const own: Flat = {
    schema,
    properties: isSchema(schema.properties) ? (schema.properties as Flat['properties']) : {},
    required: Array.isArray(schema.required) ? schema.required.map(String) : [],
  }
  let flats = [own]
  for (const part of listOf(schema.allOf)) flats = combine(flats, alternatives(api, part, depth + 1))
  const choices = [...listOf(schema.oneOf), ...listOf(schema.anyOf)]
  if (choices.length > 0)
    flats = combine(
      flats,
      choices.flatMap((choice) => alternatives(api, choice, depth + 1)),
    )
  return flats
}

function combine(left: readonly Flat[], right: readonly Flat[]): Flat[] {
  return left.flatMap((a) =>
    right.map((b) => ({
      schema: { ...a.schema, ...b.schema },
      properties: { ...a.properties, ...b.properties },
      required: [...a.required, ...b.required],
    })),
  )
}

function differencesFromFlat(api: OpenApi, flat: Flat, value: unknown, pointer: string, depth: number): Difference[] {
  const { schema } = flat
  if (value === null && schema.nullable === true) return []
  const wrong = wrongType(schema, flat, value) ?? wrongValue(schema, value)
  if (wrong !== null) return [{ pointer: pointer || '/', what: wrong }]
  if (Array.isArray(value)) {
    const { items } = schema
    const each = isSchema(items) ? value.flatMap((item: unknown) => differences(api, items, item, `${pointer}/*`, depth + 1)) : []
    return [...wrongCount(schema, value).map((what) => ({ pointer: pointer || '/', what })), ...each]
  }
  return isSchema(value) ? differencesOfObject(api, flat, value, pointer, depth) : []
}

function differencesOfObject(api: OpenApi, flat: Flat, value: Schema, pointer: string, depth: number): Difference[] {
  const { properties, required } = flat
  const absent = [...new Set(required)].filter((name) => value[name] === undefined)
  const found = absent.map((name) => ({ pointer: `${pointer}/${name}`, what: 'is required' }))
  // A schema that lists nothing says nothing.
  if (Object.keys(properties).length === 0) return found
  for (const [name, each] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (each === undefined) continue
    if (schema === undefined) found.push({ pointer: `${pointer}/${name}`, what: 'is not listed' })
    else found.push(...differences(api, schema, each, `${pointer}/${name}`, depth + 1))
  }
  return found
}

function wrongType(schema: Schema, flat: Flat, value: unknown): string | null {
  const stated = typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type.map(String) : null
  const types = stated ?? (Object.keys(flat.properties).length > 0 ? ['object'] : null)
  const actual = typeOf(value)
  if (types === null || types.includes(actual) || (actual === 'integer' && types.includes('number'))) return null
  return `is a ${actual}, not a ${types.join(' or ')}`
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

function wrongValue(schema: Schema, value: unknown): string | null {
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return `is another word: ${String(value)}`
  if (typeof value === 'string') {
    if (value.length > limitOf(schema.maxLength)) return `is longer than ${String(schema.maxLength)}`
    if (value.length < limitOf(schema.minLength, 0)) return `is shorter than ${String(schema.minLength)}`
    if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern, 'u').test(value)) return 'has another form'
  }
  if (typeof value === 'number' && (value > limitOf(schema.maximum) || value < limitOf(schema.minimum, Number.NEGATIVE_INFINITY)))
    return 'is out of range'
  return null
}

function wrongCount(schema: Schema, list: readonly unknown[]): string[] {
  if (list.length > limitOf(schema.maxItems)) return [`holds more than ${String(schema.maxItems)}`]
  return list.length < limitOf(schema.minItems, 0) ? [`holds fewer than ${String(schema.minItems)}`] : []
}

function limitOf(value: unknown, none = Number.POSITIVE_INFINITY): number {
  return typeof value === 'number' ? value : none
}

function listOf(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : []
}
