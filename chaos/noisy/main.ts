import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stallMsMax } from '../../server/src/platform/observe/event-loop.ts'
import type { Floors } from './judge.ts'
import { playAll, tidy } from './play.ts'
import { scenarios } from './scenarios.ts'
import { tableOf } from './table.ts'

const usage = `npm run noisy -- [options] [WORDS…]

  WORDS           only scenarios whose name has one of them
  --messages N    of the account that makes the noise (1000000)
  --seconds N     how long the others are looked at beside each (20)
  --retries N     how often a scenario may be tried again (1)
  --small         50000 messages, a second each, and only a service that stops is told, not one that slows down`

type Size = { messages: number; firstMs: number; aloneMs: number; besideMs: number; lastMs: number; floors: Floors; stallMsMax: number }

/** `floors`: below these a p99 is not judged, in ms. A machine may do so much by itself. */
const full: Size = {
  messages: 1_000_000,
  firstMs: 20_000,
  aloneMs: 10_000,
  besideMs: 20_000,
  lastMs: 1_000,
  floors: { send: 50, event: 300, console: 100 },
  stallMsMax,
}
const small: Size = {
  messages: 50_000,
  firstMs: 1_000,
  aloneMs: 300,
  besideMs: 1_000,
  lastMs: 700,
  floors: { send: 1_500, event: 3_000, console: 1_500 },
  stallMsMax: 2 * stallMsMax,
}

/** Plays every scenario, prints how the others fared, and ends with 1 when they did not go on. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      messages: { type: 'string' },
      seconds: { type: 'string' },
      small: { type: 'boolean', default: false },
      retries: { type: 'string', default: '1' },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) return console.log(usage)
  const chosen = scenarios.filter(({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)))
  const folder = mkdtempSync(join(tmpdir(), 'pombo-noisy-'))
  const size = sizeOf(values)
  const played = await playAll({ ...size, scenarios: chosen, folder, retries: Number(values.retries), say, undo })
  console.log(tableOf(played, size.floors))
  const broken = played.filter((each) => each.problems.length > 0)
  if (broken.length === 0) rmSync(folder, { recursive: true, force: true })
  else console.log(`${broken.length} of ${played.length} stopped others. The log of the gateway is in ${folder}.`)
  process.exitCode = broken.length === 0 && played.length > 0 ? 0 : 1
}

function sizeOf({ small: isSmall, messages, seconds }: { small: boolean; messages?: string; seconds?: string }): Size {
  const size = { ...(isSmall ? small : full), ...(messages === undefined ? {} : { messages: Number(messages) }) }
  if (seconds === undefined) return size
  const ms = Number(seconds) * 1_000
  return { ...size, firstMs: ms, aloneMs: ms / 2, besideMs: ms }
}

const undo: (() => Promise<unknown>)[] = []
const say = (words: string) => console.log(words)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void tidy({ undo, say }).finally(() => process.exit(130)))
await main()
