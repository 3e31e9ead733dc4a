import type { SystemClock } from './base/clock.ts'
import { dropExpiredAnswers } from './features/messages/public.ts'
import type { Database } from './platform/database/database.ts'
import { dropOldPartitions, makePartitions, type PartitionedTable } from './platform/database/partitions.ts'
import { type Loop, type LoopObservation, startLoop } from './platform/lanes/loop.ts'

type Deps = {
  database: Database
  clock: SystemClock
  observe: (observation: LoopObservation | TaskObservation) => void
  tables: readonly PartitionedTable[]
}

export type TaskObservation = { kind: 'partitions.dropped'; names: readonly string[] } | { kind: 'clock.corrected'; offsetMs: number }

const hourMs = 3_600_000
const minuteMs = 60_000

/** What is done by the clock, in every process: each task may run twice, or on several processes, without harm. */
export function startTasks({ database, clock, observe, tables }: Deps): { stop(): Promise<void> } {
  const every = (name: string, ms: number, work: () => Promise<void>): Loop =>
    startLoop({ name, clock, observe, tick: () => work().then(() => ms) })
  const loops = [
    every('partitions', hourMs, async () => {
      await database.transaction((tx) => makePartitions(tx, tables, clock.now()))
      const names = await dropOldPartitions(database, tables, clock.now())
      if (names.length > 0) observe({ kind: 'partitions.dropped', names })
    }),
    every('idempotency', minuteMs, () => dropExpiredAnswers(database, clock.now())),
    every('clock', minuteMs, () => followDatabaseClock(database, clock, observe)),
  ]
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) }
}

/** Below this the difference is the noise of the measurement. */
const offsetMsMin = 20

/** Moves our clock to the database's, which all processes share. */
export async function followDatabaseClock(
  database: Database,
  clock: SystemClock,
  observe: (observation: TaskObservation) => void,
): Promise<void> {
  const offsetMs = Math.round(await database.measureClockOffset())
  clock.correctBy(Math.abs(offsetMs) < offsetMsMin ? 0 : offsetMs)
  if (Math.abs(offsetMs) > 1_000) observe({ kind: 'clock.corrected', offsetMs })
}
