import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { playAll, tidy } from './play.ts'
import { scenarios } from './scenarios.ts'
import { tableOf } from './table.ts'

const usage = `npm run noisy -- [options] [WORDS…]

  WORDS           only scenarios whose name has one of them
  --messages N    of the account that makes the noise (1000000)
  --seconds N     how long the others are looked at beside each (20)
  --retries N     how often a scenario may be tried again (1)`

/** Below these a p99 is not judged, in ms: what a machine may do by itself. */
const floors = { send: 50, event: 300, console: 100 }

/** Plays every scenario at full size, prints how the others fared, and ends with 1 when they did not go on. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      messages: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '20' },
      retries: { type: 'string', default: '1' },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) return console.log(usage)
  const chosen = scenarios.filter(({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)))
  const folder = mkdtempSync(join(tmpdir(), 'pombo-noisy-'))
  const ms = Number(values.seconds) * 1_000
  const played = await playAll({
    ...{ scenarios: chosen, messages: Number(values.messages), floors, folder, retries: Number(values.retries) },
    ...{ firstMs: ms, aloneMs: ms / 2, besideMs: ms },
    say,
    undo,
  })
  console.log(tableOf(played, floors))
  const broken = played.filter((each) => each.problems.length > 0)
  if (broken.length === 0) rmSync(folder, { recursive: true, force: true })
  else console.log(`${broken.length} of ${played.length} stopped others. The log of the gateway is in ${folder}.`)
  process.exitCode = broken.length === 0 && played.length > 0 ? 0 : 1
}

const undo: (() => Promise<unknown>)[] = []
const say = (words: string) => console.log(words)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void tidy({ undo, say }).finally(() => process.exit(130)))
await main()
