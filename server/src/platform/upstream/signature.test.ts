import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { noticeIsSigned } from './signature.ts'

const sign = (bytes: Buffer, secret: string) => `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`
// Upstream escapes what is not ASCII before it signs.
const bytes = Buffer.from('{"text":"Ol\\u00e1 \\ud83d\\ude00","slash":"a\\/b","n":12345678901234567890}')

describe('the signature of a notice', () => {
  test('agrees with a known vector', () => {
    // printf '{}' | openssl dgst -sha256 -hmac secret
    const header = 'sha256=77325902caca812dc259733aacd046b73817372c777b8d95b402647474516e13'
    expect(noticeIsSigned(Buffer.from('{}'), header, ['secret'])).toBe(true)
    expect(noticeIsSigned(Buffer.from('[]'), header, ['secret'])).toBe(false)
  })

  test('is over the bytes as they came, escapes and all', () => {
    expect(noticeIsSigned(bytes, sign(bytes, 'secret'), ['secret'])).toBe(true)
    const printedAgain = Buffer.from(JSON.stringify(JSON.parse(bytes.toString())))
    expect(noticeIsSigned(printedAgain, sign(bytes, 'secret'), ['secret'])).toBe(false)
  })

  test('may be made with either of two secrets while they change, and with no third', () => {
    for (const secret of ['new', 'old']) expect(noticeIsSigned(bytes, sign(bytes, secret), ['new', 'old'])).toBe(true)
    expect(noticeIsSigned(bytes, sign(bytes, 'other'), ['new', 'old'])).toBe(false)
    expect(noticeIsSigned(bytes, sign(bytes, 'new'), [])).toBe(false)
  })

  test('of an empty body counts like any other', () => {
    expect(noticeIsSigned(Buffer.alloc(0), sign(Buffer.alloc(0), 'secret'), ['secret'])).toBe(true)
  })

  const good = sign(bytes, 'secret')
  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['no algorithm', good.slice(7)],
    ['another algorithm', good.replace('sha256', 'sha1')],
    ['capitals', good.toUpperCase()],
    ['a digit too few', good.slice(0, -1)],
    ['a digit too many', `${good}0`],
    ['a newline at the end', `${good}\n`],
    ['space around it', ` ${good}`],
    ['no hex', `sha256=${'g'.repeat(64)}`],
    ['two values', `${good}, ${good}`],
  ])('is refused with %s', (_what, header) => {
    expect(noticeIsSigned(bytes, header, ['secret'])).toBe(false)
  })
})
