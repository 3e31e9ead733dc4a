import type { Clock } from './base/clock.ts'
import { type Connection, type DatabaseObservation, openDatabase } from './platform/database/database.ts'
import {
  daysAhead,
  dropOldPartitions,
  makePartitions,
  type PartitionedTable,
  type PartitionTrouble,
} from './platform/database/partitions.ts'

export type PartitionObservation =
  | { kind: 'partitions.dropped'; names: readonly string[] }
  | { kind: 'partitions.postponed'; names: readonly string[]; because: string }
  | { kind: 'partitions.running_out'; tables: readonly string[] }

/** Makes partitions ahead of time and drops old ones, on a connection of its own that gives way to everybody. */
export type PartitionKeeper = {
  /** Makes what is missing. What cannot be made now is observed, and left to `keep`. */
  make(): Promise<void>
  /** The same, and drops what is too old. Returns after how many milliseconds to come again. */
  keep(): Promise<number>
  close(): Promise<void>
}

type Deps = { connection: Connection; clock: Clock; observe: (observation: PartitionObservation | DatabaseObservation) => void }

const hourMs = 3_600_000
const minuteMs = 60_000
/** A file of many gigabytes takes its time to go. */
const queryMsMax = 60_000
const lockMsMax = 200
/** With fewer days ahead somebody has been in the way for long, and a human should know. */
const daysMin = { day: 2, month: 7 }

/** Opens it; its connection is there only while it works. */
export function createPartitionKeeper({ connection, clock, observe }: Deps, tables: readonly PartitionedTable[]): PartitionKeeper {
  const database = openDatabase({ connection, clock, observe, name: 'pombo partitions', connectionsMax: 1, lockMsMax, queryMsMax })

  const make = async (): Promise<readonly PartitionTrouble[]> => {
    const troubles = await makePartitions(database, tables, clock.now())
    if (troubles.length === 0) return []
    const ahead = await daysAhead(database, tables, clock.now())
    const short = tables.filter(({ table, every }) => (ahead.get(table) ?? 0) < daysMin[every])
    if (short.length > 0) observe({ kind: 'partitions.running_out', tables: short.map(({ table }) => table) })
    return troubles
  }
  const postponed = (troubles: readonly PartitionTrouble[]) => {
    const [first] = troubles
    if (first !== undefined) observe({ kind: 'partitions.postponed', names: troubles.map(({ name }) => name), because: first.message })
  }

  return {
    async make() {
      postponed(await make())
    },
    async keep() {
      const notMade = await make()
      const { dropped, troubles } = await dropOldPartitions(database, tables, clock.now())
      if (dropped.length > 0) observe({ kind: 'partitions.dropped', names: dropped })
      postponed([...notMade, ...troubles])
      return notMade.length + troubles.length > 0 ? minuteMs : hourMs
    },
    close: () => database.close(),
  }
}
