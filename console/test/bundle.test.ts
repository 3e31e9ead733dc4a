import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const built = fileURLToPath(new URL('../dist', import.meta.url))
type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; isEntry?: boolean; css?: string[] }
const manifest = JSON.parse(readFileSync(join(built, '.vite', 'manifest.json'), 'utf8')) as Record<string, Chunk>

/** The programs that a page loads before it shows anything: the entry's, the page's, the words of the two in one language. */
function programsOf(page: string, words: readonly string[]): Set<string> {
  const files = new Set<string>()
  const follow = (name: string) => {
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`the build has no ${name}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const each of chunk.imports ?? []) follow(each)
  }
  for (const name of ['index.html', page, ...words]) follow(name)
  return files
}

const gzipped = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file)), { level: 9 }).length, 0)

const kb = 1024

test.for([
  ['the inbox', 'src/features/inbox/inbox-page.tsx', 'inbox'],
  ['the sign-in', 'src/features/sign-in/sign-in-page.tsx', 'sign-in'],
  ['the overview', 'src/features/home/home-page.tsx', 'home'],
] as const)('the first view of %s is at most 250 kB of gzipped JavaScript', ([, page, words]) => {
  const size = gzipped(programsOf(page, [`src/locales/pt-BR/app.json`, `src/locales/pt-BR/${words}.json`]))
  expect(size / kb).toBeLessThanOrEqual(250)
  expect(size / kb).toBeGreaterThan(100)
})
