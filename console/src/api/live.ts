import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { keyOf, useAccount } from './account.ts'
import { addressOf, type Mode } from './client.ts'
import { readEvents } from './event-stream.ts'
import { gather, type LiveEvent } from './gather.ts'
import { meKey } from './me.ts'

/** Whether what is shown is up to date by itself. */
export type LiveState = 'connecting' | 'live' | 'down'

/** What the tabs of one browser say to each other. */
type Word =
  | { kind: 'event'; event: LiveEvent; cursor: string | null }
  | { kind: 'state'; state: LiveState; cursor: string | null }
  | { kind: 'hello' }

const beatMs = 10_000
/** After this long without a word of the leading tab it is taken for frozen, as phones do with tabs behind. */
const silenceMsMax = 30_000
/** The gateway says something at least every 15 s: a line that is silent for this long is dead. */
const quietMsMax = 40_000
const retryMsMax = 10_000
/** What comes in a burst is told once in this time. */
const gatherMs = 600

const listeners = new Set<(event: LiveEvent) => void>()
const watchers = new Set<() => void>()
let shared: LiveState = 'connecting'

function show(state: LiveState): void {
  if (state === shared) return
  shared = state
  for (const watcher of watchers) watcher()
}

function watchState(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Whether changes come by themselves at this moment. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(watchState, () => shared)
}

/** Calls back for what happens on the account, at most about twice a second. */
export function useLiveEvents(listener: (event: LiveEvent) => void): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const tell = (event: LiveEvent) => latest.current(event)
    listeners.add(tell)
    return () => {
      listeners.delete(tell)
    }
  }, [])
}

/** Keeps the answers of this account fresh while it is mounted: once in the frame of its pages. */
export function useLiveUpdates(): void {
  const { id, mode } = useAccount()
  const client = useQueryClient()
  useEffect(() => {
    const place = { id, mode }
    const refresh = (event: LiveEvent) => {
      if (event.kind === 'reset') return void client.invalidateQueries({ queryKey: [id, mode] })
      for (const name of ['GET /account/conversations', 'GET /account/conversations/counts'] as const)
        void client.invalidateQueries({ queryKey: keyOf(place, name) })
      for (const conversation of event.conversations) {
        const input = { path: { id: conversation } }
        void client.invalidateQueries({ queryKey: keyOf(place, 'GET /account/conversations/{id}', input) })
        void client.invalidateQueries({ queryKey: keyOf(place, 'GET /account/conversations/{id}/notes', input) })
      }
    }
    const gathered = gather(gatherMs, (event) => {
      refresh(event)
      for (const listener of listeners) listener(event)
    })
    const stop = follow({ accountId: id, mode }, gathered.add, () => void client.invalidateQueries({ queryKey: meKey }))
    return () => {
      stop()
      gathered.stop()
    }
  }, [id, mode, client])
}

type Place = { accountId: string; mode: Mode }

/** One stream for all tabs of the browser: the tab that holds the lock reads it and tells the others. */
function follow(place: Place, tell: (event: LiveEvent) => void, refused: () => void): () => void {
  const name = `pombo.live ${place.accountId} ${place.mode}`
  const ended = new AbortController()
  const channel = new BroadcastChannel(name)
  let cursor: string | null = null
  let isLeading = false
  let heardAt = performance.now()
  show('connecting')

  const say = (word: Word) => channel.postMessage(word)
  const sayState = () => say({ kind: 'state', state: shared, cursor })
  channel.addEventListener('message', ({ data }: MessageEvent<Word>) => {
    if (data.kind === 'hello') return isLeading ? sayState() : undefined
    if (isLeading) return
    heardAt = performance.now()
    cursor = data.cursor
    if (data.kind === 'event') tell(data.event)
    else show(data.state)
  })
  say({ kind: 'hello' })

  const leading: Leading = {
    place,
    cursor: () => cursor,
    state(state) {
      if (state === shared) return
      show(state)
      sayState()
    },
    event(event, at) {
      cursor = at ?? cursor
      say({ kind: 'event', event, cursor })
      tell(event)
    },
    at(position) {
      cursor = position
    },
    refused,
  }

  async function lead(signal: AbortSignal): Promise<void> {
    isLeading = true
    await readForever(leading, signal)
    isLeading = false
  }

  async function queue(steal: boolean): Promise<void> {
    // Without locks (a page that is not on a secure address) every tab reads for itself.
    if (navigator.locks === undefined) return lead(ended.signal)
    const lost = new AbortController()
    const signal = AbortSignal.any([ended.signal, lost.signal])
    try {
      await navigator.locks.request(name, steal ? { steal } : { signal: ended.signal }, () => lead(signal))
    } catch {
      // Another tab took the lock over from this one, or the page is done.
      lost.abort()
      if (!ended.signal.aborted) await queue(false)
    }
  }

  const beat = setInterval(() => {
    if (isLeading) return sayState()
    if (document.visibilityState !== 'visible' || navigator.locks === undefined) return
    if (performance.now() - heardAt < silenceMsMax) return
    heardAt = performance.now()
    void queue(true)
  }, beatMs)

  void queue(false)
  return () => {
    clearInterval(beat)
    ended.abort()
    channel.close()
  }
}

type Leading = {
  place: Place
  cursor(): string | null
  state(state: LiveState): void
  event(event: LiveEvent, at: string | null): void
  at(position: string): void
  /** Who reads may no longer: signed out, or no member any more. */
  refused(): void
}

/** Reads the stream, and after each end again from where it ended, until `signal`. */
async function readForever(leading: Leading, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      await readOnce(leading, signal, () => {
        failures = 0
      })
    } catch {
      // The line broke, or the gateway is not there: what happened meanwhile is read from the cursor on.
    }
    if (signal.aborted) return
    leading.state('down')
    failures += 1
    await pause(Math.min(retryMsMax, 250 * 2 ** failures) * (0.75 + Math.random() / 2), signal)
  }
}

async function readOnce(leading: Leading, signal: AbortSignal, onOpen: () => void): Promise<void> {
  const line = new AbortController()
  const offline = () => line.abort()
  window.addEventListener('offline', offline)
  let watchdog = setTimeout(offline, quietMsMax)
  const { place } = leading
  const after = leading.cursor()
  try {
    const address = addressOf('/account/live', { accountId: place.accountId, query: { after, mode: place.mode } })
    const answer = await fetch(address, {
      credentials: 'same-origin',
      headers: { accept: 'text/event-stream' },
      cache: 'no-store',
      signal: AbortSignal.any([signal, line.signal]),
    })
    if ([401, 403, 404].includes(answer.status)) leading.refused()
    if (!answer.ok || answer.body === null) throw new Error(`the stream answered ${answer.status}`)
    for await (const event of readEvents(answer.body)) {
      clearTimeout(watchdog)
      watchdog = setTimeout(offline, quietMsMax)
      onOpen()
      leading.state('live')
      if (event === null) continue
      // Where the stream begins, what was read before may be older than its beginning.
      if (event.name === 'ready' || event.name === 'reset') leading.event({ kind: 'reset' }, event.id)
      else if (event.name === 'change') leading.event(changeOf(event.data), event.id)
      else if (event.id !== null) leading.at(event.id)
    }
  } finally {
    clearTimeout(watchdog)
    window.removeEventListener('offline', offline)
  }
}

function changeOf(data: string): LiveEvent {
  const { messages = [], conversations = [] } = JSON.parse(data) as { messages?: string[]; conversations?: string[] }
  return { kind: 'change', messages, conversations }
}

/** Waits, at most until the browser is on line again or `signal`. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
}
