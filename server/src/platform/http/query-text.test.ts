import { describe, expect, test } from 'vitest'
import { isText, parseQuery } from './query-text.ts'

/** As Node gives a URL: a character for each byte. */
const asBytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

// rule: requests 8
describe('a query', () => {
  test.each<[text: string, fields: object]>([
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=Jos%C3%A9', { a: 'José' }],
    [asBytes('a=José&ç=1'), { a: 'José', ç: '1' }],
    ['a=1+2%2B3', { a: '1 2+3' }],
    ['a=100%', { a: '100%' }],
    ['a=100%&b=Jos%C3%A9%', { a: '100%', b: 'José%' }],
    ['a=%zz', { a: '%zz' }],
    ['a=x=y', { a: 'x=y' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['&&a=1&', { a: '1' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['%61=1&__proto__=x', { a: '1', ['__proto__']: 'x' }],
    ['a=%00', { a: '\0' }],
    ['', {}],
  ])('%j is read as the text that was sent', (text, fields) => {
    expect({ ...parseQuery(text) }).toEqual(fields)
  })

  test.each(['Jos%E9', '%FF', '%C3', 'Jos\xe9', '%ED%A0%80', '%C0%AF', '%C3%28'])('%j is not a text', (value) => {
    const { a } = parseQuery(`a=${value}`)
    expect(typeof a === 'string' && isText(a)).toBe(false)
  })
})
