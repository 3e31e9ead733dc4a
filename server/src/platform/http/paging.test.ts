import { describe, expect, test } from 'vitest'
import { fetchPage } from './paging.ts'

const rows = Array.from({ length: 45 }, (_, i) => i)
const fetch = async (count: number) => rows.slice(0, count)

describe('a page', () => {
  test.each([
    [20, 20, true],
    [44, 44, true],
    [45, 45, false],
    [100, 45, false],
    [undefined, 20, true],
  ])('of limit %s has %i items, and says whether another follows: %s', async (limit, length, more) => {
    const page = await fetchPage(limit, fetch, (row) => ({ id: row }))
    expect(page.data).toHaveLength(length)
    expect(page).toMatchObject({ object: 'list', has_more: more })
    expect(page.data[0]).toEqual({ id: 0 })
  })

  test('of nothing is empty', async () => {
    expect(
      await fetchPage(
        5,
        async () => [],
        (row) => row,
      ),
    ).toEqual({ object: 'list', data: [], has_more: false })
  })
})
