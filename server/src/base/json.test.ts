import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalJson,
  isObject,
  type Json,
  parseAnyJson,
  parseJson,
  storable,
  textOrDigits,
  unheldField,
  unstorableField,
  wholeNumber,
} from './json.ts'

const anyJson = fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }) as fc.Arbitrary<Json>

describe('parsing and printing', () => {
  test('keeps every whole number digit for digit, however large', () => {
    const digits = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String)
    fc.assert(
      fc.property(fc.array(digits), (numbers) => {
        const text = `{"list":[${numbers.join(',')}]}`
        expect(JSON.stringify(parseJson(text))).toBe(text)
      }),
    )
  })

  test('gives back the same value as JSON.parse where no number is large', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = JSON.stringify(value)
        if (text.includes('__proto__')) return
        expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  test('a text of digits is no number and stays as it is', () => {
    expect(parseJson('"12345678901234567890"')).toBe('12345678901234567890')
  })

  test.each(['{"__proto__":1}', '[{"a":{"__proto__":{}}}]', '{"\\u005f_proto__":1}', '{"a":12345678901234567890,"__pr\\u006Fto__":1}'])(
    'the key __proto__ is refused however it is written: %s',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError)
    },
  )

  test('where the words of many are read such a key is kept as a plain one', () => {
    const text = '{"__proto__":{"admin":true},"n":12345678901234567890}'
    const value = parseAnyJson(text)
    expect(JSON.stringify(value)).toBe(text)
    expect(JSON.stringify(storable(value))).toBe(text)
    expect(Reflect.get(storable(value) as object, 'admin')).toBeUndefined()
  })

  test('a text that only mentions __proto__ is fine', () => {
    expect(parseJson('{"a":"__proto__"}')).toEqual({ a: '__proto__' })
  })

  test.each(['', '{', '{a:1}', '01', 'NaN', '\ufeff{}'])('what is not JSON is refused: %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  })

  test('a large number is no object to those who look for one', () => {
    expect(isObject(parseJson('12345678901234567890'))).toBe(false)
    expect(isObject(parseJson('{}'))).toBe(true)
  })
})

describe('the canonical form', () => {
  const shuffled = (value: Json, reverse: boolean): Json => {
    if (Array.isArray(value)) return value.map((each) => shuffled(each, reverse))
    if (!isObject(value)) return value
    const entries = Object.entries(value).map(([key, each]) => [key, shuffled(each, reverse)] as const)
    return Object.fromEntries(reverse ? entries.reverse() : entries)
  }

  test('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(canonicalJson(shuffled(value, true))).toBe(canonicalJson(shuffled(value, false)))
      }),
    )
  })

  test('is the same for two values exactly when they are equal', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (one, other) => {
        const same = canonicalJson(one) === canonicalJson(other)
        // JSON knows no minus zero.
        const plain = (value: Json) => JSON.parse(JSON.stringify(value))
        expect(same).toBe(isDeepEqual(plain(one), plain(other)))
      }),
    )
  })

  test('tells large numbers apart that a double cannot', () => {
    expect(canonicalJson(parseJson('[9007199254740993]'))).not.toBe(canonicalJson(parseJson('[9007199254740992]')))
  })

  test('reads back as the value', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  const isDeepEqual = (one: Json, other: Json): boolean => {
    try {
      expect(one).toEqual(other)
      return true
    } catch {
      return false
    }
  }
})

describe('what cannot be stored', () => {
  test.each([
    [{ text: { body: 'a\0b' } }, 'text.body'],
    [{ contacts: [{ name: 'x' }, { name: '\ud800' }] }, 'contacts[1].name'],
    [['a', 'b\0'], '[1]'],
    [{ 'a\0': 1 }, 'body'],
    [{ outer: { '\udfff': 1 } }, 'outer'],
    ['\0', ''],
  ])('%j is found at %j', (value, path) => {
    expect(unstorableField(value)).toBe(path)
  })

  test('whole texts with emoji and large numbers are storable', () => {
    expect(unstorableField(parseJson('{"a":"Olá ☕ 👩‍🚀","n":12345678901234567890}'))).toBeNull()
  })

  test('is replaced by U+FFFD and by nothing else', () => {
    const wild = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }) as fc.Arbitrary<Json>
    fc.assert(
      fc.property(wild, (value) => {
        const clean = storable(value)
        expect(unstorableField(clean)).toBeNull()
        if (unstorableField(value) === null) expect(clean).toEqual(value)
      }),
    )
    expect(storable({ 'k\0': ['a\0b', '\ud83d', '👩'] })).toEqual({ 'k\ufffd': ['a\ufffdb', '\ufffd', '👩'] })
    expect(JSON.stringify(storable(parseJson('{"n":12345678901234567890}')))).toBe('{"n":12345678901234567890}')
  })
})

