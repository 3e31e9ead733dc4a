import { expect, test } from 'vitest'
import { createRandom } from './random.ts'
import { createWamidSource } from './wamid.ts'

test('message ids are unique, of the right look, and hold every character that must be encoded in a URL', () => {
  const source = createWamidSource(createRandom(1))
  const ids = Array.from({ length: 10_000 }, (_, i) => source.next('5511998887777'.slice(0, 7 + (i % 7))))
  expect(new Set(ids).size).toBe(10_000)
  for (const id of ids.slice(0, 14)) expect(id).toMatch(/^wamid\.HBg[A-Za-z0-9+/]*\+\/\+\/[A-Za-z0-9+/]*=+$/)
})

test('message ids repeat with their seed and differ with another', () => {
  const first = createWamidSource(createRandom(5)).next('15550107712')
  expect(createWamidSource(createRandom(5)).next('15550107712')).toBe(first)
  expect(createWamidSource(createRandom(6)).next('15550107712')).not.toBe(first)
})
