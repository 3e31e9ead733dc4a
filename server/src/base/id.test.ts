import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatId, lowestUuidAt, momentOf, newUuid, parseId } from './id.ts'

const at = (ms: number) => new Date(Date.parse('2090-01-01T00:00:00Z') + ms)

describe('new ids', () => {
  test('sort in the order in which they were made, 10,000 within one millisecond and those of the next ones after them', () => {
    const made = [
      ...Array.from({ length: 10_000 }, () => newUuid(at(0))),
      ...Array.from({ length: 3 }, () => newUuid(at(1))),
      ...Array.from({ length: 3 }, () => newUuid(at(2))),
      newUuid(at(1_000)),
    ]
    expect(made.toSorted()).toEqual(made)
    expect(new Set(made).size).toBe(made.length)
  })

  test('hold the moment they were made for', () => {
    const moment = new Date('2091-03-02T12:00:00.123Z')
    expect(momentOf(newUuid(moment))).toEqual(moment)
  })

  test('of an earlier moment keep that moment and stay distinct', () => {
    newUuid(at(5_000))
    const earlier = new Date('2020-01-01T00:00:00.999Z')
    const made = Array.from({ length: 1_000 }, () => newUuid(earlier))
    expect(new Set(made).size).toBe(1_000)
    expect(made.every((id) => momentOf(id).getTime() === earlier.getTime())).toBe(true)
  })

  test('sort like time, also past 2039', () => {
    const moments = fc.integer({ min: 0, max: 2 ** 47 })
    fc.assert(
      fc.property(moments, moments, (one, other) => {
        fc.pre(one !== other)
        expect(newUuid(new Date(one)) < newUuid(new Date(other))).toBe(one < other)
      }),
    )
  })

  test('are UUIDs of version 7 and variant 2', () => {
    expect(newUuid(new Date())).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('lie at or above the lowest id of their moment and below that of the next millisecond', () => {
    const moment = new Date('2025-12-31T23:59:59.999Z')
    const id = newUuid(moment)
    expect(id >= lowestUuidAt(moment)).toBe(true)
    expect(id < lowestUuidAt(new Date(moment.getTime() + 1))).toBe(true)
  })
})

describe('the form that leaves the program', () => {
  test('is read back as the same uuid', () => {
    const uuid = newUuid(new Date())
    expect(formatId('msg', uuid)).toMatch(/^msg_[0-9a-f]{32}$/)
    expect(parseId('msg', formatId('msg', uuid))).toBe(uuid)
  })

  test.each([
    ['another kind', 'evt_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f'],
    ['capitals', 'msg_019AC8F0A1B27C3D8E4F5A6B7C8D9E0F'],
    ['one character too few', 'msg_019ac8f0a1b27c3d8e4f5a6b7c8d9e0'],
    ['one too many', 'msg_019ac8f0a1b27c3d8e4f5a6b7c8d9e0ff'],
    ['hyphens', 'msg_019ac8f0-a1b2-7c3d-8e4f-5a6b7c8d9e0f'],
    ['no hex', 'msg_019ac8f0a1b27c3d8e4f5a6b7c8d9e0g'],
    ['a newline at the end', 'msg_019ac8f0a1b27c3d8e4f5a6b7c8d9e0\n'],
    ['nothing', ''],
  ])('%s is refused', (_what, text) => {
    expect(parseId('msg', text)).toBeNull()
  })
})
