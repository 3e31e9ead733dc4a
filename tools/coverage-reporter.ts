import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { answersIn } from './contract-answers.ts'

/** How the workers learn where to write what they reached. */
const variable = 'REACHED_ANSWERS_DIR'

/** A reporter that can make a run fail although every test passed. */
export type JudgingReporter = Reporter & { readonly failures: () => number }

/**
 * Fails a whole run in which no test reached some answer that the contract promises, and names each. A run of some files or titles is
 * not judged: it cannot have reached everything.
 */
export function coverageReporter(contract: URL): JudgingReporter {
  let vitest: Vitest | null = null
  let directory: string | null = null
  let failures = 0
  return {
    failures: () => failures,
    onInit(context) {
      vitest = context
      const made = mkdtempSync(join(tmpdir(), 'pombo-reached-'))
      directory = made
      process.env[variable] = made
      process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    },
    async onTestRunEnd(modules) {
      if (vitest === null || directory === null || !(await isWholeRun(vitest, modules))) return
      const missing = unreached(contract, directory)
      failures = missing.length === 0 ? 0 : 1
      if (failures === 0) return
      process.exitCode = 1
      console.log(`\nNo test has reached ${missing.length} of the contract's answers:\n${missing.map((each) => `  ${each}`).join('\n')}\n`)
    },
  }
}

async function isWholeRun(vitest: Vitest, modules: readonly TestModule[]): Promise<boolean> {
  const { testNamePattern, project, shard } = vitest.config
  if (testNamePattern !== undefined || project.length > 0 || shard !== undefined) return false
  const ran = new Set(modules.map(({ moduleId }) => moduleId))
  const all = await vitest.globTestSpecifications()
  return all.every(({ moduleId }) => ran.has(moduleId))
}

function unreached(contract: URL, directory: string): string[] {
  const reached = new Set(readdirSync(directory).flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n')))
  return answersIn(JSON.parse(readFileSync(contract, 'utf8'))).filter((answer) => !reached.has(answer))
}
