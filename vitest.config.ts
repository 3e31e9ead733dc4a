import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { closingLineReporter } from './tools/closing-line-reporter.ts'
import { coverageReporter } from './tools/coverage-reporter.ts'

const coverage = coverageReporter(new URL('contract/openapi.json', import.meta.url))

const patience = {
  // A test may start PostgreSQL or a whole gateway, on a machine that does other work too.
  testTimeout: 30_000,
  // `expect.poll` gives up after a second of its own accord, which is no bound of anything here.
  expect: { poll: { timeout: 15_000 } },
  // Where a machine is shared, a bound in time can be missed for its sake; who develops sees every failure at once.
  retry: process.env.CI === 'true' ? 2 : 0,
}

export default defineConfig({
  test: {
    reporters: ['default', coverage, closingLineReporter(coverage.failures)],
    pool: 'forks',
    // Most of what a test does is wait, for a deadline or for another process: one for each core, which is one more than Vitest takes of itself.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'server',
          root: './server',
          environment: 'node',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          globalSetup: ['./test/support/global-setup.ts'],
          hookTimeout: 60_000,
          ...patience,
        },
      },
      { test: { name: 'chaos', root: './chaos', environment: 'node', include: ['**/*.test.ts'], ...patience } },
      { test: { name: 'tools', root: './tools', environment: 'node', include: ['**/*.test.ts'], ...patience } },
      { test: { name: 'sdk', root: './sdk', environment: 'node', include: ['test/**/*.test.ts'], ...patience } },
      {
        test: {
          name: 'console',
          root: './console',
          environment: 'node',
          include: ['test/**/*.test.ts', 'e2e/**/*.test.ts'],
          globalSetup: ['./e2e/support/global-setup.ts'],
          hookTimeout: 60_000,
          ...patience,
          // A journey is many steps, each of which waits for a page.
          testTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'simulator',
          root: './simulator',
          environment: 'node',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          ...patience,
        },
      },
    ],
  },
})
