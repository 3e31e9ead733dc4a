import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalPhone, type Digits, lacksCountryCode55, parsePhone } from './phone.ts'

const canonical = (text: string) => {
  const digits = parsePhone(text)
  return digits === null ? null : canonicalPhone(digits)
}

describe('reading a phone', () => {
  test.each([
    ['5511987654321', '5511987654321'],
    ['+5511987654321', '5511987654321'],
    ['+55 (11) 98765-4321', '5511987654321'],
    ['  +55 11 98765‑4321\n', '5511987654321'],
    ['+55\u00a011\u202f98765\u20134321', '5511987654321'],
    ['[55] 11 98765 4321', '5511987654321'],
    ['1234567890', '1234567890'],
    ['123456789012345', '123456789012345'],
  ])('%j is understood', (text, digits) => {
    expect(parsePhone(text)).toBe(digits)
  })

  test.each([
    ['nothing', ''],
    ['nine digits', '123456789'],
    ['sixteen digits', '1234567890123456'],
    ['a leading zero', '05511987654321'],
    ['letters', '5511987654321x'],
    ['a plus in the middle', '55+11987654321'],
    ['two pluses', '++5511987654321'],
    ['dots', '55.11.98765.4321'],
    ['digits of another script', '٥٥١١٩٨٧٦٥٤٣٢١'],
    ['a NUL', '5511987654321\0'],
    ['more than 64 characters', `5511987654321${' '.repeat(60)}`],
  ])('%s is refused', (_what, text) => {
    expect(parsePhone(text)).toBeNull()
  })
})

describe('a phone that is written somehow', () => {
  const digits = fc.stringMatching(/^[1-9][0-9]{9,14}$/)
  const decoration = fc
    .array(fc.constantFrom(' ', '-', '(', ')', '[', ']', '\u00a0', '\u2011', '\t'), { maxLength: 2 })
    .map((signs) => signs.join(''))
  const written = fc.tuple(digits, fc.array(decoration, { minLength: 15, maxLength: 15 }), fc.boolean()).map(([text, between, plus]) => ({
    text,
    shown: `${plus ? '+' : ''}${[...text].map((digit, i) => `${between[i]}${digit}`).join('')}`,
  }))

  test('is the digits in it, whatever stands between them', () => {
    fc.assert(
      fc.property(written, ({ text, shown }) => {
        expect(parsePhone(shown)).toBe(text)
      }),
    )
  })

  test('is nothing once it has any other sign', () => {
    const strange = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((sign) => !/[\d\s()[\]\p{Pd}+]/u.test(sign))
    fc.assert(
      fc.property(written, strange, fc.nat(), ({ shown }, sign, at) => {
        const place = 1 + (at % shown.length)
        expect(parsePhone(shown.slice(0, place) + sign + shown.slice(place))).toBeNull()
      }),
    )
  })

  test('is never read as more or fewer digits than the contract has', () => {
    const anyText = fc.string({ unit: fc.constantFrom(...'0123456789+ -()') })
    fc.assert(
      fc.property(anyText, (text) => {
        const read = parsePhone(text)
        if (read !== null) expect(read).toMatch(/^[1-9][0-9]{9,14}$/)
      }),
    )
  })
})

describe('the canonical form', () => {
  test.each([
    ['a mobile of Brazil gains the ninth digit', '551187654321', '5511987654321'],
    ['a mobile of Brazil that has it stays', '5511987654321', '5511987654321'],
    ['a landline of Brazil stays', '551132654321', '551132654321'],
    ['a number of Brazil whose eight digits start with 6 is a mobile', '558861234567', '5588961234567'],
    ['a number of Brazil whose eight digits start with 5 is a landline', '558851234567', '558851234567'],
    ['a number of Mexico loses the old 1', '5215512345678', '525512345678'],
    ['a number of Mexico without it stays', '525512345678', '525512345678'],
    ['a number of Argentina gains the 9', '541123456789', '5491123456789'],
    ['a number of Argentina that has it stays', '5491123456789', '5491123456789'],
    ['a number of the United States stays', '15551234567', '15551234567'],
    ['a number that only begins like Brazil stays', '5511876543', '5511876543'],
  ])('%s', (_rule, digits, expected) => {
    expect(canonical(digits)).toBe(expected)
  })

  const digitsOf = (length: number, first = '0123456789') =>
    fc
      .tuple(fc.constantFrom(...first), fc.string({ minLength: length - 1, maxLength: length - 1, unit: fc.constantFrom(...'0123456789') }))
      .map(([head, rest]) => head + rest)

  test('is its own canonical form, whatever the digits', () => {
    const anyDigits = fc.oneof(
      fc.integer({ min: 10, max: 15 }).chain((length) => digitsOf(length, '123456789')),
      fc
        .constantFrom('55', '52', '521', '54', '549')
        .chain((country) => fc.integer({ min: 8, max: 11 }).chain((n) => digitsOf(n).map((rest) => country + rest))),
    )
    fc.assert(
      fc.property(anyDigits, (digits) => {
        const once = canonicalPhone(digits as Digits)
        expect(canonicalPhone(once as string as Digits)).toBe(once)
      }),
    )
  })

  // rule: people 1
  test('is the same for both spellings of one mobile', () => {
    const area = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 9 })).map(([a, b]) => `${a}${b}`)
    const pairs = fc.oneof(
      fc.tuple(area, digitsOf(8, '6789')).map(([ddd, local]) => [`55${ddd}${local}`, `55${ddd}9${local}`] as const),
      digitsOf(10).map((local) => [`521${local}`, `52${local}`] as const),
      digitsOf(10).map((local) => [`54${local}`, `549${local}`] as const),
    )
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        expect(canonicalPhone(one as Digits)).toBe(canonicalPhone(other as Digits))
      }),
    )
  })
})

describe('a Brazilian phone without its country code', () => {
  test.each([
    '11987654321',
    '(11) 98765-4321',
    '11 91234-5678',
    '1132654321',
    '21987654321',
    '55987654321',
    '61 99876-5432',
    '85987654321',
  ])('%s is known as one: it is no number of another country', (text) => expect(lacksCountryCode55(text)).toBe(true))

  test.each([
    ['with its country code', '5511987654321'],
    ['with a plus, which says that it has one', '+11987654321'],
    ['North America', '12125551234'],
    ['Peru', '51987654321'],
    ['France', '33987654321'],
    ['Portugal', '351912345678'],
    ['Vietnam', '84987654321'],
    ['Russia', '74987654321'],
    ['North America without its code', '2125551234'],
    ['nothing', ''],
  ])('%s is not taken for one', (_what, text) => expect(lacksCountryCode55(text)).toBe(false))
})
