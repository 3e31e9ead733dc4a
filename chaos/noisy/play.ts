import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { uuidOf } from '../histories.ts'
import { startSideProgram } from '../side-program.ts'
import { ask } from './ask.ts'
import { type Figures, type Floors, figuresOf, problemsOf, type Span } from './judge.ts'
import type { Felt, NeighbourOrders } from './neighbours.ts'
import type { Scenario } from './scenario.ts'
import { openTown, type Town } from './town.ts'

export type PlayOptions = {
  scenarios: readonly Scenario[]
  /** Of the noisy account, when it begins. */
  messages: number
  /** How long the others are looked at: alone before all, alone before each, and beside each. */
  firstMs: number
  aloneMs: number
  besideMs: number
  /** By then what the others asked for last is answered, and its event has come. */
  lastMs: number
  floors: Floors
  stallMsMax: number
  /** How often one scenario may be played again, for the sake of a machine that does other work. */
  retries: number
  folder: string
  say: (words: string) => void
  /** What takes all of it away again, the last first: for whoever is ended from outside. */
  undo: (() => Promise<unknown>)[]
}

/** How others fared beside one. `stallMs` is how long the gateway's event loop had stood still at most by then; null: it does not say. */
export type Played = { scenario: Scenario; alone: Figures; beside: Figures; stallMs: number | null; problems: readonly string[] }

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
/** An actor is at its worst after so long. */
const onsetMs = 300
/** What the actor before left behind is over when nothing was felt for so long; it is not waited for longer than that. */
const calmMs = 700
const calmMsMax = 15_000
/** A start, and tables that were just filled, keep a machine busy for longer. */
const firstCalmMsMax = 60_000

/** Plays all of them in one town, one after the other. Nothing stays running, whatever happens. */
export async function playAll(options: PlayOptions): Promise<Played[]> {
  try {
    const { town, felt } = await openAll(options)
    await untilCalm(felt, options.floors, firstCalmMsMax)
    const alone: Span[] = [await look(options.firstMs)]
    const played: Played[] = []
    for (const scenario of options.scenarios) {
      let last = await playOne({ town, felt, alone }, scenario, options)
      for (let again = 0; last.problems.length > 0 && again < options.retries; again += 1) {
        options.say(`${scenario.name}: ${last.problems.join('; ')}. Once more.`)
        last = await playOne({ town, felt, alone }, scenario, options)
      }
      played.push(last)
      options.say(lineOf(last))
    }
    return played
  } finally {
    await tidy(options)
  }
}

const lineOf = ({ scenario, alone, beside, problems }: Played): string =>
  `${scenario.name}: send ${Math.round(alone.send.p99Ms)} → ${Math.round(beside.send.p99Ms)} ms; ${problems.length === 0 ? 'held' : problems.join('; ')}`

/** Ends all that was begun. */
export async function tidy({ undo, say }: Pick<PlayOptions, 'undo' | 'say'>): Promise<void> {
  for (const each of undo.splice(0).reverse()) await each().catch((error: unknown) => say(`while tidying up: ${String(error)}`))
}

type Playing = { town: Town; felt: () => Felt[]; alone: Span[] }

async function playOne({ town, felt, alone }: Playing, scenario: Scenario, options: PlayOptions): Promise<Played> {
  await untilCalm(felt, options.floors, calmMsMax)
  alone.push(await look(options.aloneMs))
  const stallBeforeMs = await stallOf(town.port)
  const end = await scenario.begin(town)
  await pause(onsetMs)
  const beside = await look(options.besideMs)
  await pause(options.lastMs)
  const all = felt()
  await end()
  const stallMs = await stallOf(town.port)
  const figures = { alone: figuresOf(all, alone), beside: figuresOf(all, [beside]) }
  const problems = [
    ...problemsOf(figures.alone, figures.beside, options.floors),
    ...stallProblems(stallBeforeMs, stallMs, options.stallMsMax),
  ]
  return { scenario, ...figures, stallMs, problems }
}

/** What is told is the longest since the start: it was beside this actor where it grew. */
function stallProblems(beforeMs: number | null, afterMs: number | null, msMax: number): string[] {
  if (afterMs === null || afterMs <= Math.max(beforeMs ?? 0, msMax)) return []
  return [`the event loop stood still for ${Math.round(afterMs)} ms`]
}

async function untilCalm(felt: () => Felt[], floors: Floors, msMax: number): Promise<void> {
  const startedMs = Date.now()
  do {
    const span = await look(calmMs)
    const { send, failed } = figuresOf(felt(), [span])
    if (send.count > 0 && failed === 0 && send.p99Ms <= floors.send) return
  } while (Date.now() - startedMs < msMax)
}

async function look(ms: number): Promise<Span> {
  const fromMs = Date.now()
  await pause(ms)
  return { fromMs, toMs: Date.now() }
}

async function openAll({ folder, messages, undo }: PlayOptions): Promise<Omit<Playing, 'alone'>> {
  const [feltFile, orders] = [join(folder, 'felt.jsonl'), join(folder, 'orders.json')]
  const program = join(import.meta.dirname, 'neighbours.ts')
  const neighbours = await startSideProgram([program, feltFile, orders], { logFile: join(folder, 'side-programs.log'), printsUrl: true })
  undo.push(() => neighbours.end(5_000))
  const town = await openTown({ messages, folder, undo })
  for (const { accountId, key } of town.others) {
    const body = JSON.stringify({ url: `${neighbours.url}/${uuidOf(accountId)}`, events: ['message.sent'] })
    await ask({ port: town.port, method: 'POST', path: '/v1/webhooks', headers: { authorization: `Bearer ${key}` }, body })
  }
  writeFileSync(orders, JSON.stringify({ port: town.port, others: town.others } satisfies NeighbourOrders))
  return { town, felt: () => withLate(readFelt(feltFile)) }
}

function readFelt(file: string): Felt[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  // The last line may be half written.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Felt]))
}

/** The last word about each; and a send that was accepted and has no event yet is one that has not come. */
function withLate(felt: readonly Felt[]): Felt[] {
  const last = new Map(felt.map((each) => [`${each.what} ${each.reference}`, each]))
  const late = [...last.values()].filter((each) => each.what === 'send' && each.status === 202 && !last.has(`event ${each.reference}`))
  return [...last.values(), ...late.map((each): Felt => ({ ...each, what: 'event', tookMs: null }))]
}

async function stallOf(port: number): Promise<number | null> {
  const { body } = await ask({ port, path: '/metrics' })
  const told = /^pombo_event_loop_longest_stall_seconds(?:\{[^}]*\})? (\S+)$/m.exec(body)?.[1]
  return told === undefined ? null : Number(told) * 1_000
}
