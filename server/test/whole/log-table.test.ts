import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { levels } from '../../src/levels.ts'

const source = fileURLToPath(new URL('../../src', import.meta.url))
const page = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8')

/** Every kind that is observed anywhere: kinds of observations have a dot, other kinds have none; `batch` is the one exception. */
async function observedKinds(): Promise<string[]> {
  const found = new Set<string>(Object.keys(levels))
  for await (const file of glob(`${source}/**/*.ts`)) {
    if (file.endsWith('.test.ts')) continue
    const text = await readFile(file, 'utf8')
    for (const [, kinds = ''] of text.matchAll(/\bkind: ((?:'[a-z_]+\.[a-z_.]+'(?: \| )?)+)/g))
      for (const [, kind = ''] of kinds.matchAll(/'([^']+)'/g)) found.add(kind)
  }
  return [...found].toSorted()
}

test('docs/operations.md explains every kind of line that the log can have', async () => {
  const kinds = await observedKinds()
  expect(kinds.length).toBeGreaterThan(70)
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const explained = new Set(rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, kind]) => kind)))
  expect(kinds.filter((kind) => !explained.has(kind))).toEqual([])
})
