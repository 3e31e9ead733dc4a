import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { AuthOptions } from './auth.ts'
import { createAuthLoader } from './load-auth.ts'

const loader = fileURLToPath(new URL('load-auth.ts', import.meta.url))

/** Loads the library in a process of its own, which has none of it yet; prints what this thread computed in its longest turn, and in all. */
const program = `
  const { createAuthLoader } = await import(${JSON.stringify(loader)})
  const cpuMs = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1_000 }
  const beganMs = cpuMs()
  let [lastMs, longestMs, isOver] = [beganMs, 0, false]
  const look = () => {
    const nowMs = cpuMs()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  // Without options it ends in an error, once it is loaded.
  await createAuthLoader({}).auth().catch(() => {})
  isOver = true
  await new Promise(setImmediate)
  console.log(JSON.stringify({ longestMs, allMs: cpuMs() - beganMs }))
`

// As a part of the whole, which is the same on any machine: at once it was nearly all of it.
test('the sign-in library is loaded in pieces, between which everybody else has their turn', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  const { longestMs, allMs } = JSON.parse(stdout) as { longestMs: number; allMs: number }
  expect(longestMs / allMs).toBeLessThan(0.5)
})

test('however many ask at once, it is loaded once', async () => {
  const loader = createAuthLoader({} as AuthOptions)
  const [first, second] = [loader.auth(), loader.auth()]
  expect(second).toBe(first)
  await first.catch(() => {})
})
