import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkRun, reportOf } from './check-run.ts'
import type { Stage } from './histories.ts'
import { playRun } from './run.ts'
import { readRun } from './run-folder.ts'

const usage = `npm run chaos -- [options]

  --cycles N      faults, one after the other under load (25)
  --seed N        repeats the faults and their moments of an earlier run
  --mode M        bundled (the gateway runs its PostgreSQL), external (several gateways, faults on the way to the database),
                  or both, which share the cycles (both)
  --gateways N    gateways on one database, external mode only (2)
  --only F,F      only these kinds of fault
  --load N        sends a second (15)
  --folder DIR    where the histories are kept; without it they are removed when nothing was found`

/** Histories of one run stay small enough to be judged in memory: more cycles are several runs, each on a new database and with the next seed. */
const cyclesPerRunMax = 25

/** The crash loop: plays runs, judges each, and ends with 1 when a promise was broken. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      cycles: { type: 'string', default: '25' },
      seed: { type: 'string' },
      mode: { type: 'string', default: 'both' },
      gateways: { type: 'string', default: '2' },
      only: { type: 'string', default: '' },
      load: { type: 'string', default: '15' },
      folder: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) return console.log(usage)
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6))
  const root = values.folder ?? mkdtempSync(join(tmpdir(), 'pombo-chaos-'))
  let violations = 0
  for (const [i, part] of partsOf(Number(values.cycles), values.mode).entries()) {
    const folder = join(root, `${i + 1}-${part.mode}`)
    const gateways = part.mode === 'bundled' ? 1 : Number(values.gateways)
    console.log(`run ${i + 1}: --mode ${part.mode} --cycles ${part.cycles} --seed ${seed + i} --gateways ${gateways}`)
    await playRun({
      ...part,
      only: values.only.split(',').filter((each) => each !== ''),
      seed: seed + i,
      gateways,
      load: Number(values.load),
      folder,
      say: (words) => console.log(`  ${words}`),
    })
    const run = readRun(folder)
    const found = checkRun(run)
    violations += found.length
    console.log(reportOf(run, found))
  }
  if (values.folder === undefined && violations === 0) rmSync(root, { recursive: true, force: true })
  else console.log(`The histories are in ${root}`)
  process.exit(violations === 0 ? 0 : 1)
}

/** Which runs the cycles are played in. */
function partsOf(cycles: number, mode: string): { mode: Stage['mode']; cycles: number }[] {
  const parts: { mode: Stage['mode']; cycles: number }[] = []
  for (let left = cycles, i = 0; left > 0; i += 1) {
    const next = mode === 'bundled' || (mode === 'both' && i % 2 === 0) ? 'bundled' : 'external'
    const share = mode === 'both' ? Math.ceil(Math.min(cyclesPerRunMax, cycles) / 2) : cyclesPerRunMax
    parts.push({ mode: next, cycles: Math.min(left, share) })
    left -= share
  }
  return parts
}

await main()
