import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Loop, type LoopObservation, startLoop } from '../../platform/lanes/loop.ts'
import type { Vitals } from '../../platform/observe/vitals.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { createLastNotices } from './last-notices.ts'
import { createParkedStatuses, type ParkedObservation } from './parked.ts'
import { createReleases } from './release.ts'
import { nextDue } from './store.ts'
import { type BatchOfNotices, createNoticeWork } from './work-batch.ts'

export type NoticeObservation = LoopObservation | BatchOfNotices | ParkedObservation

export type NoticesDeps = {
  database: Database
  clock: Clock
  observe: (observation: NoticeObservation) => void
  wakeDeliveries: (hints: readonly DeliveryHint[]) => void
  /** Files are to be fetched. */
  wakeFiles: () => void
  vitals?: Vitals | undefined
}

const noticesPerTickMax = 200
const spacingMs = 20
const pollMs = 1_000
const lockedMs = 50
/** A replay holds the rows of the people that it tells of for as long as its batch takes. */
const replayedPerTickMax = 50
/** About as long as a batch takes: half of the time its locks are nobody's. */
const restMs = 50
/** As long as new notices wait for longer than this, nothing is replayed. */
const lateMs = 100

/** Works notices through in every process, the new ones and, beside them, those that are to be worked through again. */
export function startNotices(deps: NoticesDeps): Loop {
  const live = startLive(deps)
  const replays = startReplays(deps)
  return {
    wake: () => live.wake(),
    resting: async () => void (await Promise.all([live.resting(), replays.resting()])),
    stop: async () => void (await Promise.all([live.stop(), replays.stop()])),
  }
}

function startLive(deps: NoticesDeps): Loop {
  const { database, clock, observe } = deps
  const lastNotices = createLastNotices(deps)
  const work = createNoticeWork({ ...deps, heard: lastNotices.heard }, 'live')
  const tryParked = createParkedStatuses(deps)
  return startLoop({
    name: 'notices',
    vitals: deps.vitals,
    clock,
    observe,
    spacingMs,
    async tick() {
      await tryParked()
      await lastNotices.write()
      // Asked first, because it is one cheap look where taking is a transaction.
      const due = await nextDue(database, 'live')
      const waitMs = due === null ? pollMs : due.getTime() - clock.now().getTime()
      if (waitMs > 0 && !work.isUnderWay()) return Math.min(pollMs, waitMs)
      // What is due and cannot be taken is locked by another process at work on it.
      return (await work.next(noticesPerTickMax)) > 0 ? 0 : lockedMs
    },
  })
}

/** rule: receive 21. A loop of its own, so that no new notice waits behind a replay; it rests after each batch, and while new ones are late. */
function startReplays(deps: NoticesDeps): Loop {
  const { database, clock, observe } = deps
  const work = createNoticeWork({ ...deps, heard: () => {} }, 'replay')
  const releaseConnected = createReleases(deps)
  return startLoop({
    name: 'replays',
    vitals: deps.vitals,
    clock,
    observe,
    spacingMs,
    async tick() {
      await releaseConnected()
      const now = clock.now()
      const due = await nextDue(database, 'replay')
      const waitMs = due === null ? pollMs : due.getTime() - now.getTime()
      if (waitMs > 0 && !work.isUnderWay()) return Math.min(pollMs, waitMs)
      const live = await nextDue(database, 'live')
      if (live !== null && now.getTime() - live.getTime() > lateMs) return lateMs
      await work.next(replayedPerTickMax)
      return restMs
    },
  })
}
