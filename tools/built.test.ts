import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'

let copy: string
beforeEach(async () => {
  copy = await mkdtemp(join(tmpdir(), 'pombo-built-'))
  for (const folder of ['tools', 'server/src', 'server/dist']) await mkdir(join(copy, folder), { recursive: true })
  for (const each of ['run.mjs', 'built.mjs']) await copyFile(join(import.meta.dirname, each), join(copy, 'tools', each))
  await writeFile(join(copy, 'server/src/main.ts'), 'console.log("source", ...process.argv.slice(2)) as unknown')
  await writeFile(join(copy, 'server/src/part.ts'), 'export const part = 1')
  await writeFile(join(copy, 'server/dist/main.js'), 'console.log("built", ...process.argv.slice(2))')
  // As the build writes it, of these files in this place.
  const { read } = (await import(pathToFileURL(join(copy, 'tools/built.mjs')).href)) as typeof import('./built.mjs')
  const built = { programs: { 'server/src/main.ts': 'main.js' }, sources: ['server/src/main.ts', 'server/src/part.ts'].map(read) }
  await writeFile(join(copy, 'server/dist/built.json'), JSON.stringify(built))
})
afterEach(() => rm(copy, { recursive: true }))

const run = async () =>
  (await promisify(execFile)(process.execPath, [join(copy, 'tools/run.mjs'), 'server/src/main.ts', '--port', '1'])).stdout

test('what was built is started while the source says the same, also where a copy gave the files another time', async () => {
  expect(await run()).toBe('built --port 1\n')
  await utimes(join(copy, 'server/src/part.ts'), new Date(0), new Date(0))
  expect(await run()).toBe('built --port 1\n')
})

test('the source is started once a file that went into it has changed, is gone, or nothing was built', async () => {
  await writeFile(join(copy, 'server/src/part.ts'), 'export const part = 2')
  expect(await run()).toBe('source --port 1\n')
  await rm(join(copy, 'server/src/part.ts'))
  expect(await run()).toBe('source --port 1\n')
  await rm(join(copy, 'server/dist'), { recursive: true })
  expect(await run()).toBe('source --port 1\n')
})
