import { useEffect, useLayoutEffect, useMemo, useSyncExternalStore } from 'react'
import { ApiError, call, type Reason } from '../../api/client.ts'
import type { Message, SendMessageRequest } from '../../api/generated/operations.ts'
import { dropKept, keep, namesKept, onForget, readKept } from '../../api/kept.ts'
import { askWhoOneIs } from '../../api/query-client.ts'
import { type Place, usePlace } from './place.ts'

/** A send of this browser, from the click until its message is in the thread. */
export type PendingSend = {
  /** Its `Idempotency-Key`: the same for every try, so that it becomes one message, however often it is tried. */
  key: string
  conversationId: string
  place: Place
  body: SendMessageRequest
  /** What the thread shows of it meanwhile. */
  shown: { text: string | null; file: { url: string; name: string; kind: string } | null; replyTo: string | null }
  /** Milliseconds since 1970, by this browser's clock. */
  createdAt: number
  state: 'sending' | 'failed' | 'sent'
  /** Why it failed. `isUnclear`: it may have been sent all the same, so it may be tried again, but not changed. */
  error: { code: string; message: string; reasons: readonly Reason[]; status: number; requestId: string | null; isUnclear: boolean } | null
  /** The message that it became. */
  message: Message | null
}

export type NewSend = Pick<PendingSend, 'body' | 'shown'>

/** The gateway remembers a key for 24 hours; with an hour to spare, the same key after this could send twice. */
const keyMsMax = 23 * 3_600_000
/** What a reload interrupted goes on by itself when it is this young. Later it would come as a surprise. */
const resumeMsMax = 10 * 60_000
/** A sent one is dropped after this when no thread has taken it over. */
const sentMsMax = 60_000
const retryDelaysMs = [1_000, 3_000] as const
const retryAfterMsMax = 15_000

let sends: readonly PendingSend[] = []
const opened = new Set<string>()
const watchers = new Set<() => void>()
const queues = new Map<string, Promise<void>>()

onForget(() => {
  opened.clear()
  show([])
})
window.addEventListener('storage', ({ key, newValue }) => {
  // Another tab has brought it to its end.
  if (key === null || newValue !== null) return
  const done = sends.find((each) => each.state === 'failed' && key.endsWith(nameOf(each)))
  if (done !== undefined) show(sends.filter((each) => each !== done))
})

/** The sends of a conversation that are not in its thread yet, oldest first. Those that a reload interrupted are among them, and go on. */
export function usePendingSends(conversationId: string): readonly PendingSend[] {
  const place = usePlace()
  useEffect(() => open(place), [place])
  const all = useSyncExternalStore(watch, () => sends)
  return useMemo(
    () => all.filter((each) => each.conversationId === conversationId && beginningOf(each.place) === beginningOf(place)),
    [all, conversationId, place],
  )
}

/** Drops the sends that a thread has as messages by now: it shows them itself. Before anything is drawn, so that none is there twice. */
export function useTakeOver(messages: readonly { id: string }[]): void {
  useSyncExternalStore(watch, () => sends)
  useLayoutEffect(() => {
    const there = new Set(messages.map(({ id }) => id))
    for (const { key, message } of sends) if (message !== null && there.has(message.id)) dropSend(key)
  })
}

/** Sends one after another, in this order and after what the conversation has under way. What becomes of them is in `usePendingSends`. */
export function enqueueSends(place: Place, conversationId: string, wanted: readonly NewSend[]): void {
  const added = wanted.map(
    (each): PendingSend => ({
      ...each,
      key: newKey(),
      conversationId,
      place,
      createdAt: Date.now(),
      state: 'sending',
      error: null,
      message: null,
    }),
  )
  for (const each of added) keep(nameOf(each), each)
  show([...sends, ...added])
  for (const each of added) start(each)
}

/** Whether the same key may still be used. */
export function mayRetry(send: PendingSend): boolean {
  return send.state === 'failed' && Date.now() - send.createdAt < keyMsMax
}

/** Tries a failed one again, with the same key. */
export function retrySend(key: string): void {
  const send = sends.find((each) => each.key === key)
  if (send === undefined || !mayRetry(send)) return
  change(key, { state: 'sending', error: null })
  start(send)
}

