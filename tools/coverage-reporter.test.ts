import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))
const [coverage, closingLine] = ['coverage-reporter.ts', 'closing-line-reporter.ts'].map((file) => new URL(file, import.meta.url).href)
let directory: string

const error = (code: string) => ({ content: { 'application/json': { examples: { [code]: {} } } } })
const contract = {
  paths: { '/things': { get: { responses: { 200: {}, 401: error('unauthorized') } }, post: { responses: { 409: error('conflict') } } } },
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pombo-coverage-'))
  await writeFile(join(directory, 'openapi.json'), JSON.stringify(contract))
  await writeFile(
    join(directory, 'vitest.config.mjs'),
    `import { coverageReporter } from '${coverage}'
    import { closingLineReporter } from '${closingLine}'
    const judge = coverageReporter(new URL('openapi.json', import.meta.url))
    export default { test: { globals: true, pool: 'forks', reporters: ['default', judge, closingLineReporter(judge.failures)] } }`,
  )
  await reaching('one', ['GET /v1/things 200', 'GET /v1/things 401 unauthorized'])
})
afterEach(() => rm(directory, { recursive: true }))

/** A test file that reaches these answers, in a process of its own. */
function reaching(name: string, answers: readonly string[]): Promise<void> {
  const lines = JSON.stringify(answers.map((each) => `${each}\n`).join(''))
  return writeFile(
    join(directory, `${name}.test.js`),
    `import { appendFileSync } from 'node:fs'
    test('${name}', () => appendFileSync(process.env.REACHED_ANSWERS_DIR + '/' + process.pid, ${lines}))`,
  )
}

async function run(...args: readonly string[]): Promise<{ output: string; last: string | undefined; code: number }> {
  const child = spawn(process.execPath, [vitest, 'run', '--root', directory, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { output, last: output.trimEnd().split('\n').at(-1), code }
}

test('a whole run in which every answer was reached, whichever process did it, passes', async () => {
  await reaching('two', ['POST /v1/things 409 conflict'])
  expect(await run()).toMatchObject({ last: '2 passed, 0 failed, 0 skipped', code: 0 })
})

test('a whole run that reached some answer never fails, names it, and counts it in the closing line', async () => {
  await reaching('two', [])
  const { output, last, code } = await run()
  expect([last, code]).toEqual(['2 passed, 1 failed, 0 skipped', 1])
  expect(output).toContain("No test has reached 1 of the contract's answers:\n  POST /v1/things 409 conflict\n")
})

test('a run of some files, or of some titles, is not judged', async () => {
  await reaching('two', [])
  expect(await run('one.test.js')).toMatchObject({ last: '1 passed, 0 failed, 0 skipped', code: 0 })
  expect(await run('-t', 'two')).toMatchObject({ last: '1 passed, 0 failed, 1 skipped', code: 0 })
})
