import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type {
  Answer,
  Fault,
  FinalDatabase,
  Finish,
  Life,
  Probe,
  Receipt,
  Request,
  Run,
  Sample,
  Stage,
  Trouble,
  UpstreamNotice,
  UpstreamSend,
} from './histories.ts'

/** The files of a run, each written by one program. */
export function filesOf(folder: string) {
  const file = (name: string) => join(folder, name)
  return {
    stage: file('stage.json'),
    client: file('client.jsonl'),
    upstream: file('upstream.jsonl'),
    receipts: file('receipts.jsonl'),
    nemesis: file('nemesis.jsonl'),
    noisy: file('noisy.jsonl'),
    probes: file('probes.jsonl'),
    database: file('database.json'),
  }
}

const flushMs = 50

/** Appends objects to a file, a line each, some milliseconds together; `close` writes the rest. */
export function openLines(file: string): { write(line: object): void; close(): void } {
  let pending = ''
  let timer: NodeJS.Timeout | null = null
  const close = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (pending !== '') appendFileSync(file, pending)
    pending = ''
  }
  return {
    write(line) {
      pending += `${JSON.stringify(line)}\n`
      timer ??= setTimeout(close, flushMs)
    },
    close,
  }
}

/** Reads back what `folder` holds. Throws when the run did not come to its end. */
export function readRun(folder: string): Run {
  const files = filesOf(folder)
  const client = [files.client, files.noisy].flatMap((file) => linesOf<Request | Answer>(file))
  const upstream = linesOf<UpstreamSend | UpstreamNotice>(files.upstream)
  const nemesis = linesOf<Fault | Trouble | Life | Sample | Finish>(files.nemesis)
  const finish = nemesis.find((each) => each.kind === 'finish')
  if (finish === undefined) throw new Error(`The run in ${folder} has no end.`)
  return {
    stage: JSON.parse(readFileSync(files.stage, 'utf8')) as Stage,
    requests: client.filter((each) => each.kind === 'request'),
    answers: client.filter((each) => each.kind === 'answer'),
    sends: upstream.filter((each) => each.history === 'send'),
    notices: upstream.filter((each) => each.history === 'notice'),
    receipts: linesOf<Receipt>(files.receipts),
    faults: nemesis.filter((each) => each.kind === 'fault'),
    lives: nemesis.filter((each) => each.kind === 'started' || each.kind === 'ended'),
    samples: nemesis.filter((each) => each.kind === 'sample'),
    troubles: nemesis.filter((each) => each.kind === 'trouble'),
    probes: linesOf<Probe>(files.probes),
    finish,
    database: JSON.parse(readFileSync(files.database, 'utf8')) as FinalDatabase,
  }
}

function linesOf<Line>(file: string): Line[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line)
}
