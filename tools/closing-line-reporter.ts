import type { Reporter, TestModule } from 'vitest/node'

/**
 * Prints `N passed, N failed, N skipped` as the very last line of a run. What went wrong outside of a test counts as a failure, and so
 * does what `failuresOfRun` says at the end: things that only the run as a whole can show.
 */
export function closingLineReporter(failuresOfRun: () => number = () => 0): Reporter {
  let counts = { passed: 0, failed: 0, skipped: 0 }
  return {
    onInit() {
      // Tear-down still prints after the last reporter was told: only the end of the process is late enough.
      process.once('exit', () =>
        console.log(`${counts.passed} passed, ${counts.failed + failuresOfRun()} failed, ${counts.skipped} skipped`),
      )
    },
    onTestRunEnd(modules, errors) {
      counts = count(modules)
      counts.failed += errors.length
    },
  }
}

export function count(modules: readonly TestModule[]): { passed: number; failed: number; skipped: number } {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const module of modules) {
    const failedBefore = counts.failed
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      counts[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1
    }
    // A file that could not be loaded, or whose set-up failed, has no failed test to show for it.
    if (module.state() === 'failed' && counts.failed === failedBefore) counts.failed += 1
  }
  return counts
}
