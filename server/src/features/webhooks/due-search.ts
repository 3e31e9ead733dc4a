import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Ownership } from '../../platform/lanes/ownership.ts'
import { type DueLane, findDueLanes, type LaneKey } from './delivery-store.ts'
import type { Turns } from './turns.ts'

/** Finds due lanes in the database: what moves everything when hints are lost, after a crash, and when a delivery's next attempt is due. */
export type DueSearch = {
  /** Looks, if it is time to, and hands what it finds to the turns. */
  run(): Promise<void>
  /** When it looks next, on the monotonic clock. */
  nextMs(): number
  /** Looks at once and from the beginning: other shards are ours now. */
  startAgain(): void
}

type Deps = { database: Database; clock: Clock; ownership: Pick<Ownership, 'owned'>; turns: Turns }

const busyMs = 50
const idleMs = 1_000
const pageRows = 1_000
const lowest = '00000000-0000-0000-0000-000000000000' as Uuid
const beginning: LaneKey = { accountId: lowest, webhookId: lowest }

/** Every 50 ms while there is something new to find, else every second: one query a second when idle. */
export function createDueSearch({ database, clock, ownership, turns }: Deps): DueSearch {
  let pauseMs = busyMs
  let nextMs = Number.NEGATIVE_INFINITY
  let after = beginning

  const add = (lane: DueLane, now: Date): boolean => {
    if (turns.has(lane.webhookId) || !ownership.owned().has(lane.shard)) return false
    const known = turns.laneOf(lane)
    turns.learn(known, lane.failingSince)
    known.retries = lane.hasRetries
    // Found ahead of its time, so that it is claimed for at that time and not up to a second later.
    const waitMs = lane.earliestDue.getTime() - now.getTime()
    if (waitMs > 0) turns.rest(known, clock.monotonicMs() + waitMs)
    else turns.ready(known)
    return true
  }

  return {
    async run() {
      if (clock.monotonicMs() < nextMs) return
      const now = clock.now()
      const lanes = await findDueLanes(database, {
        shards: [...ownership.owned().keys()],
        due: new Date(now.getTime() + idleMs),
        after,
        limit: pageRows,
      })
      const last = lanes.length === pageRows ? lanes.at(-1) : undefined
      after = last ?? beginning
      const found = lanes.filter((lane) => add(lane, now)).length
      pauseMs = found > 0 || last !== undefined ? busyMs : Math.min(idleMs, pauseMs * 2)
      nextMs = clock.monotonicMs() + pauseMs
    },
    nextMs: () => nextMs,
    startAgain() {
      after = beginning
      nextMs = Number.NEGATIVE_INFINITY
      pauseMs = busyMs
    },
  }
}
