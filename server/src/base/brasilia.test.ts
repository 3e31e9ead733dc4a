import { describe, expect, test } from 'vitest'
import { brasiliaDay, daysOf, monthOf, nextBrasiliaMidnight, parseMonth } from './brasilia.ts'

const dayAt = (text: string) => brasiliaDay(new Date(text))

describe('the day in Brasília', () => {
  // rule: usage 1
  test.each([
    ['2026-12-01T02:59:59.999Z', '2026-11-30'],
    ['2026-12-01T03:00:00.000Z', '2026-12-01'],
    ['2027-01-01T02:59:59.999Z', '2026-12-31'],
    ['2027-01-01T03:00:00.000Z', '2027-01-01'],
    ['2028-03-01T02:59:59.999Z', '2028-02-29'],
    ['2026-03-01T02:59:59.999Z', '2026-02-28'],
  ])('at %s is %s', (moment, day) => {
    expect(dayAt(moment)).toBe(day)
    // Asked again it comes from memory.
    expect(dayAt(moment)).toBe(day)
  })

  test('follows the law of its time: in the last summer with daylight saving midnight was two hours after that of UTC', () => {
    expect(dayAt('2018-12-01T01:59:59.999Z')).toBe('2018-11-30')
    expect(dayAt('2018-12-01T02:00:00.000Z')).toBe('2018-12-01')
    expect(dayAt('2019-12-01T02:00:00.000Z')).toBe('2019-11-30')
  })

  test('is right for more hours than are remembered', () => {
    const wrong = Array.from({ length: 2_500 }, (_each, i) => new Date(Date.UTC(2026, 0, 1, i))).filter(
      (at) => brasiliaDay(at) !== new Date(at.getTime() - 3 * 3_600_000).toISOString().slice(0, 10),
    )
    expect(wrong).toEqual([])
  })
})

test('a month has all its days, in leap years too', () => {
  const lengthOf = (text: string) => daysOf(monthOf(dayAt(`${text}-15T12:00:00Z`))).length
  expect(['2026-02', '2028-02', '2026-04', '2026-12'].map(lengthOf)).toEqual([28, 29, 30, 31])
  expect(daysOf(monthOf(dayAt('2026-12-15T12:00:00Z'))).at(-1)).toBe('2026-12-31')
})

test('a month is four digits, a hyphen and 01 to 12', () => {
  expect(['2026-01', '2026-12', '1000-01', '9999-12'].map(parseMonth)).toEqual(['2026-01', '2026-12', '1000-01', '9999-12'])
  for (const text of ['', '2026', '2026-00', '2026-13', '2026-1', '0999-01', '26-01', '2026-01-01', ' 2026-01', '2026/01', '٢٠٢٦-01'])
    expect([text, parseMonth(text)]).toEqual([text, null])
})

test.each([
  ['2026-11-28T02:59:59.999Z', '2026-11-28T03:00:00.000Z'],
  ['2026-11-28T03:00:00.000Z', '2026-11-29T03:00:00.000Z'],
  ['2026-12-31T12:00:00.000Z', '2027-01-01T03:00:00.000Z'],
  ['2018-12-01T12:00:00.000Z', '2018-12-02T02:00:00.000Z'],
])('after %s the next midnight in Brasília is %s', (at, midnight) => {
  expect(nextBrasiliaMidnight(new Date(at)).toISOString()).toBe(midnight)
})
