import { type SystemClock, wallClockAheadMs } from './base/clock.ts'
import { type AlertObservation, type MailDeps, mailAlerts, watchForTrouble } from './features/alerts/public.ts'
import { type ChannelCheckObservation, checkDueNumbers } from './features/channels/public.ts'
import { type MediaObservation, removeReleasedFiles } from './features/media/public.ts'
import { dropExpiredSignIns } from './features/members/public.ts'
import { dropExpiredAnswers, isFileReferred } from './features/messages/public.ts'
import { dropOldChanges } from './features/notices/public.ts'
import { foldPastUsage } from './features/usage/public.ts'
import type { PartitionKeeper } from './partition-keeper.ts'
import type { Database } from './platform/database/database.ts'
import type { PartitionedTable } from './platform/database/partitions.ts'
import { type Loop, type LoopObservation, startLoop } from './platform/lanes/loop.ts'
import type { Vitals } from './platform/observe/vitals.ts'
import type { Storage } from './platform/storage/storage.ts'
import type { TemporaryFiles } from './platform/storage/temporary-files.ts'

type Deps = {
  database: Database
  clock: SystemClock
  observe: (observation: LoopObservation | TaskObservation | ChannelCheckObservation | AlertObservation | MediaObservation) => void
  tables: readonly PartitionedTable[]
  partitions: PartitionKeeper
  temporaryFiles: TemporaryFiles
  vitals?: Vitals | undefined
  storage: Pick<Storage, 'delete'>
  /** With what numbers are read from upstream. */
  channels: Pick<Parameters<typeof checkDueNumbers>[0], 'graph' | 'unseal' | 'appId'>
  /** With what owners are told of what is wrong. */
  alerts: MailDeps
}

export type TaskObservation = { kind: 'clock.corrected'; offsetMs: number }

const hourMs = 3_600_000
const minuteMs = 60_000
const secondMs = 1_000
const channelsMs = 15 * secondMs
const alertsMs = 30 * secondMs
const filesMs = 5 * secondMs

/** What is done by the clock, in every process: each task may run twice, or on several processes, without harm. */
export function startTasks({ database, clock, observe, tables, partitions, temporaryFiles, vitals, storage, channels, alerts }: Deps): {
  stop(): Promise<void>
} {
  /** Work that returns true has more to do, and comes again soon. */
  const every = (name: string, ms: number, work: () => Promise<unknown>): Loop =>
    startLoop({ name, clock, observe, vitals, tick: () => work().then((more) => (more === true ? secondMs : ms)) })
  const noticesKeptDays = tables.find(({ table }) => table === 'inbox')?.keptDays ?? 0
  const loops = [
    startLoop({ name: 'partitions', clock, observe, vitals, tick: () => partitions.keep() }),
    every('temporary_files', hourMs, () => temporaryFiles.sweep()),
    every('files', filesMs, () => removeReleasedFiles({ database, clock, observe, storage, isReferred: isFileReferred })),
    every('idempotency', minuteMs, () => dropExpiredAnswers(database, clock)),
    every('sign_ins', hourMs, () => dropExpiredSignIns(database, clock)),
    every('usage', minuteMs, () => foldPastUsage({ database, clock })),
    every('channels', channelsMs, () => checkDueNumbers({ database, clock, observe, ...channels })),
    every('alerts', alertsMs, async () => {
      await watchForTrouble({ database, clock, observe })
      await mailAlerts({ database, clock, observe, ...alerts })
    }),
    every('notice_changes', hourMs, () => dropOldChanges(database, clock, noticesKeptDays)),
    every(
      'clock',
      secondMs,
      clockTask(() => followDatabaseClock(database, clock, observe), clock),
    ),
  ]
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) }
}

/** A wall clock that moved by more was set, or the machine has slept, and then the database's clock may be another one too. */
const stepMsMin = 1_000

/** Follows once a minute, and at once when this machine's wall clock has made a step. */
function clockTask(follow: () => Promise<void>, clock: SystemClock): () => Promise<void> {
  let followedMs = Number.NEGATIVE_INFINITY
  let aheadMs = wallClockAheadMs()
  return async () => {
    const nextAheadMs = wallClockAheadMs()
    if (Math.abs(nextAheadMs - aheadMs) < stepMsMin && clock.monotonicMs() - followedMs < minuteMs) return
    await follow()
    followedMs = clock.monotonicMs()
    aheadMs = nextAheadMs
  }
}

/** Below this a difference does no harm. */
const offsetMsMin = 20
const measurements = 3

/**
 * Moves our clock to the database's, which all processes share. Of a few measurements the quickest counts, and only what is
 * beyond its own noise: on a busy machine a slow answer looks like a wrong clock.
 */
export async function followDatabaseClock(
  database: Database,
  clock: SystemClock,
  observe: (observation: TaskObservation) => void,
): Promise<void> {
  let best = await database.measureClockOffset()
  for (let i = 1; i < measurements && best.roundTripMs > offsetMsMin; i += 1) {
    const next = await database.measureClockOffset()
    if (next.roundTripMs < best.roundTripMs) best = next
  }
  const offsetMs = Math.round(best.offsetMs)
  clock.correctBy(Math.abs(offsetMs) < Math.max(offsetMsMin, best.roundTripMs) ? 0 : offsetMs)
  if (Math.abs(offsetMs) > 1_000) observe({ kind: 'clock.corrected', offsetMs })
}
