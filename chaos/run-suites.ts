import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What became of the tests of some suites. */
export type SuitesEnded = {
  passed: number
  failed: number
  /** Titles of those that failed. */
  failures: string[]
  /** Suites that could not even be read, or a run that did not come to its end; null: neither. */
  trouble: string | null
}

const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))
/** The longest suite takes half a minute on a quiet machine. */
const suiteMsMax = 60_000
const startMsMax = 240_000
/** How long a run that was told to end may take to stop its database. */
const endMsMax = 15_000

/** What this needs of the JSON that Vitest writes. */
type Report = {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; status: string; message: string; assertionResults: { status: string; fullName: string }[] }[]
}

/** Runs these suites in that folder with Vitest. A test has failed when it fails twice: what a busy machine does once says nothing. Bounded; never rejects for a test that fails. */
export async function runSuites(folder: string, suites: readonly string[], onStart: (run: ChildProcess) => void): Promise<SuitesEnded> {
  const file = join(folder, 'planted-report.json')
  const run = spawn(process.execPath, [vitest, 'run', '--retry=1', '--reporter=json', `--outputFile=${file}`, ...suites], {
    cwd: folder,
    stdio: 'ignore',
    // A group of its own, so that its workers end with it.
    detached: true,
  })
  onStart(run)
  const ended = new Promise<void>((resolve) => run.once('close', () => resolve()))
  const late = setTimeout(() => endRun(run), startMsMax + suites.length * suiteMsMax)
  await ended
  clearTimeout(late)
  return existsSync(file)
    ? read(JSON.parse(readFileSync(file, 'utf8')) as Report)
    : { ...nothing, trouble: 'the run did not come to its end' }
}

const nothing = { passed: 0, failed: 0, failures: [] }

function read(report: Report): SuitesEnded {
  const broken = report.testResults.find((suite) => suite.status === 'failed' && suite.assertionResults.length === 0)
  const failures = report.testResults.flatMap((suite) => suite.assertionResults.filter((each) => each.status === 'failed'))
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    failures: failures.map((each) => each.fullName),
    trouble: broken === undefined ? null : `${broken.name}: ${broken.message.split('\n')[0]}`,
  }
}

/** Tells a run to end, and ends it with its workers when it does not. */
export function endRun(run: ChildProcess): void {
  run.kill('SIGTERM')
  const kill = setTimeout(() => signalGroup(run), endMsMax)
  run.once('close', () => clearTimeout(kill))
}

function signalGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
