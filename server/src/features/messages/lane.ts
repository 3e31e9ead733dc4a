import type { Uuid } from '../../base/id.ts'
import type { Pacer } from '../../platform/lanes/pacer.ts'
import type { Brake } from '../../platform/upstream/send.ts'
import type { LaneHint, QueuedSend } from './send-queue.ts'

/** One number's sends in memory: the first rows of its queue, whose turn it is, and what holds it back. Times are monotonic milliseconds. */
export type Lane = LaneHint & {
  rows: QueuedSend[]
  /** All that waits is in `rows`. */
  complete: boolean
  needsLoad: boolean
  /** When its rows were read last. */
  loadedMs: number
  /** A send came back to the queue and is not in `rows`: whoever waits behind it must not overtake it. */
  lacksRow: boolean
  /** How many rows were asked for last, and how many would be good to have. */
  rowsMax: number
  rowsWanted: number
  /** When it is to be looked at next. Whatever happens to the lane makes that at once; a look says when the next one is. */
  lookMs: number
  pacer: Pacer
  /** Until when each person has a send under way, or is held back. By contact: of a person with several, any of them counts. */
  busy: Map<Uuid, number>
  /** All contacts of a person whose sends wait or leave under more than one: people who turned out to be one while they waited. */
  samePerson: Map<Uuid, readonly Uuid[]>
  /** Sends of unknown outcome, each with the person whom it holds back until a notice settles it. */
  unknown: Map<Uuid, Uuid>
  inFlight: number
  parkedUntilMs: number
  /** Failures in a row that held the whole lane back. */
  laneFailures: number
  personFailures: Map<Uuid, number>
}

const rowsMaxFirst = 200
const rowsMaxLast = 3_200

export function createLane(hint: LaneHint, pacer: Pacer): Lane {
  return {
    ...hint,
    rows: [],
    complete: true,
    needsLoad: true,
    loadedMs: Number.NEGATIVE_INFINITY,
    lacksRow: false,
    rowsMax: rowsMaxFirst,
    rowsWanted: rowsMaxFirst,
    lookMs: Number.NEGATIVE_INFINITY,
    pacer,
    busy: new Map(),
    samePerson: new Map(),
    unknown: new Map(),
    inFlight: 0,
    parkedUntilMs: 0,
    laneFailures: 0,
    personFailures: new Map(),
  }
}

const lookNow = (lane: Lane): void => {
  lane.lookMs = Number.NEGATIVE_INFINITY
}

/** Something new may wait. A full lane has enough to do and is loaded when it has run down. */
export function hintLane(lane: Lane): void {
  if (lane.complete || lane.rows.length < lane.rowsMax / 2) wantLoad(lane)
}

function wantLoad(lane: Lane): void {
  lane.needsLoad = true
  lookNow(lane)
}

const reloadAfterMs = 5_000

/**
 * Something waits in this lane, and nobody told what is new. Where rows are in memory they are sent first: what came without a hint
 * is behind them, and reading all of them again and again would cost more than it tells.
 */
export function lookAgain(lane: Lane, nowMs: number): void {
  if (lane.rows.length === 0 || nowMs - lane.loadedMs > reloadAfterMs) hintLane(lane)
}

/** A send of this lane is queued again: nothing is taken until it is in memory. */
export function comeBack(lane: Lane): void {
  wantLoad(lane)
  lane.lacksRow = true
}

/** The rows are about to be read. Whatever comes back from here on may be missing in them, and is read the next time. */
export function beginLoad(lane: Lane, nowMs: number): void {
  lane.needsLoad = false
  lane.loadedMs = nowMs
  lane.lacksRow = false
}

/** The rows that were read: the first `rowsMax`, or all there are. */
export function fillLane(lane: Lane, rows: QueuedSend[], rowsMax = lane.rowsMax): void {
  lookNow(lane)
  lane.rows = rows
  lane.rowsMax = rowsMax
  lane.complete = rows.length < rowsMax
  // What is not needed any more is forgotten. Should it be needed again, it is noted again.
  const waiting = new Set(rows.map((row) => row.contactId))
  for (const [contactId, all] of lane.samePerson) {
    if (!all.some((id) => waiting.has(id) || lane.busy.has(id))) lane.samePerson.delete(contactId)
  }
}

