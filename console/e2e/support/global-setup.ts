import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { chromiumFolder, unpackChromium } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    chromium: string
  }
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
const buildMsMax = 120_000

/** Builds the console as it is now, and unpacks the browser. */
export async function setup(project: TestProject): Promise<void> {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  // As it is delivered: under a test runner it would otherwise be the development's build.
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'console'),
    env,
    timeout: buildMsMax,
  })
  project.provide('chromium', await unpackChromium(chromiumFolder(root)))
}
