import fc, { type Arbitrary } from 'fast-check'
import { type FuzzRequest, fine, open, type Plain, refused, request } from './request.ts'

const boundary = 'x-boundary-of-the-fuzzer'
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

type Part = { name: string; fileName?: string; content: Buffer | string }

function form(parts: readonly Part[], end = `--${boundary}--\r\n`): Buffer {
  const chunks = parts.flatMap(({ name, fileName, content }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...chunks, Buffer.from(end)])
}

/** Uploads, right and wrong; the field of the file is the one that the document names. */
export function formRequests(plain: Plain): Arbitrary<FuzzRequest> {
  const [name = 'file'] = Object.keys(plain.operation.body?.schema.properties ?? {})
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const sent = (what: string, expected: FuzzRequest['expected'], body: Buffer | string, more: Record<string, string> = {}) =>
    request(plain, what, expected, { body, headers: { ...headers, ...more } })
  const file = (fileName: string, content: Buffer | string = pixel): Part => ({ name, fileName, content })
  return fc.oneof(
    fc
      .constantFrom('foto.png', 'pão de queijo.png', 'a'.repeat(240), '..', '../../etc/passwd', 'x\u0000', '')
      .map((fileName) => sent('a file', open, form([file(fileName)]))),
    fc
      .uint8Array({ minLength: 1, maxLength: 200 })
      .map((bytes) => sent('a small image', fine, form([file('foto.png', Buffer.concat([pixel, bytes]))]))),
    fc
      .uint8Array({ minLength: 0, maxLength: 2_000 })
      .map((bytes) => sent('a file of noise', open, form([file('ruido.bin', Buffer.from(bytes))]))),
    fc.constant(sent('no part', refused(null), form([]))),
    fc.constant(sent('another field', refused(null), form([{ name: 'nonsense', content: 'x' }]))),
    fc.constant(sent('two files', open, form([file('a.png'), file('b.png')]))),
    fc.constant(sent('an empty file', refused(null), form([file('a.png', '')]))),
    fc.constant(sent('no end', refused(null), form([file('a.png')], ''))),
    fc.integer({ min: 1, max: 150 }).map((length) => sent('cut off', refused(null), form([file('a.png')]).subarray(0, length))),
    fc.constant(sent('no boundary', refused(null), form([file('a.png')]), { 'content-type': 'multipart/form-data' })),
    fc.constant(sent('another boundary', refused(null), form([file('a.png')]), { 'content-type': 'multipart/form-data; boundary=y' })),
    fc.constant(sent('JSON', refused(null), '{"file":"x"}', { 'content-type': 'application/json' })),
    fc.constant(sent('broken JSON', refused(null), '{ broken', { 'content-type': 'application/json' })),
    fc
      .array(fc.constantFrom('a', 'b', name), { minLength: 200, maxLength: 300 })
      .map((names) => sent('many fields', open, form(names.map((each) => ({ name: each, content: 'x' }))))),
  )
}
