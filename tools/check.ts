import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { staleClientTypes } from './client-types.ts'
import { brokenLinks } from './doc-links.ts'
import { strayLines } from './homes.ts'
import { strayReExports } from './re-exports.ts'
import { sourceFiles } from './source-files.ts'
import { citationProblems } from './spec-citations.ts'

// What `npm run check` runs: all checks side by side, or those that are named (`npm run check -- types imports`).
// Shows the words of a check only when it fails, and ends with one line.
const root = fileURLToPath(new URL('..', import.meta.url))
const binaries = join(root, 'node_modules', '.bin')
/** A tool that takes longer than this hangs. */
const toolMsMax = 300_000

type Outcome = { ok: boolean; output: string }
type Check = { name: string; run: () => Promise<Outcome> }

const promiseRules = ['-A', 'all', '-D', 'typescript/no-floating-promises', '-D', 'typescript/no-misused-promises']
const folders = ['server', 'simulator', 'sdk', 'console', 'tools', 'bench', 'chaos'].filter((folder) => existsSync(join(root, folder)))
const files = sourceFiles(root, /\.(tsx?|mjs|sql|md)$/)

const checks: readonly Check[] = [
  tool('types', 'tsc', ['-p', '.']),
  tool('types of the console', 'tsc', ['-p', 'console']),
  // Without the types of Node: what runs on every runtime is written for the web's own interfaces.
  tool('sdk on the web', 'tsc', ['-p', 'sdk']),
  own('client types', async () => staleClientTypes(root)),
  tool('format and lint', 'biome', ['check', '--error-on-warnings', '.']),
  tool('promises', 'oxlint', ['--type-aware', ...promiseRules, ...folders]),
  tool('imports', 'node', [join(root, 'tools', 'import-directions.ts'), root]),
  tool('dead code', 'knip', ['--no-progress', '--no-config-hints']),
  own('rules', async () => citationProblems(await readFile(join(root, 'docs', 'rules.md'), 'utf8'), await files)),
  own('homes', async () => strayLines(await files)),
  own('re-exports', async () => strayReExports(await files)),
  own('links', async () => brokenLinks(root, await files)),
]

await main(process.argv.slice(2))

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !checks.some((check) => check.name === name))
  if (unknown.length > 0) console.log(`There is no check named ${unknown.join(', ')}. Checks: ${checks.map(({ name }) => name).join(', ')}`)
  const chosen = names.length === 0 ? checks : checks.filter(({ name }) => names.includes(name))
  const outcomes = await Promise.all(chosen.map(async (check) => ({ name: check.name, ...(await check.run()) })))
  const failed = outcomes.filter(({ ok }) => !ok)
  for (const { name, output } of failed) console.log(`── ${name}\n${output.trimEnd()}\n`)
  console.log(
    `${outcomes.length - failed.length} checks passed, ${failed.length} failed${failed.length === 0 ? '' : `: ${failed.map(({ name }) => name).join(', ')}`}`,
  )
  process.exitCode = failed.length === 0 && unknown.length === 0 ? 0 : 1
}

/** A check that is a program of `node_modules`. */
function tool(name: string, program: string, args: readonly string[]): Check {
  // Our own Node first: the programs are scripts, and the machine's Node may be older.
  const env = { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`, NO_COLOR: '1' }
  const run = () =>
    new Promise<Outcome>((resolve) => {
      const child = spawn(join(binaries, program), args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: toolMsMax })
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
      child.once('error', (error) => resolve({ ok: false, output: `${program} did not start: ${error.message}. Has "npm ci" run?` }))
      child.once('close', (code) => resolve({ ok: code === 0, output: output || `${program} ended with ${code}` }))
    })
  return { name, run }
}

/** A check of our own: the problems it finds, one a line. */
function own(name: string, find: () => Promise<string[]>): Check {
  return {
    name,
    async run() {
      const problems = await find()
      return { ok: problems.length === 0, output: problems.join('\n') }
    },
  }
}
