import { describe, expect, test } from 'vitest'
import { present } from '../../base/assert.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { createTurns, type Lane, type Turns } from './turns.ts'

const id = () => newUuid(new Date('2026-03-02T12:00:00Z'))

function readyLane(turns: Turns, accountId: Uuid, shard = 0): Lane {
  const lane = turns.laneOf({ accountId, webhookId: id(), shard })
  turns.ready(lane)
  return lane
}

/** Takes what is granted as started. */
function grantAndStart(turns: Turns, free: number): Map<Lane, number> {
  const granted = turns.grant(free)
  for (const { lane, wanted } of granted) {
    lane.inFlight += wanted
    turns.ready(lane)
  }
  return new Map(granted.map(({ lane, wanted }) => [lane, wanted]))
}

describe('sharing out slots', () => {
  test('a webhook alone gets its eight slots and no more', () => {
    const turns = createTurns()
    const lane = readyLane(turns, id())
    expect(grantAndStart(turns, 256).get(lane)).toBe(8)
    expect(turns.hasReady()).toBe(false)
  })

  test('accounts take turns first: one with ten webhooks gets no more of few slots than one with a single webhook', () => {
    const turns = createTurns()
    const large = id()
    for (let i = 0; i < 10; i += 1) readyLane(turns, large)
    const small = readyLane(turns, id())
    const granted = turns.grant(8)
    const ofLarge = granted.filter(({ lane }) => lane.accountId === large).reduce((sum, each) => sum + each.wanted, 0)
    expect(granted.find(({ lane }) => lane === small)?.wanted).toBe(4)
    expect(ofLarge).toBe(4)
  })

  test('with one slot at a time every webhook has its turn before any has a second', () => {
    const turns = createTurns()
    const accounts = [id(), id(), id()]
    const lanes = accounts.flatMap((account) => [readyLane(turns, account), readyLane(turns, account)])
    const seen = Array.from({ length: 6 }, () => turns.grant(1)[0]?.lane)
    expect(new Set(seen)).toEqual(new Set(lanes))
    expect(new Set(seen.slice(0, 3).map((lane) => lane?.accountId)).size).toBe(3)
  })

  // rule: delivery 9
  test('a webhook that fails holds one slot, and gets more again when it answers', () => {
    const turns = createTurns()
    const lane = readyLane(turns, id())
    grantAndStart(turns, 256)
    for (let i = 0; i < 8; i += 1) turns.finished(lane, false)
    expect(grantAndStart(turns, 256).get(lane)).toBe(1)
    turns.finished(lane, true)
    expect(grantAndStart(turns, 256).get(lane)).toBe(2)
  })

  test('slots taken away while attempts are under way are not granted until those have ended', () => {
    const turns = createTurns()
    const lane = readyLane(turns, id())
    grantAndStart(turns, 256)
    for (let i = 0; i < 4; i += 1) turns.finished(lane, false)
    expect(lane).toMatchObject({ inFlight: 4, slots: 1, place: 'full' })
    expect(turns.grant(256)).toEqual([])
  })

  // rule: delivery 9
  test('webhooks that fail begin two attempts at each look, however many there are, and those that answer get all they could have', () => {
    const turns = createTurns()
    const dead = Array.from({ length: 300 }, () => readyLane(turns, id()))
    for (const lane of dead) turns.learn(lane, new Date('2026-03-02T11:00:00Z'))
    const live = readyLane(turns, id())
    const begun = new Set<Lane>()
    for (let look = 0; look < 64; look += 1) {
      const granted = grantAndStart(turns, 256)
      expect([...granted].filter(([lane]) => lane !== live)).toHaveLength(2)
      if (look === 0) expect(granted.get(live)).toBe(8)
      for (const lane of granted.keys()) begun.add(lane)
    }
    // Half of the slots are theirs, if none of them ever ends; each has had its turn before any could have a second.
    expect(begun.size).toBe(1 + 128)
    expect(grantAndStart(turns, 256).size).toBe(0)
    turns.finished(
      present(
        dead.find((lane) => begun.has(lane)),
        'one has begun',
      ),
      false,
    )
    expect(grantAndStart(turns, 256).size).toBe(1)
  })

  test('a lane that was failing when it was found starts with one slot', () => {
    const turns = createTurns()
    const lane = readyLane(turns, id())
    turns.learn(lane, new Date('2026-03-02T11:00:00Z'))
    expect(grantAndStart(turns, 256).get(lane)).toBe(1)
  })
})

describe('resting and leaving', () => {
  test('a resting lane has no turn until its time has come', () => {
    const turns = createTurns()
    const lane = readyLane(turns, id())
    turns.rest(lane, 1_000)
    expect(turns.wakeRested(999)).toBe(1_000)
    expect(turns.grant(256)).toEqual([])
    turns.wakeRested(1_000)
    expect(turns.grant(256).map((each) => each.lane)).toEqual([lane])
  })

  test('lanes of a shard that is lost have no turn, and their attempts under way still count against them when they come back', () => {
    const turns = createTurns()
    const account = id()
    const lane = readyLane(turns, account, 7)
    const other = readyLane(turns, account, 8)
    lane.inFlight = 8
    turns.leave(new Set([7]))
    expect(turns.grant(256).map((each) => each.lane)).toEqual([other])
    expect(turns.laneOf(lane)).toBe(lane)
    turns.ready(lane)
    expect(turns.grant(256).map((each) => each.lane)).toEqual([other])
  })

  test('a lane that is forgotten leaves nothing behind', () => {
    const turns = createTurns()
    const lane = readyLane(turns, id())
    turns.forget(lane)
    expect(turns.has(lane.webhookId)).toBe(false)
    expect(turns.hasReady()).toBe(false)
  })
})
