import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { textTo } from '../support/texts.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

/** A test number that stays `sent`: nothing else happens while the pages are read. */
const person = '5511912000001'

test('pages that are read while messages come hold each earlier message exactly once, newest first', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 1, max: 5 }),
      // How many come beside each page.
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 15, maxLength: 15 }),
      async (earlier, limit, beside) => {
        const { test: key } = await gateway.account()
        const send = async (): Promise<string> => (await gateway.call('POST', '/v1/messages', { key, body: textTo(person) })).body.id
        const before: string[] = []
        for (let i = 0; i < earlier; i += 1) before.push(await send())
        const read: string[] = []
        let more = true
        for (let page = 0; more; page += 1) {
          const after = read.at(-1)
          const query = { limit, ...(after === undefined ? {} : { starting_after: after }) }
          const [answer] = await Promise.all([
            gateway.call('GET', '/v1/messages', { key, query }),
            ...Array.from({ length: beside[page] ?? 0 }, send),
          ])
          const ids: string[] = answer.body.data.map(({ id }: { id: string }) => id)
          expect(ids.length <= limit && (ids.length === limit || !answer.body.has_more)).toBe(true)
          read.push(...ids)
          more = answer.body.has_more
          expect(page).toBeLessThan(20)
        }
        expect(read).toEqual(read.toSorted().toReversed())
        expect(new Set(read).size).toBe(read.length)
        expect(before.filter((id) => !read.includes(id))).toEqual([])
        // Only the first page can have been read beside something newer.
        expect(read.slice(limit).filter((id) => !before.includes(id))).toEqual([])
      },
    ),
    { numRuns: 20 },
  )
})
