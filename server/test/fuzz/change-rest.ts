import fc, { type Arbitrary } from 'fast-check'
import type { Parameter } from './operations.ts'
import { type FuzzRequest, fine, open, type Plain, refused, request } from './request.ts'

/** A query with something wrong in it. */
export function changedQueries(plain: Plain): Arbitrary<FuzzRequest> {
  const added = (what: string, name: string, ...values: string[]) =>
    request(plain, what, refused(name), {
      query: [...plain.query.filter(([each]) => each !== name), ...values.map((value) => [name, value] as const)],
    })
  const unknown = fc
    .constantFrom('nonsense', 'page', 'offset', 'Limit', 'constructor', '__proto__', 'a b', 'é')
    .map((name) => added('an unknown field', name, '1'))
  const raw = fc
    .constantFrom('%', '%zz', '&&&', '=', '?', 'a=b=c', '%00=1', '#', '%ED%A0%80', 'a[]=1', ';')
    .map((rawQuery) => request(plain, 'a strange query', open, { rawQuery }))
  if (plain.operation.query.length === 0) return fc.oneof(unknown, raw)
  const parameter = fc.constantFrom(...plain.operation.query)
  return fc.oneof(
    unknown,
    raw,
    parameter.map(({ name }) => added('an empty value', name, '')),
    parameter.map(({ name }) => added('a field twice', name, '1', '1')),
    parameter.map(({ name }) => added('a NUL', name, 'a\0b')),
    fc.tuple(parameter, strangeTexts).map(([{ name, schema }, text]) => {
      const expected = isWrong(schema, text) ? refused(name) : open
      return request(plain, 'a strange value', expected, { query: [...plain.query.filter(([each]) => each !== name), [name, text]] })
    }),
  )
}

const strangeTexts = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '101',
    '1e2',
    'abc',
    'true',
    'null',
    '[object Object]',
    '9'.repeat(40),
    ' ',
    '5.5',
    '+5',
    '0x10',
    "' or 1=1 --",
    '%',
    '*',
    '\\',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 600 }).map((text) => text.replaceAll('\0', '0')),
)

/** Surely wrong, that is: what a field of text can be read as is the server's to say. */
function isWrong({ enum: allowed, pattern, type, maximum, minimum }: Parameter['schema'], text: string): boolean {
  if (allowed !== undefined) return !allowed.includes(text)
  if (pattern !== undefined) return !new RegExp(pattern).test(text)
  if (type !== 'integer') return false
  return (
    !/^[ +-]?[0-9.exX]+ ?$/.test(text) || (/^-?[0-9]+$/.test(text) && (Number(text) < (minimum ?? 0) || Number(text) > (maximum ?? 1e9)))
  )
}

/** Paths that lead to nothing, or to something by another way. */
export function changedPaths(plain: Plain): Arbitrary<FuzzRequest> {
  const junk = [
    '',
    '.',
    '..',
    '%00',
    '%2f',
    '%ff',
    '%',
    'x'.repeat(700),
    '%F0%9F%99%82',
    'MSG_00',
    ';a=b',
    '*',
    '%20',
    'null',
    '..%2f..',
    '%C0%AE',
  ]
  const whole = [
    '/v1',
    '/v1/',
    '/v1//',
    '/v1/%00',
    '/v1/nothing',
    '/V1/messages',
    '/v1/messages/../webhooks',
    '/v1/messages?',
    '/%',
    '/v1/__proto__',
    '*',
    '//v1/messages',
  ]
  return fc.oneof(
    fc
      .constantFrom(...junk)
      .map((part) => request(plain, 'a strange part of the path', open, { path: plain.operation.path.replace(/\{[^}]+\}/, () => part) })),
    fc.constantFrom(...whole).map((path) => request(plain, 'a strange path', open, { path })),
    fc
      .constantFrom('PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND')
      .map((method) => request(plain, 'another method', open, { method })),
    fc.constant(request(plain, 'a slash at the end', open, { path: `${plain.path}/` })),
  )
}

/** Headers that mean nothing here, are wrong, or belong to somebody else. */
export function changedHeaders(plain: Plain): Arbitrary<FuzzRequest> {
  const harmless = fc.constantFrom<[string, string]>(
    ['accept', 'image/png'],
    ['accept-encoding', 'x, *;q=0'],
    ['x-http-method-override', 'DELETE'],
    ['expect', 'nonsense'],
    ['if-none-match', '*'],
    ['range', 'bytes=0-1'],
    ['x-forwarded-for', '203.0.113.9'],
    ['cookie', 'a=b; '.repeat(100)],
    ['user-agent', ''],
    ['request-id', 'req_1'],
    ['x-a', '\u00e9'.repeat(50)],
  )
  const unreadableKeys = ['', 'k'.repeat(256), 'é', '\t']
  const readsKey = plain.operation.headers.some(({ name }) => name === 'idempotency-key')
  return fc.oneof(
    harmless.map(([name, value]) => request(plain, `the header ${name}`, fine, { headers: { [name]: value } })),
    fc
      .constantFrom('', 'Bearer', 'Bearer ', 'Basic eA==', 'Bearer svc_live_x', 'Bearer a b', `Bearer ${'x'.repeat(5000)}`, 'svc_live_')
      .map((authorization) => request(plain, 'a wrong key', open, { headers: { authorization } })),
    fc
      .constantFrom(...unreadableKeys)
      .map((key) => request(plain, 'a strange Idempotency-Key', readsKey ? open : fine, { headers: { 'idempotency-key': key } })),
  )
}
