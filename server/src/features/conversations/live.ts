import type { Clock } from '../../base/clock.ts'
import { formatId, type Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Loop, type LoopObservation, startLoop } from '../../platform/lanes/loop.ts'
import { comparePlaces, endOfFeed, type FeedPlace, type FeedRow, readChangesBetween, readChangesOf } from '../messages/public.ts'
import { conversationsOfMessages } from './conversations-of-messages.ts'
import { readFollower } from './follower-store.ts'
import { endPlace, formatPlace, momentOfPlace, parsePlace } from './place.ts'

export type LiveDeps = {
  database: Database
  clock: Clock
  observe: (observation: LoopObservation) => void
  /** Says of each, in the order asked, whether they still belong to the account. */
  membersAmong: (asked: readonly { accountId: Uuid; userId: Uuid }[]) => Promise<boolean[]>
}

/** Somebody who wants to be told of changes. `after`: what they were told last; null: they begin now. */
export type Listener = { accountId: Uuid; livemode: boolean; userId: Uuid; after: string | null }

export type Live = {
  /**
   * A stream of server-sent events, as text. It ends by itself after some minutes, so that whoever is signed out is told nothing for long,
   * and within 2 s for who has left the account: the client comes back with the id of the last event. Refused when there are too many.
   */
  listen(listener: Listener, gone: AbortSignal): Result<AsyncGenerator<string>, Refusal>
  /** Something has changed. A hint: without it, it is found within a moment. */
  wake(): void
  /** Whether anybody listens. */
  isWatched(): boolean
  /** Ends every stream. */
  stop(): Promise<void>
}

const streamsOfPersonMax = 8
/** Twenty-five people with all of theirs. */
const streamsOfAccountMax = 200
const streamsMax = 2_000
const pollMs = 200
const restMs = 60_000
/** Who has left is told nothing after this long. */
const membersLookedAtMs = 2_000
const heartbeatMs = 15_000
const streamMsMax = 5 * 60_000
/** More than this is sooner read anew than told one by one. */
const idsMax = 200
const rowsMax = 2_000
const rowsBehindMax = 1_000
/** Whoever was away for longer reads anew; the feed is kept for twice as long. What was missed is bounded by its rows. */
const behindMsMax = 24 * 3_600_000
const clockSkewMs = 120_000
/** Between two events, and after one that makes the client read everything anew. */
const pauseMs = 100
const pauseAfterResetMs = 2_000

type Stream = Listener & {
  messages: Set<Uuid>
  conversations: Set<Uuid>
  /** What is told before the changes: where it begins, or that too much was missed. */
  first: 'ready' | 'reset' | null
  place: FeedPlace | null
  ended: boolean
  wake: () => void
}

/** Tells listeners of what the follower has folded: one poller for all of them, so that a thousand cost hardly more than one. */
export function createLive(deps: LiveDeps): Live {
  const { clock, observe } = deps
  const streams = new Set<Stream>()
  let joining: Stream[] = []
  let place: FeedPlace | null = null

  const tick = async (): Promise<number> => {
    // Whoever joins from here on waits for the next tick.
    const fresh = joining
    joining = []
    const following = [...streams]
    if (fresh.length === 0 && following.length === 0) {
      place = null
      return restMs
    }
    try {
      await endOfThoseWhoLeft()
      const more = await tellNews(following)
      for (const stream of fresh) await join(stream)
      return more ? 0 : pollMs
    } catch (error) {
      // They are tried again.
      joining = [...fresh.filter((stream) => !streams.has(stream)), ...joining]
      throw error
    }
  }

  const tellNews = async (following: readonly Stream[]): Promise<boolean> => {
    const end = await foldedTo(deps)
    if (place === null || following.length === 0) {
      place = end
      return false
    }
    if (comparePlaces(end, place) <= 0) return false
    const accounts = [...new Set(following.map((each) => each.accountId))]
    const rows = await readChangesOf(deps.database, accounts, { after: place, to: end }, rowsMax)
    const last = rows.length < rowsMax ? end : (rows.at(-1) ?? end)
    await tell(deps, following, rows, last)
    place = { xid: last.xid, id: last.id }
    return rows.length >= rowsMax
  }

  const join = async (stream: Stream): Promise<void> => {
    if (stream.ended || place === null) return
    const to = place
    const rows = await missedBy(deps, stream, to)
    stream.place = to
    if (rows === null) stream.first = stream.after === null ? 'ready' : 'reset'
    else await tell(deps, [stream], rows, to)
    streams.add(stream)
    stream.wake()
  }

  let lookedAtMs = clock.monotonicMs()
  const endOfThoseWhoLeft = async (): Promise<void> => {
    const nowMs = clock.monotonicMs()
    if (nowMs - lookedAtMs < membersLookedAtMs) return
    const asked = [...open]
    const there = await deps.membersAmong(asked)
    lookedAtMs = nowMs
    for (const [i, stream] of asked.entries()) {
      if (there[i] !== false) continue
      stream.ended = true
      stream.wake()
    }
  }

  const open = new Set<Stream>()
  const loop: Loop = startLoop({ name: 'live', clock, observe, spacingMs: 50, tick })
  return {
    listen(listener, gone) {
      const countOf = (isCounted: (each: Stream) => boolean) => [...open].filter(isCounted).length
      if (
        open.size >= streamsMax ||
        countOf((each) => each.userId === listener.userId) >= streamsOfPersonMax ||
        countOf((each) => each.accountId === listener.accountId) >= streamsOfAccountMax
      )
        return refused(tooMany)
      const stream: Stream = { ...listener, ...nothingYet(), wake: () => {} }
      open.add(stream)
      const leave = () => {
        stream.ended = true
        open.delete(stream)
        streams.delete(stream)
        stream.wake()
      }
      gone.addEventListener('abort', leave)
      if (gone.aborted) leave()
      joining.push(stream)
      loop.wake()
      return ok(eventsOf(clock, stream, leave))
    },
    wake: () => (open.size > 0 ? loop.wake() : undefined),
    isWatched: () => open.size > 0,
    async stop() {
      for (const stream of open) {
        stream.ended = true
        stream.wake()
      }
      await loop.stop()
    },
  }
}

