import fc, { type Arbitrary } from 'fast-check'
import { limits } from '../../src/limits.ts'
import { type FuzzRequest, fine, open, type Plain, refused, request } from './request.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Step = string | number

/** What is put in the place of some part of a body; the lengths are those around the contract's limits. */
const replacements: Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 101, 1e308, '', ' ', 'x', '5', [], {}, [null], { a: 1 }, [[[[[]]]]]),
  fc
    .constantFrom(120, 121, 140, 141, 200, 201, 240, 241, 512, 513, 1024, 1025, 2048, 2049, 4096, 4097, 70_000)
    .map((length) => 'ã'.repeat(length)),
  fc.constantFrom(10, 11, 20, 21, 30, 31, 50, 51, 300).map((length) => Array.from({ length }, () => ({}))),
  fc.jsonValue({ maxDepth: 2 }) as Arbitrary<Json>,
)
/** Valid JSON that cannot be stored as text. */
const unstorable = fc.constantFrom('\0', 'a\0b', '\ud800', 'x\udfff', '\udc00\ud800')

/** A body that is JSON, with one part of it changed. `fits` says whether the document still allows it. */
export function changedBodies(plain: Plain, fits: (body: unknown) => boolean): Arbitrary<FuzzRequest> {
  const body = plain.body as Json
  const places = placesIn(body)
  const parts = places.slice(1)
  const place = fc.constantFrom(...places)
  const judged = (what: string, at: readonly Step[], changed: Json | undefined) =>
    request(plain, what, fits(changed) ? open : refused(fieldOf(at)), { body: changed === undefined ? null : JSON.stringify(changed) })
  return fc.oneof(
    fc.tuple(place, replacements).map(([at, value]) => judged('a part replaced', at, replaced(body, at, value))),
    // Without parts the whole is removed: no body.
    fc.constantFrom(...(parts.length > 0 ? parts : places)).map((at) => judged('a part removed', at, replaced(body, at, undefined))),
    place.map((at) => judged('a field added', [...at, 'nonsense'], replaced(body, [...at, 'nonsense'], 'x'))),
    fc
      .tuple(place, unstorable)
      .map(([at, text]) =>
        request(plain, 'a NUL or half a surrogate', refused(fieldOf(at)), { body: JSON.stringify(replaced(body, at, text)) }),
      ),
    place.map((at) => request(plain, 'a NUL in a key', refused(null), { body: JSON.stringify(replaced(body, [...at, 'a\0'], 1)) })),
    fc.tuple(place, fc.integer({ min: 101, max: 5_000 })).map(([at, depth]) => {
      const text = JSON.stringify(replaced(body, at, 'DEEP'))
      return request(plain, 'nested deep', refused(null), { body: text.replace('"DEEP"', '['.repeat(depth) + ']'.repeat(depth)) })
    }),
    fc.tuple(place, fc.constantFrom('1e400', '-1e400', '9007199254740993', '-0', `${'9'.repeat(400)}`, '0.1e-400')).map(([at, digits]) => {
      const text = JSON.stringify(replaced(body, at, 'DIGITS'))
      return request(plain, 'a strange number', open, { body: text.replace('"DIGITS"', digits) })
    }),
  )
}

/** Bytes that are no JSON body, or are one in an unusual form. */
export function changedBytes(plain: Plain): Arbitrary<FuzzRequest> {
  const text = JSON.stringify(plain.body)
  const asBytes = (what: string, body: string | Buffer) => request(plain, what, refused(null), { body })
  const ofType = (type: string) => request(plain, `the content type ${type}`, refused(null), { headers: { 'content-type': type } })
  const padded = (length: number) => text.slice(0, -1) + ' '.repeat(Math.max(0, length - Buffer.byteLength(text))) + text.slice(-1)
  return fc.oneof(
    fc.integer({ min: 1, max: Math.max(1, text.length - 1) }).map((length) => asBytes('cut off', text.slice(0, length))),
    fc.constantFrom('x', '}', ',', '\0', text, '//', '[').map((more) => asBytes('with something behind it', `${text}${more}`)),
    fc
      .constantFrom(
        "{'to':1}",
        '{a:1}',
        '{"a":1,}',
        '{"a":01}',
        'NaN',
        '[1,]',
        '\ufeff\ufeff{}',
        '{"a":"\n"}',
        '{"__proto__":{}}',
        '/**/{}',
      )
      .map((body) => asBytes('not JSON', body)),
    fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => asBytes('bytes', Buffer.from([0xff, ...bytes]))),
    fc.constant(asBytes('broken UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]))),
    fc
      .constantFrom(
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'application/vnd.api+json',
        'x',
        '/',
        'multipart/form-data',
      )
      .map(ofType),
    fc.constant(request(plain, 'compressed, it says', refused(null), { headers: { 'content-encoding': 'gzip' } })),
    fc.constant(asBytes('one byte too large', padded(limits.bodyBytesMax + 1))),
    fc.constant(request(plain, 'as large as may be', fine, { body: padded(limits.bodyBytesMax) })),
    fc.constant(request(plain, 'with a byte-order mark', fine, { body: `\ufeff${text}` })),
    fc
      .constantFrom('application/json; charset=utf-8', 'application/JSON', 'application/json;charset="utf-8"')
      .map((type) => request(plain, `the content type ${type}`, fine, { headers: { 'content-type': type } })),
    fc.constant(request(plain, 'with white space', fine, { body: `\n\t ${JSON.stringify(plain.body, null, '\t')}\r\n` })),
    fc.constant(request(plain, 'empty', plain.operation.body?.required === true ? refused(null) : fine, { body: '' })),
    fc.constant(request(plain, 'a key twice', open, { body: `{"to":1,${text.slice(1)}` })),
  )
}

/** Every place in a value, its whole first. */
function placesIn(value: Json, at: readonly Step[] = []): (readonly Step[])[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inside = Array.isArray(value) ? value.map((each, i): [Step, Json] => [i, each]) : Object.entries(value)
  // A long list is the same again and again.
  return [at, ...inside.slice(0, 40).flatMap(([step, each]) => placesIn(each, [...at, step]))]
}

function replaced(value: Json, at: readonly Step[], by: Json | undefined): Json | undefined {
  const [step, ...rest] = at
  if (step === undefined) return by
  if (Array.isArray(value)) {
    if (typeof step !== 'number') return { [step]: by ?? null }
    const changed = value.map((each, i) => (i === step ? replaced(each, rest, by) : each))
    return changed.filter((each) => each !== undefined)
  }
  if (typeof value !== 'object' || value === null) return { [step]: by ?? null }
  const { [step]: old, ...others } = value
  const changed = replaced(old ?? null, rest, by)
  return changed === undefined ? others : { ...others, [step]: changed }
}

/** `contacts[2].name`, as details name it. Null for the whole, which has no name. */
function fieldOf(at: readonly Step[]): string | null {
  return at.reduce<string | null>((field, step) => {
    if (field === null) return String(step)
    return typeof step === 'number' ? `${field}[${step}]` : `${field}.${step}`
  }, null)
}