/** Takes one away: given up, back in the composer, or its message is in the thread. */
export function dropSend(key: string): void {
  const send = sends.find((each) => each.key === key)
  if (send === undefined) return
  dropKept(nameOf(send))
  show(sends.filter((each) => each !== send))
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function show(next: readonly PendingSend[]): void {
  sends = next
  for (const watcher of watchers) watcher()
}

function change(key: string, what: Partial<PendingSend>): void {
  show(sends.map((each) => (each.key === key ? { ...each, ...what } : each)))
}

const beginningOf = ({ userId, accountId, mode }: Place) => `send ${userId} ${accountId} ${mode} `
/** Each has a name of its own, so that two tabs do not overwrite each other's. */
const nameOf = ({ place, key }: PendingSend) => beginningOf(place) + key

/** Reads what an earlier page of this browser left, once. */
function open(place: Place): void {
  const beginning = beginningOf(place)
  if (opened.has(beginning)) return
  opened.add(beginning)
  const left = namesKept(beginning)
    .flatMap((name) => readKept<PendingSend>(name) ?? [])
    .filter((each) => !sends.some(({ key }) => key === each.key))
    .toSorted((one, other) => one.createdAt - other.createdAt)
    .map((each) => (each.state === 'sending' && Date.now() - each.createdAt > resumeMsMax ? interrupted(each) : each))
  show([...left, ...sends])
  for (const each of left) if (each.state === 'sending') start(each)
}

const interrupted = (send: PendingSend): PendingSend => ({
  ...send,
  state: 'failed',
  error: { code: 'interrupted', message: '', reasons: [], status: 0, requestId: null, isUnclear: true },
})

/** After all that its conversation has under way, whatever comes of those. */
function start(send: PendingSend): void {
  const place = `${beginningOf(send.place)}${send.conversationId}`
  const after = (queues.get(place) ?? Promise.resolve()).then(() => carry(send))
  queues.set(place, after)
}

async function carry(send: PendingSend): Promise<void> {
  // Signed out, or given up, while it waited.
  if (!sends.some((each) => each.key === send.key)) return
  try {
    const message = await persist(send)
    dropKept(nameOf(send))
    change(send.key, { state: 'sent', message })
    setTimeout(() => dropSend(send.key), sentMsMax)
  } catch (error) {
    askWhoOneIs(error)
    const failed: PendingSend = { ...send, state: 'failed', error: errorOf(error) }
    if (sends.some((each) => each.key === send.key)) keep(nameOf(send), failed)
    change(send.key, failed)
  }
}

/** Tries until there is a clear answer, a few times. An answer that was lost on its way is given again by the key. */
async function persist({ key, body, place: { accountId, mode } }: PendingSend): Promise<Message> {
  for (const delayMs of [...retryDelaysMs, null]) {
    try {
      const answer = await call('POST /account/messages', { body }, { accountId, mode, idempotencyKey: key })
      if (answer.object !== 'message') throw new Error('bug: a send was answered by something else')
      return answer
    } catch (error) {
      if (delayMs === null || !(error instanceof ApiError) || !isPassing(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs(error, delayMs)))
    }
  }
  throw new Error('bug: the last try neither answered nor failed')
}

const isPassing = ({ status }: ApiError) => status === 0 || status === 429 || status >= 500

const waitMs = ({ retryAfterSeconds }: ApiError, delayMs: number) =>
  retryAfterSeconds === null ? delayMs : Math.min(retryAfterSeconds * 1_000, retryAfterMsMax)

function errorOf(error: unknown): PendingSend['error'] {
  if (!(error instanceof ApiError)) return { code: 'unreachable', message: '', reasons: [], status: 0, requestId: null, isUnclear: true }
  const { code, message, status, requestId, details } = error
  const said = details.map((each) => each.message).join(' ')
  const reasons = details.flatMap(({ reason }) => reason ?? [])
  return { code, message: said === '' ? message : said, reasons, status, requestId, isUnclear: status === 0 || status >= 500 }
}

/** A key for a send. Not `randomUUID`: that is only there on secure addresses. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
