import { checkRun, reportOf } from './check-run.ts'
import { readRun } from './run-folder.ts'

/** Judges the histories of runs once more: `node chaos/check.ts FOLDER…`. Ends with 1 when a promise was broken. */
function main(folders: readonly string[]): void {
  if (folders.length === 0) throw new Error('Name the folder of a run.')
  for (const folder of folders) {
    const run = readRun(folder)
    const violations = checkRun(run)
    console.log(reportOf(run, violations))
    if (violations.length > 0) process.exitCode = 1
  }
}

main(process.argv.slice(2))
