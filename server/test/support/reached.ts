import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the reporter of a whole run reads what was reached (`tools/coverage-reporter.ts`); unset in any other process. */
const directory = process.env.REACHED_ANSWERS_DIR
const noted = new Set<string>()

/** Notes that a test has seen this answer of the contract. Tests run in many processes: each writes a file of its own. */
export function noteReached(answer: string): void {
  if (directory === undefined || noted.has(answer)) return
  noted.add(answer)
  appendFileSync(join(directory, String(process.pid)), `${answer}\n`)
}
