import type { Activity } from './activity.ts'
import type { PostResult } from './callback-target.ts'
import type { Clock } from './clock.ts'
import type { DueQueue } from './due-queue.ts'
import type { KnownMessages } from './known-messages.ts'
import { createLine } from './line.ts'
import type { Step } from './magic-numbers.ts'
import { failedItem, inboundItem, type NoticeItem, noticeBody, type StatusSubject, statusItem } from './notices.ts'
import type { Directory } from './numbers.ts'
import type { Outbox } from './outbox.ts'
import type { Person } from './person.ts'
import { type Random, shuffled } from './random.ts'
import type { Behaviour } from './settings.ts'
import type { Gate } from './throughput.ts'
import type { WamidSource } from './wamid.ts'

/** An accepted message whose statuses are to come. `answerer` is who would answer it; null when the platform knows no phone of theirs. */
type CourseSubject = StatusSubject & { answerer: Person | null }

/** Runs what happens to accepted messages. */
export type Courses = {
  /** Starts the course of a message; resolves when its first status has been handed over once (or held back, or dropped). */
  start(subject: CourseSubject, steps: readonly Step[]): Promise<void>
  /** Hands a notice over if its WABA is subscribed. */
  post(item: NoticeItem): Promise<PostResult>
  /** Sends what was held back, and says how many notices that were. */
  release(order: Behaviour['statusOrder']): Promise<number>
  heldCount(): number
}

type Deps = {
  clock: Clock
  random: Random
  due: DueQueue
  activity: Activity
  outbox: Outbox
  directory: Directory
  messages: KnownMessages
  wamids: WamidSource
  throughput: Gate & { count(key: string): void }
  behaviour: { current: Behaviour }
}

type Held = { subject: CourseSubject; step: Step }

const HELD_MAX = 100_000

/** No course runs yet. */
export function createCourses(deps: Deps): Courses {
  const held = createLine<Held>()

  const post = (item: NoticeItem) => {
    const { message, number } = item
    // Before it leaves: whoever is told of a message may mark it as read at once.
    if (message !== null) deps.messages.add(message.wamid, { ...message, phoneNumberId: number.phoneNumberId, subject: null })
    const subscribed = deps.directory.wabas.get(item.number.wabaId)?.subscribed === true
    if (subscribed || !deps.behaviour.current.requireSubscription) return deps.outbox.enqueue(item)
    return Promise.resolve(deps.outbox.refuse({ label: item.label, body: noticeBody([item]) }, 'the WABA is not subscribed'))
  }
  const take = async (subject: CourseSubject, step: Step) => {
    if (deps.behaviour.current.statusHold && held.size() < HELD_MAX) {
      held.push({ subject, step })
      return
    }
    const item = itemOf(deps, subject, step)
    if (item !== null) await post(item)
  }
  const start = (subject: CourseSubject, steps: readonly Step[]) => {
    deps.activity.begin()
    const { promise, resolve } = Promise.withResolvers<void>()
    void run(subject, plan(deps, steps), resolve).finally(() => {
      resolve()
      deps.activity.end()
    })
    return promise
  }
  const run = async (subject: CourseSubject, steps: readonly Step[], firstTaken: () => void) => {
    const { statusGapMs, statusDelayMs, statusBeforeAnswer, noticeBatchMax } = deps.behaviour.current
    // With no gap and letters for several, the whole course may share one letter; otherwise each status waits until the one before it
    // was handed over, or two connections could swap them.
    const together = statusGapMs === 0 && noticeBatchMax > 1
    const taken: Promise<void>[] = []
    for (const [i, step] of steps.entries()) {
      const delayMs = i > 0 ? statusGapMs : statusBeforeAnswer ? 0 : statusGapMs + statusDelayMs
      if (delayMs > 0 || !together || i === 0) await deps.due.wait(delayMs)
      const done = take(subject, step)
      if (i === 0) void done.then(firstTaken)
      if (together) taken.push(done)
      else await done
    }
    await Promise.all(taken)
  }
  const release = async (order: Behaviour['statusOrder']) => {
    const all = ordered(deps.random, held.shiftMany(held.size()), order)
    deps.activity.begin()
    for (const { subject, step } of all) {
      const item = itemOf(deps, subject, step)
      if (item === null) continue
      const posted = post(item)
      if (deps.behaviour.current.noticeBatchMax <= 1) await posted
    }
    deps.activity.end()
    return all.length
  }
  return { start, post, release, heldCount: held.size }
}

function plan(deps: Deps, steps: readonly Step[]): readonly Step[] {
  const { statusDrop, statusOrder, statusCopies } = deps.behaviour.current
  if (statusDrop.length === 0 && statusOrder === 'in-order' && statusCopies <= 1) return steps
  const kept = steps.filter((step) => step.kind === 'answer' || !statusDrop.includes(step.kind === 'failed' ? 'failed' : step.status))
  const copies = Math.max(1, statusCopies)
  const copied = kept.flatMap((step) => new Array<Step>(step.kind === 'answer' ? 1 : copies).fill(step))
  return ordered(deps.random, copied, statusOrder)
}

function ordered<Item>(random: Random, items: readonly Item[], order: Behaviour['statusOrder']): Item[] {
  if (order === 'shuffled') return shuffled(random, items)
  return order === 'reversed' ? items.toReversed() : [...items]
}

/** The notice of a step, or null for an answer from somebody whose phone is not known. Built when it leaves, so its time is right. */
function itemOf(deps: Deps, subject: CourseSubject, step: Step): NoticeItem | null {
  const nowMs = deps.clock.nowMs()
  if (step.kind === 'status') return statusItem(subject, step.status, nowMs)
  if (step.kind === 'failed') return failedItem(subject, step, nowMs)
  const person = subject.answerer
  if (person === null) return null
  deps.throughput.count(subject.number.phoneNumberId)
  return inboundItem({
    number: subject.number,
    person,
    name: `Simulated person ${person.waId.slice(-4)}`,
    wamid: deps.wamids.next(person.waId),
    atSeconds: String(Math.floor(nowMs / 1000)),
    content: { type: 'text', text: { body: 'Obrigado! 👍 This is an answer from the simulator.' } },
    head: { context: { from: subject.number.displayDigits, id: subject.wamid } },
    phoneKnown: true,
  })
}
