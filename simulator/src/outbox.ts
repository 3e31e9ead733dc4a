import type { Activity } from './activity.ts'
import { type Callback, openTarget, type PostResult, type Signing } from './callback-target.ts'
import type { Clock } from './clock.ts'
import type { DueQueue } from './due-queue.ts'
import { createKept } from './kept.ts'
import { createLine } from './line.ts'
import { type NoticeItem, noticeBody } from './notices.ts'
import type { Recorder } from './record.ts'
import type { OutboxLimits } from './settings.ts'
import { compactJson, escapeAsPlatform } from './wire-form.ts'

/** How a notice is sent besides the usual way. Defaults: rightly signed, escaped, repeated until it is answered with 200. */
export type PostOptions = { signature?: Signing; escape?: boolean; repeat?: boolean }

/** A notice that was given up, and why. */
export type Undelivered = { at: string; items: readonly string[]; body: string; attempts: number; reason: string }

/** Hands notices to the callback. Each promise resolves with the first attempt; later attempts go on behind it. */
export type Outbox = {
  enqueue(item: NoticeItem): Promise<PostResult>
  /** `label` names it in the history. */
  enqueueText(json: string, options: PostOptions & { label?: string }): Promise<PostResult>
  /** Keeps a notice that may not be sent, so that nothing vanishes unseen. */
  refuse(notice: { label: string; body: string }, reason: string): PostResult
  undelivered(): Undelivered[]
  setCallback(callback: Callback | null): void
  close(): Promise<void>
}

type Deps = { clock: Clock; due: DueQueue; activity: Activity; recorder: Recorder; limits: OutboxLimits; batchMax: () => number }

type Letter = {
  items: readonly string[]
  body: string
  attempt: number
  attemptsMax: number
  signature: Signing
  first: (result: PostResult) => void
}

type Waiting = { item: NoticeItem; first: (result: PostResult) => void }

const UNDELIVERED_CHARACTERS_MAX = 128 * 1024 * 1024

/** Items leave in the order in which they were given, several at once; raw texts and repeated letters go before items that still wait. */
export function createOutbox(deps: Deps, callback: Callback | null): Outbox {
  const { limits, activity } = deps
  const given = createKept<Undelivered>(
    { max: limits.undeliveredMax, charactersMax: UNDELIVERED_CHARACTERS_MAX },
    (each) => each.body.length,
  )
  let target = openTarget(callback, limits)
  const waiting = createLine<Waiting>()
  const letters = createLine<Letter>()
  let posting = 0
  let pumpDue = false
  let closed = false

  const giveUp = (letter: Letter, reason: string) => {
    const { items, body, attempt } = letter
    given.push({ at: new Date(deps.clock.nowMs()).toISOString(), items, body, attempts: attempt, reason })
    activity.end()
  }
  const wakePump = () => {
    if (pumpDue || closed) return
    pumpDue = true
    deps.due.after(0, pump)
  }
  const pump = () => {
    pumpDue = false
    while (posting < limits.connections) {
      const letter = nextLetter()
      if (letter === null) return
      posting += 1
      void deliver(letter)
    }
  }
  const nextLetter = (): Letter | null => {
    const letter = letters.shift()
    if (letter !== null) return letter
    // Packed only when a connection is free: the longer the callback takes, the fuller the letters.
    const batch = waiting.shiftMany(Math.max(1, deps.batchMax()))
    return batch.length === 0 ? null : pack(batch)
  }
  const pack = (batch: readonly Waiting[]): Letter => {
    // One letter is one thing under way, however many items it carries.
    for (let i = 1; i < batch.length; i += 1) activity.end()
    return {
      items: batch.map((each) => each.item.label),
      body: escapeAsPlatform(noticeBody(batch.map((each) => each.item))),
      attempt: 0,
      attemptsMax: limits.attemptsMax,
      signature: 'right',
      first: (result) => {
        for (const each of batch) each.first(result)
      },
    }
  }
  const deliver = async (letter: Letter) => {
    letter.attempt += 1
    const result = await target.post(letter.body, letter.signature)
    posting -= 1
    if (closed) return
    const { attempt, items, body } = letter
    deps.recorder.notice({ attempt, ...result, items, body })
    if (attempt === 1) letter.first(result)
    if (result.status === 200) activity.end()
    else if (attempt >= letter.attemptsMax) giveUp(letter, result.error ?? `answered ${result.status}`)
    else repeatLater(letter)
    if (letters.size() > 0 || waiting.size() > 0) wakePump()
  }
  const repeatLater = (letter: Letter) => {
    const gapMs = Math.min(limits.firstGapMs * 2 ** (letter.attempt - 1), limits.gapMsMax)
    deps.due.after(gapMs, () => {
      letters.push(letter)
      wakePump()
    })
  }
  const full = () => letters.size() + waiting.size() >= limits.queueMax
  const enqueue = (item: NoticeItem) => {
    if (full()) return Promise.resolve(refuse({ label: item.label, body: noticeBody([item]) }, 'too many notices are waiting'))
    activity.begin()
    return new Promise<PostResult>((first) => {
      waiting.push({ item, first })
      wakePump()
    })
  }
  const enqueueText = (json: string, options: PostOptions & { label?: string }) => {
    activity.begin()
    const body = options.escape === false ? json : escapeAsPlatform(compactJson(json))
    const attemptsMax = options.repeat === false || full() ? 1 : limits.attemptsMax
    return new Promise<PostResult>((first) => {
      letters.push({
        items: [options.label ?? 'raw notice'],
        body,
        attempt: 0,
        attemptsMax,
        signature: options.signature ?? 'right',
        first,
      })
      wakePump()
    })
  }
  const refuse = ({ label, body }: { label: string; body: string }, reason: string): PostResult => {
    given.push({ at: new Date(deps.clock.nowMs()).toISOString(), items: [label], body, attempts: 0, reason })
    return { status: null, error: reason }
  }
  const setCallback = (next: Callback | null) => {
    const old = target
    target = openTarget(next, limits)
    void old.close()
  }
  const close = () => {
    closed = true
    return target.close()
  }
  return { enqueue, enqueueText, refuse, undelivered: () => given.after(0, limits.undeliveredMax), setCallback, close }
}