test('large numbers keep their digits wherever they stand, and nothing else is taken for one', () => {
  const big = '12345678901234567'
  const text = `{"a":${big},"b":[-${big},1.${big},1e0${big.slice(0, 1)},${big}.5],"c":"${big}","d\\"${big}":"\\\\","e":[[${big}]],"f":9007199254740991}`
  const value = parseJson(text)
  expect(JSON.stringify(value)).toBe(
    `{"a":${big},"b":[-${big},${JSON.parse(`1.${big}`)},10,${JSON.parse(`${big}.5`)}],"c":"${big}","d\\"${big}":"\\\\","e":[[${big}]],"f":9007199254740991}`,
  )
  for (const wrong of [`{${big}:1}`, `[0${big}]`, `[+${big}]`, `[--${big}]`, `["a"${big}]`, `[${big} ${big}]`, `[${big}`, `["${big}]`])
    expect(() => parseJson(wrong), wrong).toThrow(SyntaxError)
  expect(Object.hasOwn(parseAnyJson(`{"__proto__":${big}}`) as object, '__proto__')).toBe(true)
})

test('one large number among very many small ones costs about what the small ones cost', () => {
  const many = (first: string) => `[${first}${',1'.repeat(100_000)}]`
  const msOf = (text: string) => {
    const times = Array.from({ length: 5 }, () => {
      const began = performance.now()
      parseJson(text)
      return performance.now() - began
    })
    return Math.min(...times)
  }
  expect(msOf(many('12345678901234567'))).toBeLessThan(10 * msOf(many('1')) + 2)
})

// rule: requests 6
describe('a number that a double cannot hold', () => {
  const digits = '7'.repeat(400)

  test.each(['1e400', '-1E+400', `${digits}.5`, '1e-400', `-0.${'0'.repeat(400)}1`, '12.5e999'])(
    '%s keeps its digits and is found',
    (number) => {
      const text = `{"a":[0,{"n":${number}}],"b":"${number}"}`
      expect(JSON.stringify(parseJson(text))).toBe(text)
      expect(unheldField(parseJson(text))).toBe('a[1].n')
      expect(unheldField(parseJson(number))).toBe('')
    },
  )

  test.each([
    ['1e99', 1e99],
    ['0e400', 0],
    ['0.0e999', 0],
    ['1e-300', 1e-300],
    ['1.7976931348623157e308', Number.MAX_VALUE],
  ])('%s is an ordinary one', (text, value) => {
    expect(parseJson(`[${text}]`)).toEqual([value])
  })

  test('is none where it is a whole number, which keeps its digits', () => {
    expect(unheldField(parseJson(`[${digits}]`))).toBeNull()
  })

  test.each([
    '[01e400]',
    '[+1e400]',
    '[--1e400]',
    '[1.e400]',
    '[.5e400]',
    '[1e400e400]',
    '[1e400.5]',
    '[1e]',
    '{1e400:1}',
    '[1e400 1e400]',
  ])('makes nothing JSON that is none: %s', (text) => expect(() => parseJson(text)).toThrow(SyntaxError))
})

// rule: receive 19
test('what upstream writes as a number or as its digits is read alike', () => {
  expect(['551', 551, parseJson('12345678901234567890'), '', null, undefined, {}, true].map(textOrDigits)).toEqual([
    ...['551', '551', '12345678901234567890'],
    ...[null, null, null, null, null],
  ])
  expect(
    [131026, '131026', ' 7 ', '-1', 1.5, '1.5', 2 ** 31, '99999999999', parseJson('12345678901234567890'), '', null].map(wholeNumber),
  ).toEqual([...[131026, 131026, 7, -1], ...[null, null, null, null, null, null, null]])
})
