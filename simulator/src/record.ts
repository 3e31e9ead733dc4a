import { appendFileSync } from 'node:fs'
import type { Clock } from './clock.ts'
import { parseJson } from './json-value.ts'
import { createKept } from './kept.ts'

/**
 * One attempt to send. `at` is the wall clock (ISO), `monotonicMs` a clock that never runs backwards. `outcome` says what became of it:
 * `accepted` (there is a wamid), `marked-read` (a read receipt), `refused` (an answer of the platform, see `code`) or `faulted` (the script, not accepted). A fault that hit an
 * accepted message is in `fault`. `raw` is the body as it came, null when it was never read.
 */
export type SendRecord = {
  sequence: number
  at: string
  monotonicMs: number
  phoneNumberId: string
  kind: string
  to: string | null
  waId: string | null
  body: unknown
  raw: string | null
  opaque: string | null
  outcome: 'accepted' | 'refused' | 'faulted' | 'marked-read'
  wamid: string | null
  code: number | null
  reason: string | null
  fault: string | null
}

/** One try to hand a notice over. `status` is null when no answer came; `error` then says why. `items` name what it carried. */
export type NoticeRecord = {
  sequence: number
  at: string
  monotonicMs: number
  attempt: number
  status: number | null
  error: string | null
  items: readonly string[]
  body: string
}

/** What happened to a send; the recorder adds when. */
export type SendFacts = Omit<SendRecord, 'sequence' | 'body' | 'at' | 'monotonicMs'>

/** What happened to a notice; the recorder adds when. */
type NoticeFacts = Omit<NoticeRecord, 'sequence' | 'at' | 'monotonicMs'>

/** The history of a run: the newest in memory, all of it in the file if there is one. */
export type Recorder = {
  send(facts: SendFacts): void
  notice(facts: NoticeFacts): void
  sendsAfter(sequence: number, limit: number): SendRecord[]
  noticesAfter(sequence: number, limit: number): NoticeRecord[]
  acceptedCount(): number
  /** Resolves when so many sends have been accepted since the start; rejects after `timeoutMs`. */
  waitForAccepted(count: number, timeoutMs: number): Promise<void>
  close(): void
}

const FLUSH_MS = 20
const FLUSH_CHARACTERS = 256 * 1024

/** Each history holds at most so much text in memory, whatever the number of its entries. */
const CHARACTERS_MAX = 128 * 1024 * 1024

type Stamped<Facts> = Facts & { sequence: number; atMs: number; monotonicMs: number }

/** `file` is appended to, one JSON object a line; null keeps everything in memory only. */
export function createRecorder(clock: Clock, max: number, file: string | null): Recorder {
  const bounds = { max, charactersMax: CHARACTERS_MAX }
  const sends = createKept<Stamped<SendFacts>>(bounds, (entry) => entry.raw?.length ?? 0)
  const notices = createKept<Stamped<NoticeFacts>>(bounds, (entry) => entry.body.length)
  const lines = createLines(file)
  const waiters = new Set<{ count: number; resolve: () => void; reject: (error: Error) => void; timer: NodeJS.Timeout }>()
  let accepted = 0
  const send = (facts: SendFacts) => {
    const entry = { sequence: sends.last() + 1, atMs: clock.nowMs(), monotonicMs: clock.monotonicMs(), ...facts }
    sends.push(entry)
    lines.write('send', () => shown(entry))
    if (facts.outcome !== 'accepted') return
    accepted += 1
    for (const waiter of waiters) {
      if (accepted < waiter.count) continue
      clearTimeout(waiter.timer)
      waiters.delete(waiter)
      waiter.resolve()
    }
  }
  const waitForAccepted = (count: number, timeoutMs: number) => {
    if (accepted >= count) return Promise.resolve()
    return new Promise<void>((resolve, reject) => {
      const expire = () => {
        waiters.delete(waiter)
        reject(new Error(`After ${timeoutMs} ms, ${accepted} of ${count} sends were accepted.`))
      }
      const waiter = { count, resolve, reject, timer: setTimeout(expire, timeoutMs) }
      waiters.add(waiter)
    })
  }
  const close = () => {
    lines.close()
    for (const waiter of waiters) {
      clearTimeout(waiter.timer)
      waiter.reject(new Error('The simulator was closed.'))
    }
    waiters.clear()
  }
  return {
    send,
    notice: (facts) => {
      const entry = { sequence: notices.last() + 1, atMs: clock.nowMs(), monotonicMs: clock.monotonicMs(), ...facts }
      notices.push(entry)
      lines.write('notice', () => shown(entry))
    },
    // Only the text is kept; parsing it when somebody looks keeps thousands of sends a second cheap.
    sendsAfter: (sequence, limit) =>
      sends.after(sequence, limit).map((entry) => ({ ...shown(entry), body: parseJson(entry.raw ?? '') ?? null })),
    noticesAfter: (sequence, limit) => notices.after(sequence, limit).map(shown),
    acceptedCount: () => accepted,
    waitForAccepted,
    close,
  }
}

function shown<Facts extends object>({ atMs, ...facts }: Stamped<Facts>): Omit<Stamped<Facts>, 'atMs'> & { at: string } {
  return { ...facts, at: new Date(atMs).toISOString() }
}

/** Lines are written together, so that a fast run does not make a system call for each. */
function createLines(file: string | null): { write(kind: string, entry: () => object): void; close(): void } {
  if (file === null) return { write: () => {}, close: () => {} }
  let pending = ''
  let timer: NodeJS.Timeout | null = null
  const flush = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (pending !== '') appendFileSync(file, pending)
    pending = ''
  }
  const write = (kind: string, entry: () => object) => {
    pending += `${JSON.stringify({ history: kind, ...entry() })}\n`
    if (pending.length > FLUSH_CHARACTERS) flush()
    else timer ??= setTimeout(flush, FLUSH_MS)
  }
  return { write, close: flush }
}