/**
 * Notes that these contacts are one person (rule: queue 2), and says whether the lane has to choose anew: another send of theirs waits or is
 * under way under another of the contacts, and nobody knew that it is the same person's. `contactId` is the one of the send at hand.
 */
export function noteSamePerson(lane: Lane, contactId: Uuid, all: readonly Uuid[]): boolean {
  if (lane.samePerson.get(contactId)?.length === all.length) return false
  for (const id of all) lane.samePerson.set(id, all)
  const others = new Set(all.filter((id) => id !== contactId))
  return [...others].some((id) => lane.busy.has(id)) || lane.rows.some((row) => others.has(row.contactId))
}

const contactsOf = (lane: Lane, contactId: Uuid): readonly Uuid[] => lane.samePerson.get(contactId) ?? [contactId]

function busyUntil(lane: Lane, contactId: Uuid): number {
  return Math.max(0, ...contactsOf(lane, contactId).map((id) => lane.busy.get(id) ?? 0))
}

/**
 * Takes the send whose turn it is out of the lane and marks its person as busy: the oldest whose person is free. One person
 * has one send under way, so that their order is strict (rule: queue 2). Null when nobody's turn has come.
 */
export function takeNext(lane: Lane, nowMs: number, now: Date): QueuedSend | null {
  if (lane.lacksRow || lane.parkedUntilMs > nowMs || lane.pacer.readyAt() > nowMs) return null
  const passedOver = new Set<Uuid>()
  for (const [i, row] of lane.rows.entries()) {
    if (passedOver.has(row.contactId)) continue
    if (row.expiresAt <= now) {
      // A test number that waits out its time at once. It goes to the front, where expired rows are taken out.
      lane.rows.splice(i, 1)
      lane.rows.unshift(row)
      return null
    }
    const waits = busyUntil(lane, row.contactId) > nowMs || (row.notBefore !== null && row.notBefore > now)
    if (waits) {
      for (const id of contactsOf(lane, row.contactId)) passedOver.add(id)
      continue
    }
    lane.rows.splice(i, 1)
    lane.busy.set(row.contactId, Number.POSITIVE_INFINITY)
    lane.inFlight += 1
    lane.pacer.take(nowMs)
    if (!lane.complete && lane.rows.length < lane.rowsMax / 2) wantLoad(lane)
    return row
  }
  // One person's long queue must not hide the others behind it: deeper, once for each depth.
  const deeper = Math.min(2 * lane.rowsMax, rowsMaxLast)
  if (!lane.complete && lane.rows.length >= lane.rowsMax / 2 && lane.rowsWanted < deeper) {
    lane.rowsWanted = deeper
    wantLoad(lane)
  }
  return null
}

/** The send is no longer under way; its person is free at `freeAtMs`. */
export function endFlight(lane: Lane, contactId: Uuid, freeAtMs: number, nowMs: number): void {
  lookNow(lane)
  lane.inFlight -= 1
  if (freeAtMs > nowMs) lane.busy.set(contactId, freeAtMs)
  else lane.busy.delete(contactId)
}

/** Upstream took a send: whatever held back is over. */
export function liftBrakes(lane: Lane, contactId: Uuid): void {
  lane.laneFailures = 0
  lane.personFailures.delete(contactId)
}

/** How long the person of an unknown outcome is held back at most: a notice mostly comes within seconds, and then order is kept. */
const unknownHoldsMsMax = 60_000

/** The outcome of a send is unknown: its person waits for the notice that settles it. */
export function holdForNotice(lane: Lane, messageId: Uuid, contactId: Uuid, nowMs: number): void {
  lane.unknown.set(messageId, contactId)
  lane.busy.set(contactId, nowMs + unknownHoldsMsMax)
}

/** The outcome is settled, or was waited for long enough: the person is free, unless another send to them is under way. */
export function endHold(lane: Lane, messageId: Uuid): void {
  lookNow(lane)
  const contactId = lane.unknown.get(messageId)
  lane.unknown.delete(messageId)
  if (contactId !== undefined && lane.busy.get(contactId) !== Number.POSITIVE_INFINITY) lane.busy.delete(contactId)
}

/** The person of this send is not held back any more, or has another send under way. */
export function isHeldLongEnough(lane: Lane, messageId: Uuid, nowMs: number): boolean {
  const untilMs = lane.busy.get(lane.unknown.get(messageId) ?? ('' as Uuid)) ?? 0
  return untilMs <= nowMs || untilMs === Number.POSITIVE_INFINITY
}

