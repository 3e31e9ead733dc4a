import type { Reporter, TestModule } from 'vitest/node'

/** Prints `N passed, N failed, N skipped` as the very last line of a run. What went wrong outside of a test counts as a failure. */
export function closingLineReporter(): Reporter {
  let line = '0 passed, 0 failed, 0 skipped'
  return {
    onInit() {
      // Tear-down still prints after the last reporter was told: only the end of the process is late enough.
      process.once('exit', () => console.log(line))
    },
    onTestRunEnd(modules, errors) {
      const counts = count(modules)
      line = `${counts.passed} passed, ${counts.failed + errors.length} failed, ${counts.skipped} skipped`
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
