import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

// npm run fuzz -- [--seconds 180] [--seed 7]
// Made-up requests of every operation of the contract against a whole gateway. Prints what was reached; the exit code is 1 for a fault,
// and its seed finds it again.
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '180' }, seed: { type: 'string', default: '1' } } })
const [seconds, seed] = [Number(values.seconds), Number(values.seed)]
if (!(seconds > 0) || !Number.isSafeInteger(seed)) throw new Error('--seconds and --seed are numbers')

const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))
const root = fileURLToPath(new URL('..', import.meta.url))
// The gateway needs the set-up of the tests: a PostgreSQL, and a simulated platform.
const args = [vitest, 'run', '--project', 'server', 'test/fuzz/fuzz.test.ts', '--reporter', 'verbose']
const run = spawn(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FUZZ_SECONDS: String(seconds), FUZZ_SEED: String(seed) },
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => run.kill(signal))
run.on('exit', (code) => {
  process.exitCode = code ?? 1
})
