import { randomUUID } from 'node:crypto'
import type { Brand } from './brand.ts'

/** Whatever JSON can say. A number that a double cannot hold is a `JSON.rawJSON` object, which prints digit for digit. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** Text that is known to be JSON; kept as it came, because printing it again could change it. */
export type JsonText = Brand<string, 'json'>

// TypeScript's library does not have the two yet (ES2025 source text access); Node 24 does.
const rawJson = (JSON as unknown as { rawJSON(text: string): Json }).rawJSON
const isRawJson = (JSON as unknown as { isRawJSON(value: unknown): value is { rawJSON: string } }).isRawJSON

/**
 * Sixteen digits in a row, an exponent of two, or hundreds of zeros are the least that a number beyond a double needs, at the place of a value. Without them the
 * plain parser is exact enough, and ten times as fast. Digits in quotes, as most ids have them, are no number.
 */
const perhapsLarge = /(?:^|[:,[\s])-?(?:[0-9]{16}|[0-9.]+[eE][+-]?[0-9]{2}|0\.0{300})/
/** The key itself, or an escape that may hide one of its letters. */
const perhapsProto = /__proto__|\\u00[567]/

/**
 * rule: requests 3. Parses JSON and keeps what a double cannot hold digit for digit: whole numbers beyond 2^53, and what would become infinite
 * or zero. Throws a SyntaxError for what is not JSON, and for a
 * `__proto__` key, which no caller of ours means.
 */
export function parseJson(text: string): Json {
  const value = parseAnyJson(text)
  if (perhapsProto.test(text) && hasProtoKey(value)) throw new SyntaxError('the key __proto__ is not allowed')
  return value
}

/** The same for what holds the words of many: a `__proto__` key is a plain key and costs its neighbours nothing. */
export function parseAnyJson(text: string): Json {
  if (!perhapsLarge.test(text)) return JSON.parse(text)
  const marked = markNumbers(text)
  return marked === text ? JSON.parse(text) : restored(JSON.parse(marked))
}

/** Stands before the digits of such a number while they are a text. Nobody can know it, and so write it. */
const mark = randomUUID()
const quoteOrNumber = /"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g

/** The text with each number that a double cannot hold as a marked text. A reviver does the same, at the cost of a call for every value there is. */
function markNumbers(text: string): string {
  const search = new RegExp(quoteOrNumber)
  const parts: string[] = []
  let done = 0
  for (let found = search.exec(text); found !== null; found = search.exec(text)) {
    const [number] = found
    if (number === '"') {
      search.lastIndex = endOfString(text, found.index) + 1
      continue
    }
    // Most are short: what is no JSON at all stays so, because a text stands where the number stood.
    if (number.length < 4 || !isBeyondDouble(number)) continue
    parts.push(text.slice(done, found.index), `"${mark}${number}"`)
    done = search.lastIndex
  }
  return done === 0 ? text : parts.join('') + text.slice(done)
}

function isBeyondDouble(number: string): boolean {
  const value = Number(number)
  if (!/[.eE]/.test(number)) return !Number.isSafeInteger(value)
  return !Number.isFinite(value) || (value === 0 && /^-?[0.]*[1-9]/.test(number))
}

/** The index of the quote that ends the text which starts at `start`; the end when there is none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}

/** The value with its marked texts as the numbers that they stand for. Throws where one is a key, which no number can be. */
function restored(value: Json): Json {
  if (typeof value === 'string') return value.startsWith(mark) ? rawJson(value.slice(mark.length)) : value
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) if (typeof each === 'object' || typeof each === 'string') value[i] = restored(each)
    return value
  }
  for (const key of Object.keys(value)) {
    if (key.startsWith(mark)) throw new SyntaxError('a key is no text')
    const each = value[key] as Json
    const better = typeof each === 'object' || typeof each === 'string' ? restored(each) : each
    // Assigned, a key __proto__ would be something else.
    if (better !== each) Object.defineProperty(value, key, { value: better, enumerable: true, writable: true, configurable: true })
  }
  return value
}

function hasProtoKey(value: Json): boolean {
  if (value === null || typeof value !== 'object') return false
  if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) return true
  return Object.values(value).some(hasProtoKey)
}

/** The same text for the same value, whatever the order of object keys: what "the same body" means for idempotency. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isRawJson(value)) return value.rawJSON
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`).join(',')}}`
}

/** Where a text holds what PostgreSQL or UTF-8 cannot: a NUL or half a surrogate pair. Null when there is none. */
export function unstorableField(value: Json, path = ''): string | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null
  if (value === null || typeof value !== 'object' || isRawJson(value)) return null
  for (const [key, each] of Object.entries(value)) {
    const inside = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    if (key.includes('\0') || !key.isWellFormed()) return path === '' ? 'body' : path
    const found = unstorableField(each, inside)
    if (found !== null) return found
  }
  return null
}

/** What only an escape can bring into valid JSON, and only a mended value should lose: most texts need no second look. */
const perhapsUnstorable = /\\u(?:0000|d[89a-f])/i

/** The value that a text was parsed into, such that it can be stored. Nearly every escape is half of a whole pair: then nothing is copied. */
export const storableOf = (text: string, value: Json): Json =>
  perhapsUnstorable.test(text) && !isStorable(value) ? storable(value) : value

/** The same value with every NUL and half surrogate replaced by U+FFFD: upstream's words are kept, not refused. */
export function storable(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed()
  if (value === null || typeof value !== 'object' || isRawJson(value)) return value
  if (Array.isArray(value)) return value.map(storable)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [storable(key) as string, storable(each)]))
}

function isStorable(value: Json): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (value === null || typeof value !== 'object' || isRawJson(value)) return true
  if (Array.isArray(value)) return value.every(isStorable)
  for (const key in value) if (!isStorable(key) || !isStorable(value[key] as Json)) return false
  return true
}

/** Where a number stands that JSON can write and no program can hold, such as `1e400`; a large whole number is none. Null when there is none. */
export function unheldField(value: Json, path = ''): string | null {
  if (value === null || typeof value !== 'object') return null
  if (isRawJson(value)) return /^-?[0-9]+$/.test(value.rawJSON) ? null : path
  for (const [key, each] of Object.entries(value)) {
    const inside = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    const found = unheldField(each, inside)
    if (found !== null) return found
  }
  return null
}

/** rule: receive 19. Upstream writes some numbers as text and some texts of digits as numbers: either as text, with every digit. Null for anything else. */
export function textOrDigits(value: Json | undefined): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (typeof value === 'number') return String(value)
  return isRawJson(value) ? value.rawJSON : null
}

/** The whole number that this is, or that its digits are, where a column of 32 bits can hold it; null for anything else. */
export function wholeNumber(value: Json | undefined): number | null {
  const number = typeof value === 'string' && /^-?[0-9]{1,10}$/.test(value.trim()) ? Number(value) : value
  return typeof number === 'number' && number === (number | 0) ? number : null
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJson(value)
