import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))
const reporter = new URL('closing-line-reporter.ts', import.meta.url).href
let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pombo-closing-line-'))
  await writeFile(
    join(directory, 'vitest.config.mjs'),
    `import { closingLineReporter } from '${reporter}'
    export default { test: { globals: true, reporters: ['default', closingLineReporter()], globalSetup: ['./setup.mjs'] } }`,
  )
  await writeFile(join(directory, 'setup.mjs'), `export const setup = () => () => console.log('tear-down speaks last')`)
})
afterEach(() => rm(directory, { recursive: true }))

/** Runs Vitest over these files and answers its last line and exit code. */
async function run(files: Record<string, string>): Promise<{ last: string | undefined; code: number }> {
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content)
  const child = spawn(process.execPath, [vitest, 'run', '--root', directory], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { last: output.trimEnd().split('\n').at(-1), code }
}

test('the very last line counts passed, failed and skipped tests, also after the tear-down has spoken', async () => {
  const mixed = `test('a', () => {}); test('b', () => {}); test('c', () => expect(1).toBe(2)); test.skip('d', () => {}); test.todo('e')`
  expect(await run({ 'mixed.test.js': mixed })).toEqual({ last: '2 passed, 1 failed, 2 skipped', code: 1 })
})

test('a file that cannot be loaded, a failed set-up and a stray error each count as a failure', async () => {
  const files = {
    'good.test.js': `test('a', () => {})`,
    'broken.test.js': `import './missing.js'`,
    'set-up.test.js': `beforeAll(() => { throw new Error('no') }); test('a', () => {})`,
    'stray.test.js': `test('a', async () => { Promise.reject(new Error('stray')); await new Promise((done) => setImmediate(done)) })`,
  }
  expect(await run(files)).toEqual({ last: '2 passed, 3 failed, 1 skipped', code: 1 })
})

test('a run without any test is not a success', async () => {
  expect(await run({})).toEqual({ last: '0 passed, 0 failed, 0 skipped', code: 1 })
})
