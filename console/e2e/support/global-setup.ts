import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { chromiumFolder, unpackChromium } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    chromium: string
  }
}

const console = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the console as it is now, and unpacks the browser. */
export async function setup(project: TestProject): Promise<void> {
  const vite = fileURLToPath(new URL('../../bin/vite.js', import.meta.resolve('vite')))
  await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: console })
  project.provide('chromium', await unpackChromium(chromiumFolder(fileURLToPath(new URL('../../..', import.meta.url)))))
}
