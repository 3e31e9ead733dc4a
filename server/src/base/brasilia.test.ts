import { expect, test } from 'vitest'
import { brasiliaDay, nextBrasiliaMidnight } from './brasilia.ts'

test.each([
  ['2026-11-28T02:59:59.999Z', '2026-11-27', '2026-11-28T03:00:00.000Z'],
  ['2026-11-28T03:00:00.000Z', '2026-11-28', '2026-11-29T03:00:00.000Z'],
  ['2026-12-31T12:00:00.000Z', '2026-12-31', '2027-01-01T03:00:00.000Z'],
])('at %s it is %s in Brasília, until %s', (at, day, midnight) => {
  expect(brasiliaDay(new Date(at))).toBe(day)
  expect(nextBrasiliaMidnight(new Date(at)).toISOString()).toBe(midnight)
})