const laneDelayMsMax = 30_000
/** How often the state of a channel or account that holds its lane is looked at again. */
export const heldLaneMs = 2_000

/** Holds back what upstream wants held back, and answers from when on (monotonic) this send may be tried again. */
export function brake(lane: Lane, kind: Brake, contactId: Uuid, nowMs: number): number {
  switch (kind) {
    case 'none':
      return nowMs
    case 'pace':
      lane.pacer.halve(nowMs)
      return nowMs
    case 'person': {
      const failures = (lane.personFailures.get(contactId) ?? 0) + 1
      lane.personFailures.set(contactId, failures)
      // Meta: at least 6 s, then 4^n.
      return nowMs + Math.min(Math.max(6, 4 ** failures), 900) * 1_000
    }
    case 'lane':
      // Calls that were under way when the first of them failed tell nothing new: fifty that fail together are one failure.
      if (lane.parkedUntilMs > nowMs) return nowMs
      lane.laneFailures += 1
      lane.parkedUntilMs = nowMs + Math.min(laneDelayMsMax, 500 * 2 ** Math.min(lane.laneFailures, 10))
      return nowMs
    case 'channel':
      lane.parkedUntilMs = nowMs + heldLaneMs
      return nowMs
  }
}

/** A look at what may be due by the wall clock is never put off for longer: that clock can be set. */
const lookEveryMs = 1_000

/** Notes, after a look, when the next one is. */
export function looked(lane: Lane, nowMs: number, now: Date): void {
  const nextMs = nextLookMs(lane, nowMs, now)
  lane.lookMs = lane.rows.length > 0 ? Math.min(nextMs, nowMs + lookEveryMs) : nextMs
}

/** When the lane should be looked at next. */
export function nextLookMs(lane: Lane, nowMs: number, now: Date): number {
  if (lane.needsLoad) return nowMs
  const expiryMs = lane.rows[0] === undefined ? Number.POSITIVE_INFINITY : nowMs + (lane.rows[0].expiresAt.getTime() - now.getTime())
  return Math.min(expiryMs, Math.max(lane.parkedUntilMs, lane.pacer.readyAt(), firstFreeMs(lane, nowMs, now)))
}

function firstFreeMs(lane: Lane, nowMs: number, now: Date): number {
  // Mostly so, and asked for each lane at each look.
  const [oldest] = lane.rows
  if (oldest !== undefined && oldest.notBefore === null && busyUntil(lane, oldest.contactId) === 0) return nowMs
  let first = Number.POSITIVE_INFINITY
  // Only a person's oldest counts: the others wait behind it, also where nobody remembers that the person is busy, as after a restart.
  const seen = new Set<Uuid>()
  for (const row of lane.rows) {
    if (seen.has(row.contactId)) continue
    for (const id of contactsOf(lane, row.contactId)) seen.add(id)
    const freeMs = busyUntil(lane, row.contactId)
    const notBeforeMs = row.notBefore === null ? nowMs : nowMs + (row.notBefore.getTime() - now.getTime())
    first = Math.min(first, Math.max(freeMs, notBeforeMs))
    if (first <= nowMs) return nowMs
  }
  return first
}

/** Rows are in order of acceptance, so the first expire first. */
export const hasExpired = (lane: Lane, now: Date): boolean => lane.rows[0] !== undefined && lane.rows[0].expiresAt <= now

/** Rows at the front whose 15 minutes are over, at most `most`, taken out of the lane. */
export function takeExpired(lane: Lane, now: Date, most: number): QueuedSend[] {
  const alive = lane.rows.findIndex((row) => row.expiresAt > now)
  return lane.rows.splice(0, Math.min(most, alive === -1 ? lane.rows.length : alive))
}

/** Nothing waits, nothing is under way, nobody is held back: the lane can be forgotten. */
export function isIdle(lane: Lane, nowMs: number): boolean {
  if (lane.rows.length > 0 || lane.inFlight > 0 || lane.needsLoad || !lane.complete || lane.parkedUntilMs > nowMs) return false
  for (const [contactId, untilMs] of lane.busy) if (untilMs <= nowMs) lane.busy.delete(contactId)
  return lane.busy.size === 0 && lane.pacer.readyAt() + 60_000 < nowMs
}
