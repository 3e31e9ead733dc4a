import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { closingLineReporter } from './tools/closing-line-reporter.ts'
import { coverageReporter } from './tools/coverage-reporter.ts'

const coverage = coverageReporter(new URL('contract/openapi.json', import.meta.url))

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
          // A test may start PostgreSQL or a whole gateway, on a machine that does other work too.
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // Where a machine is shared, a bound in time can be missed for its sake; who develops sees every failure at once.
          retry: process.env.CI === 'true' ? 1 : 0,
        },
      },
      { test: { name: 'chaos', root: './chaos', environment: 'node', include: ['**/*.test.ts'], testTimeout: 30_000 } },
      { test: { name: 'tools', root: './tools', environment: 'node', include: ['**/*.test.ts'], testTimeout: 30_000 } },
      { test: { name: 'sdk', root: './sdk', environment: 'node', include: ['test/**/*.test.ts'], testTimeout: 30_000 } },
      {
        test: {
          name: 'simulator',
          root: './simulator',
          environment: 'node',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
})
