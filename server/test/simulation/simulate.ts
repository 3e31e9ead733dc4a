import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { startBundledPostgres } from '../../src/platform/database/bundled/start.ts'
import { type SeedOutcome, seedsFrom, words } from './seeds.ts'
import type { Line } from './simulate-line.ts'

// npm run simulate -- [--seeds 500] [--from 1] | --seed N
// Runs seeds on a PostgreSQL of its own, in two lines; the exit code is 1 when an invariant was broken.

/** One line is a database and a process that waits for it in turn: two keep two cores busy. */
const lineCount = 2
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
const clock = systemClock()

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '500' }, from: { type: 'string', default: '1' }, seed: { type: 'string' } },
})
const seeds = values.seed === undefined ? seedsFrom(Number(values.from), Number(values.seeds)) : [Number(values.seed)]
if (seeds.some((seed) => !Number.isSafeInteger(seed)) || seeds.length === 0) throw new Error('seeds are whole numbers')
await main()

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pombo-simulation-'))
  const postgres = await startBundledPostgres({ clock, observe: () => {} }, { dataDir, settings })
  let done = 0
  let broken = 0
  const told = (outcome: SeedOutcome) => {
    done += 1
    if (outcome.violations.length > 0) {
      broken += 1
      console.log(words(outcome))
    }
    if (seeds.length === 1) console.log(`history ${outcome.hash} in ${outcome.steps} steps`)
    else if (done % 100 === 0) console.log(`${done} of ${seeds.length} seeds, ${broken} broken`)
  }
  try {
    const half = Math.ceil(seeds.length / lineCount)
    const lines = [seeds.slice(0, half), seeds.slice(half)].filter((each) => each.length > 0)
    await Promise.all(lines.map((line, i) => runLine({ connection: postgres.connection, name: `line_${i}`, seeds: line }, told)))
    console.log(`${done} seeds, ${broken} broken`)
    process.exitCode = broken > 0 ? 1 : 0
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** In a process of its own: ids rise with the time of the process that makes them, and each line has its own virtual time. */
async function runLine(line: Line, told: (outcome: SeedOutcome) => void): Promise<void> {
  const child = fork(new URL('./simulate-line.ts', import.meta.url))
  child.on('message', (outcome) => told(outcome as SeedOutcome))
  // Who stops the run stops its lines, so that the server below them is stopped and removed as at any end.
  const stop = () => child.kill()
  process.on('SIGINT', stop).on('SIGTERM', stop)
  child.send(line)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`a line of seeds ended with ${code}`)
}
