import { describe, expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { createPacer } from '../../platform/lanes/pacer.ts'
import {
  beginLoad,
  brake,
  comeBack,
  createLane,
  endFlight,
  fillLane,
  hintLane,
  isIdle,
  type Lane,
  liftBrakes,
  nextLookMs,
  noteSamePerson,
  takeExpired,
  takeNext,
} from './lane.ts'
import type { QueuedSend } from './send-queue.ts'

const clock = manualClock('2026-03-02T12:00:00.000Z')
const id = () => newUuid(clock.now())
const [ana, bia, caio] = [id(), id(), id()]
const minutes = (n: number) => new Date(clock.now().getTime() + n * 60_000)

function laneOf(rows: QueuedSend[], more: Partial<Lane> = {}): Lane {
  const hint = { accountId: id(), channelId: id(), livemode: true, shard: 1 }
  // The pace is not at stake here.
  const lane = { ...createLane(hint, createPacer(1_000_000, 0, 0)), ...more }
  beginLoad(lane, 0)
  fillLane(lane, rows)
  return lane
}

let seq = 0
function row(contactId: Uuid, more: Partial<QueuedSend> = {}): QueuedSend {
  seq += 1
  return {
    accountId: contactId,
    messageId: id(),
    contactId,
    seq,
    recipient: '5511987654321',
    expiresAt: minutes(15),
    notBefore: null,
    ...more,
  }
}
const next = (lane: Lane, nowMs = 0) => takeNext(lane, nowMs, clock.now())
/** Everything whose turn it is now, in order. */
function all(lane: Lane, nowMs = 0): QueuedSend[] {
  const taken: QueuedSend[] = []
  for (let one = next(lane, nowMs); one !== null; one = next(lane, nowMs + taken.length)) taken.push(one)
  return taken
}

describe('whose turn it is', () => {
  test('the oldest whose person is free; one person has one under way', () => {
    const rows = [row(ana), row(ana), row(bia), row(ana), row(caio)]
    const lane = laneOf([...rows])
    expect(all(lane)).toEqual([rows[0], rows[2], rows[4]])
    expect(lane.inFlight).toBe(3)
    endFlight(lane, ana, 0, 10)
    expect(all(lane, 10)).toEqual([rows[1]])
    endFlight(lane, ana, 0, 20)
    expect(all(lane, 20)).toEqual([rows[3]])
  })

  test('a person whose first send waits is not overtaken by their own second', () => {
    const rows = [row(ana, { notBefore: minutes(1) }), row(ana), row(bia)]
    const lane = laneOf([...rows])
    expect(all(lane)).toEqual([rows[2]])
  })

  test('a send that comes back while the rows are being read is not overtaken by the next one to the same person', () => {
    const [first, second] = [row(ana), row(ana)]
    const lane = laneOf([first, second])
    expect(next(lane)).toBe(first)
    beginLoad(lane, 0)
    endFlight(lane, ana, 0, 10)
    comeBack(lane)
    // The rows were read before it came back.
    fillLane(lane, [second])
    expect(next(lane, 20)).toBeNull()
    expect(nextLookMs(lane, 20, clock.now())).toBe(20)
    beginLoad(lane, 0)
    fillLane(lane, [first, second])
    expect(next(lane, 30)).toBe(first)
  })

  test("one person's long queue does not hide the others behind it", () => {
    const rows = Array.from({ length: 200 }, () => row(ana))
    const lane = laneOf([...rows])
    expect(lane.complete).toBe(false)
    expect(all(lane)).toEqual([rows[0]])
    expect(lane).toMatchObject({ needsLoad: true, rowsWanted: 400 })
    const behind = row(bia)
    fillLane(lane, [...rows.slice(1), behind], 400)
    expect(all(lane, 10)).toEqual([behind])
  })

  test('a parked lane starts nothing until its time, a person who is held back nothing of theirs', () => {
    const rows = [row(ana), row(bia)]
    const lane = laneOf([...rows], { parkedUntilMs: 1_000, busy: new Map([[ana, 2_000]]) })
    expect(all(lane, 999)).toEqual([])
    expect(all(lane, 1_000)).toEqual([rows[1]])
    expect(all(lane, 2_000)).toEqual([rows[0]])
  })

  test('an expired send is never started, also when it stands behind others', () => {
    const rows = [row(ana), row(ana), row(bia, { expiresAt: clock.now() }), row(caio)]
    const lane = laneOf([...rows])
    expect(next(lane)).toBe(rows[0])
    expect(next(lane, 1)).toBeNull()
    expect(takeExpired(lane, clock.now(), 100)).toEqual([rows[2]])
    expect(next(lane, 2)).toBe(rows[3])
  })
})

// rule: queue 2
describe('a person who was two when the sends were accepted', () => {
  const both = [ana, bia]

  test('has one under way, and the oldest goes first, whichever of the two it was accepted for', () => {
    const rows = [row(ana), row(bia), row(ana), row(caio), row(bia)]
    const lane = laneOf([...rows])
    expect(noteSamePerson(lane, ana, both)).toBe(true)
    expect(all(lane)).toEqual([rows[0], rows[3]])
    endFlight(lane, ana, 0, 10)
    expect(all(lane, 10)).toEqual([rows[1]])
    endFlight(lane, bia, 0, 20)
    expect(all(lane, 20)).toEqual([rows[2]])
    endFlight(lane, ana, 0, 30)
    expect(all(lane, 30)).toEqual([rows[4]])
  })

  test('waits for what left under either name before it was known', () => {
    const rows = [row(ana), row(bia), row(bia)]
    const lane = laneOf([...rows])
    expect(all(lane)).toEqual([rows[0], rows[1]])
    endFlight(lane, bia, 0, 10)
    expect(noteSamePerson(lane, bia, both)).toBe(true)
    expect(all(lane, 10)).toEqual([])
    // Not at once: its own time to expire comes first.
    expect(nextLookMs(lane, 10, clock.now())).toBe(10 + 15 * 60_000)
    endFlight(lane, ana, 0, 20)
    expect(all(lane, 20)).toEqual([rows[2]])
  })

  test('is noted once; nothing has to be chosen anew where nothing of theirs is under the other name, or where that was known', () => {
    const lane = laneOf([row(ana), row(caio)])
    expect(noteSamePerson(lane, ana, both)).toBe(false)
    fillLane(lane, [row(ana), row(bia)])
    expect(noteSamePerson(lane, ana, both)).toBe(false)
    expect(noteSamePerson(lane, ana, [...both, caio])).toBe(true)
  })

  test('is forgotten by the lane when nothing of theirs is in it, and not before', () => {
    const lane = laneOf([row(ana)])
    noteSamePerson(lane, ana, both)
    expect(all(lane)).toHaveLength(1)
    fillLane(lane, [])
    expect(lane.samePerson.size).toBe(2)
    endFlight(lane, ana, 0, 10)
    fillLane(lane, [])
    expect(lane.samePerson.size).toBe(0)
  })
})

describe('expired rows', () => {
  test('leave from the front, and no others', () => {
    const rows = [row(ana, { expiresAt: minutes(-1) }), row(bia, { expiresAt: clock.now() }), row(caio, { expiresAt: minutes(1) })]
    const lane = laneOf([...rows])
    expect(takeExpired(lane, clock.now(), 100)).toEqual(rows.slice(0, 2))
    expect(lane.rows).toEqual(rows.slice(2))
    expect(takeExpired(lane, minutes(1), 0)).toEqual([])
    expect(takeExpired(lane, minutes(1), 1)).toEqual(rows.slice(2))
    expect(takeExpired(lane, minutes(1), 100)).toEqual([])
  })

  test('are looked for in time, also while the lane is parked or its people are busy', () => {
    const lane = laneOf([row(ana, { expiresAt: minutes(1) })], { parkedUntilMs: 600_000, busy: new Map([[ana, 600_000]]) })
    expect(nextLookMs(lane, 0, clock.now())).toBe(60_000)
  })
})

describe('when to look again', () => {
  test('at once when there is something to load, else when somebody is free, or the pace allows', () => {
    const lane = laneOf([row(ana)], { busy: new Map([[ana, 700]]) })
    expect(nextLookMs(lane, 0, clock.now())).toBe(700)
    expect(nextLookMs(laneOf([row(ana, { notBefore: minutes(1) })]), 0, clock.now())).toBe(60_000)
    expect(nextLookMs(laneOf([row(ana)]), 50, clock.now())).toBeLessThanOrEqual(50)
    expect(nextLookMs(laneOf([]), 0, clock.now())).toBe(Number.POSITIVE_INFINITY)
    hintLane(lane)
    expect(nextLookMs(lane, 5, clock.now())).toBe(5)
  })

  test('a full lane is loaded again only when it has run down', () => {
    const lane = laneOf(Array.from({ length: 200 }, () => row(id())))
    hintLane(lane)
    expect(lane.needsLoad).toBe(false)
    for (let n = 0; n < 101; n += 1) next(lane, n)
    expect(lane.needsLoad).toBe(true)
  })
})

describe('brakes', () => {
  test('a person is held back 6 s, then 4ⁿ s, at most 15 minutes, until a send of theirs is taken', () => {
    const lane = laneOf([])
    const held = () => brake(lane, 'person', ana, 0) / 1_000
    expect([held(), held(), held(), held(), held(), held()]).toEqual([6, 16, 64, 256, 900, 900])
    expect(brake(lane, 'person', bia, 0)).toBe(6_000)
    liftBrakes(lane, ana)
    expect(held()).toBe(6)
  })

  test('a lane that fails is held back longer each time, at most 30 s, until a send is taken', () => {
    const lane = laneOf([])
    const held: number[] = []
    for (let n = 0, nowMs = 0; n < 8; n += 1, nowMs = lane.parkedUntilMs) {
      brake(lane, 'lane', ana, nowMs)
      held.push(lane.parkedUntilMs - nowMs)
    }
    expect(held).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
    liftBrakes(lane, ana)
    brake(lane, 'lane', ana, 200_000)
    expect(lane.parkedUntilMs).toBe(201_000)
  })

  test('many calls under way that fail together hold the lane back like one', () => {
    const lane = laneOf([])
    for (let n = 0; n < 50; n += 1) brake(lane, 'lane', ana, n)
    expect(lane.parkedUntilMs).toBeLessThanOrEqual(1_050)
  })

  test('an unusable channel holds its lane, a late start holds nobody', () => {
    const lane = laneOf([])
    brake(lane, 'none', ana, 0)
    expect(lane).toMatchObject({ parkedUntilMs: 0, laneFailures: 0 })
    brake(lane, 'channel', ana, 0)
    expect(lane.parkedUntilMs).toBeGreaterThan(0)
  })

  test('the pace is halved', () => {
    const lane = laneOf([], { pacer: createPacer(50, 0, 0) })
    brake(lane, 'pace', ana, 0)
    lane.pacer.take(0)
    expect(lane.pacer.readyAt()).toBeGreaterThanOrEqual(39)
  })
})

describe('an idle lane', () => {
  test('can be forgotten only when nothing waits, flies, or is held back, and its pace has long been free', () => {
    const longAfter = 10_000_000
    expect(isIdle(laneOf([]), longAfter)).toBe(true)
    expect(isIdle(laneOf([row(ana)]), longAfter)).toBe(false)
    expect(isIdle(laneOf([], { inFlight: 1 }), longAfter)).toBe(false)
    expect(isIdle(laneOf([], { busy: new Map([[ana, longAfter + 1]]) }), longAfter)).toBe(false)
    expect(isIdle(laneOf([], { busy: new Map([[ana, longAfter]]) }), longAfter)).toBe(true)
    expect(isIdle(laneOf([], { parkedUntilMs: longAfter + 1 }), longAfter)).toBe(false)
    const recent = laneOf([])
    recent.pacer.take(longAfter - 1_000)
    expect(isIdle(recent, longAfter)).toBe(false)
  })
})
