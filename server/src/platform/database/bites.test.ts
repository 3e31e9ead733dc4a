import { expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import { biteRows, inBites } from './bites.ts'

test('bites follow each other until one finds less than it may take', async () => {
  const clock = manualClock('2026-03-02T12:00:00Z')
  const left = [biteRows, biteRows, 17, biteRows]
  expect(await inBites(clock, 1_000, async () => left.shift() ?? 0)).toBe(false)
  expect(left).toEqual([biteRows])
})

test('after its time it stops, and says that more is left', async () => {
  const clock = manualClock('2026-03-02T12:00:00Z')
  let bites = 0
  const more = await inBites(clock, 1_000, async () => {
    bites += 1
    clock.advance(400)
    return biteRows
  })
  expect({ more, bites }).toEqual({ more: true, bites: 3 })
})
