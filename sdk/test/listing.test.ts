import { expect, test } from 'vitest'
import { listing, type Page } from '../src/listing.ts'

type Item = { id: string }

/** A list of so many items, in pages of two. */
function pagesOf(count: number) {
  const asked: (string | null)[] = []
  const items = Array.from({ length: count }, (_, i): Item => ({ id: `item_${i + 1}` }))
  const list = listing<Page<Item>>(
    async (cursor) => {
      asked.push(cursor)
      const from = cursor === null ? 0 : items.findIndex((each) => each.id === cursor) + 1
      return { object: 'list', data: items.slice(from, from + 2), has_more: from + 2 < items.length }
    },
    (page) => page.data.at(-1)?.id,
  )
  return { list, asked, items }
}

test.each([0, 1, 2, 3, 4, 5])('walking a list of %i gives every item once, in order', async (count) => {
  const { list, items, asked } = pagesOf(count)
  const walked: Item[] = []
  for await (const item of list) walked.push(item)
  expect(walked).toEqual(items)
  expect(asked).toHaveLength(Math.max(1, Math.ceil(count / 2)))
})

test('pages are fetched only as far as the walk goes, and a second walk begins anew', async () => {
  const { list, asked } = pagesOf(6)
  for await (const item of list) if (item.id === 'item_3') break
  expect(asked).toEqual([null, 'item_2'])
  for await (const page of list.pages()) if (page.has_more) break
  expect(asked).toEqual([null, 'item_2', null])
})

test('a single page is a single call', async () => {
  const { list, asked } = pagesOf(3)
  expect(await list.page()).toEqual({ object: 'list', data: [{ id: 'item_1' }, { id: 'item_2' }], has_more: true })
  expect(asked).toEqual([null])
})

test.each([
  ['says that there is more but not where', [], undefined],
  ['leads to itself', [{ id: 'a' }], 'a'],
])('a list that %s ends', async (_what, data, next) => {
  let calls = 0
  const list = listing<Page<Item>>(
    async () => {
      calls += 1
      return { object: 'list', data, has_more: true }
    },
    () => next,
  )
  for await (const _ of list) if (calls > 5) break
  expect(calls).toBeLessThanOrEqual(2)
})

test('what fails while a list is walked reaches the walker', async () => {
  const list = listing<Page<Item>>(
    async (cursor) => {
      if (cursor !== null) throw new Error('page 2 is away')
      return { object: 'list', data: [{ id: 'a' }], has_more: true }
    },
    () => 'a',
  )
  const walk = async () => {
    for await (const item of list) expect(item.id).toBe('a')
  }
  await expect(walk()).rejects.toThrow('page 2 is away')
})
