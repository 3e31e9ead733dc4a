import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// What `npm test` runs: all tests, or those whose path matches an argument. The exit code is Vitest's.
const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))
const root = fileURLToPath(new URL('..', import.meta.url))
const run = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => run.kill(signal))
run.on('exit', (code) => {
  process.exitCode = code ?? 1
})