const nothingYet = () => ({ messages: new Set<Uuid>(), conversations: new Set<Uuid>(), first: null, place: null, ended: false })
const tooMany = refusal('rate_limited', because('too_many_pages', 'Too many pages listen at the same time.'))

/** Up to where whoever is told of a change finds it. While the follower sweeps, it is the end of the feed: else nothing would be told for long. */
async function foldedTo({ database, clock }: LiveDeps): Promise<FeedPlace> {
  const follower = await readFollower(database, 'conversations')
  return follower.sweep === null ? { xid: follower.xid, id: follower.id } : endPlace(await endOfFeed(database), clock.now())
}

/** What happened since the listener was here; null: they begin now, or must read anew. */
async function missedBy({ database, clock }: LiveDeps, stream: Stream, to: FeedPlace): Promise<FeedRow[] | null> {
  const after = stream.after === null ? null : parsePlace(stream.after)
  if (after === null || comparePlaces(after, to) > 0) return null
  const ageMs = clock.now().getTime() - momentOfPlace(after).getTime()
  if (ageMs > behindMsMax || ageMs < -clockSkewMs) return null
  return readChangesBetween(database, stream, { after, to }, rowsBehindMax)
}

/** Hands changes to those whom they concern. */
async function tell(deps: LiveDeps, streams: readonly Stream[], rows: readonly FeedRow[], to: FeedPlace): Promise<void> {
  const groups = Map.groupBy(streams, placeOf)
  const changes = Map.groupBy(rows, placeOf)
  for (const [group, listeners] of groups) {
    const own = changes.get(group) ?? []
    const messages = new Set(own.flatMap((row) => [...row.newIds, ...row.movedIds, ...row.changedIds]))
    const conversations = new Set(own.flatMap((row) => row.conversationIds))
    const [first] = own
    const isTooMuch = messages.size > idsMax || conversations.size > idsMax
    if (first !== undefined && !isTooMuch)
      for (const id of await conversationsOfMessages(deps.database, first.accountId, [...messages])) conversations.add(id)
    for (const stream of listeners) {
      if (isTooMuch) stream.first = 'reset'
      else add(stream, messages, conversations)
      stream.place = to
      stream.wake()
    }
  }
}

const placeOf = (each: { accountId: Uuid; livemode: boolean }) => `${each.accountId} ${each.livemode}`

/** A slow reader is told once that it was too much: what waits for it is bounded. */
function add(stream: Stream, messages: ReadonlySet<Uuid>, conversations: ReadonlySet<Uuid>): void {
  if (stream.first === 'reset') return
  for (const id of messages) stream.messages.add(id)
  for (const id of conversations) stream.conversations.add(id)
  if (stream.messages.size <= idsMax && stream.conversations.size <= idsMax) return
  stream.first = 'reset'
}

async function* eventsOf(clock: Clock, stream: Stream, leave: () => void): AsyncGenerator<string> {
  const untilMs = clock.monotonicMs() + streamMsMax
  try {
    yield 'retry: 1000\n\n'
    while (!stream.ended && clock.monotonicMs() < untilMs) {
      const next = takeEvent(stream)
      if (next !== null) {
        yield next.text
        await wokenOr(clock, stream, next.isReset ? pauseAfterResetMs : pauseMs, false)
      } else if (!(await wokenOr(clock, stream, heartbeatMs, true)) && stream.place !== null)
        yield `: still here\nid: ${formatPlace(stream.place)}\n\n`
    }
  } finally {
    leave()
  }
}

function takeEvent(stream: Stream): { text: string; isReset: boolean } | null {
  if (stream.place === null) return null
  const id = formatPlace(stream.place)
  const { first } = stream
  if (first === null && stream.messages.size === 0 && stream.conversations.size === 0) return null
  const data =
    first === null
      ? {
          messages: [...stream.messages].map((each) => formatId('msg', each)),
          conversations: [...stream.conversations].map((each) => formatId('cnv', each)),
        }
      : {}
  // What came after the beginning is kept; what came before a reset is read anew with all else.
  if (first !== 'ready') {
    stream.messages.clear()
    stream.conversations.clear()
  }
  stream.first = null
  return { text: `event: ${first ?? 'change'}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`, isReset: first === 'reset' }
}

/** Waits; true: something came, or it is over. With `forNews` false only an end cuts it short. */
function wokenOr(clock: Clock, stream: Stream, ms: number, forNews: boolean): Promise<boolean> {
  if (stream.ended) return Promise.resolve(true)
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => {
      stream.wake = () => {}
      resolve(false)
    })
    stream.wake = () => {
      if (!forNews && !stream.ended) return
      cancel()
      stream.wake = () => {}
      resolve(true)
    }
  })
}
