import type { ReasonCode } from '../../base/reasons.ts'
import type { Reason } from '../../base/refusal.ts'

/** As much of one of Ajv's errors as is used here. */
export type SchemaFault = {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
  /** What Ajv says itself. */
  message?: string
  /** What stood there. */
  data?: unknown
  /** The schema that was not met; it may say in `x-expected` what it wants, in words. */
  parentSchema?: Readonly<Record<string, unknown>>
}

/** What a fault says is expected; types and values are kept apart so that the branches of a union can be joined. */
export type Expectation = { message: string; reason: Reason; types: readonly string[]; values: readonly unknown[] }

export function expectationOf(fault: SchemaFault): Expectation {
  const { keyword, params } = fault
  const types = keyword === 'type' ? [params.type].flat().map(String) : []
  const values = keyword === 'const' ? [params.allowedValue] : keyword === 'enum' ? [params.allowedValues].flat() : []
  return { message: messageOf(fault), reason: reasonOf(fault), types, values }
}

/** These are about the field's being there at all, so what it should look like is no answer. */
const aboutPresence = new Set(['required', 'additionalProperties', 'repeated', 'empty', 'nul', 'encoding', 'dependentRequired'])

function messageOf(fault: SchemaFault): string {
  const words = fault.parentSchema?.['x-expected']
  if (typeof words === 'string' && !aboutPresence.has(fault.keyword)) return `must be ${words}`
  const sentence = sentences[fault.keyword]?.(fault.params, fault) ?? fault.message ?? 'is not valid'
  return aboutChoice.has(fault.keyword) ? sentence + notAmong(fault) : sentence
}

/** What was none of a choice is named, so that it is found in a list of many. */
const aboutChoice = new Set(['enum', 'union', 'discriminator'])

/** Only what looks like one of the words of a choice: anything else may be somebody's text, phone or key. */
function notAmong({ keyword, data, params }: SchemaFault): string {
  const value = keyword === 'discriminator' ? params.tagValue : data
  if (keyword === 'union' && (params.values as unknown[]).length === 0) return ''
  return typeof value === 'string' && /^(?![a-z]*_?[0-9]{4})[A-Za-z][A-Za-z0-9_.*-]{0,39}$/.test(value) ? `; "${value}" is not` : ''
}

/** The same for the console. A schema may say in `x-reason` by which reason it is not met. */
function reasonOf({ keyword, params, parentSchema }: SchemaFault): Reason {
  const own = parentSchema?.['x-reason']
  if (typeof own === 'string' && !aboutPresence.has(keyword)) return { code: own as ReasonCode, params: {} }
  const limit = Number(params.limit)
  if (keyword === 'minLength' && limit === 1) return { code: 'empty', params: {} }
  const bound = bounds[keyword]
  if (bound !== undefined) return { code: bound[0], params: { [bound[1]]: limit } }
  return { code: plain[keyword] ?? 'malformed', params: {} }
}

const bounds: Readonly<Record<string, readonly [ReasonCode, 'min' | 'max']>> = {
  minLength: ['too_short', 'min'],
  maxLength: ['too_long', 'max'],
  minimum: ['too_small', 'min'],
  maximum: ['too_large', 'max'],
  minItems: ['too_few', 'min'],
  maxItems: ['too_many', 'max'],
}

const plain: Readonly<Record<string, ReasonCode>> = {
  required: 'required',
  dependentRequired: 'required',
  additionalProperties: 'unknown_field',
  unevaluatedProperties: 'unknown_field',
  repeated: 'only_once',
  empty: 'empty',
  nul: 'nul',
  type: 'wrong_type',
  const: 'one_of',
  enum: 'one_of',
  union: 'one_of',
  discriminator: 'one_of',
  uniqueItems: 'twice',
  not: 'not_here',
  'false schema': 'not_here',
}

type Sentence = (params: Readonly<Record<string, unknown>>, fault: SchemaFault) => string

const sentences: Readonly<Record<string, Sentence>> = {
  required: () => 'is required',
  dependentRequired: () => 'is required here',
  additionalProperties: () => 'is not a known field',
  unevaluatedProperties: () => 'is not a known field',
  repeated: () => 'may be given only once',
  empty: () => 'must not be empty',
  encoding: () => 'must be UTF-8, percent-encoded',
  nul: () => 'must not contain NUL characters',
  type: ({ type }) => `must be ${typeNames([type].flat().map(String))}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  enum: ({ allowedValues }) => `must be one of ${valueNames([allowedValues].flat())}`,
  discriminator: ({ tagValue }, { parentSchema }) => {
    const tags = parentSchema?.['x-tags']
    if (typeof tagValue !== 'string') return 'must be a string'
    return Array.isArray(tags) ? `must be one of ${valueNames(tags)}` : 'is not one of the allowed values'
  },
  union: ({ types, values, other }) => unionSentence(types as string[], values as unknown[], other as string | undefined),
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  minItems: ({ limit }) => `must have at least ${limit} ${limit === 1 ? 'item' : 'items'}`,
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  minProperties: ({ limit }) => `must have at least ${limit} ${limit === 1 ? 'field' : 'fields'}`,
  maxProperties: ({ limit }) => `must have at most ${limit} fields`,
  uniqueItems: () => 'must not have the same item twice',
  pattern: ({ pattern }) => `must match ${pattern}`,
  format: ({ format }) => `must be ${formatNames[String(format)] ?? `a valid ${format}`}`,
  not: () => 'is not allowed here',
  'false schema': () => 'is not allowed here',
}

function unionSentence(types: readonly string[], values: readonly unknown[], other: string | undefined): string {
  if (types.length === 0 && values.length === 0) return other ?? 'fits more than one of the allowed forms'
  const oneOf = values.length > 0 ? [`one of ${valueNames(values)}`] : []
  // A literal also says its type, which its value says already.
  const others = types.filter((type) => !values.some((value) => typeof value === type))
  return `must be ${[...oneOf, ...others.map(typeName)].join(' or ')}`
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

const formatNames: Readonly<Record<string, string>> = {
  uri: 'a complete URL',
  'date-time': 'a time in ISO-8601',
  date: 'a date (YYYY-MM-DD)',
}

const typeName = (type: string) => typeWords[type] ?? type

const typeNames = (types: readonly string[]) => types.map(typeName).join(' or ')

const valueNames = (values: readonly unknown[]) =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')
