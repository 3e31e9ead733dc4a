import type { Database, Queries } from '../../platform/database/database.ts'
import { makePartitionsAt, type PartitionedTable, partitionsMissingAt } from '../../platform/database/partitions.ts'

const messages: PartitionedTable = { table: 'message', every: 'month', keptDays: null }

/** Whether messages of one of these moments have no place yet: what the scheduled task makes begins with yesterday. */
export const lacksPartitions = (queries: Queries, moments: readonly Date[]): Promise<boolean> =>
  partitionsMissingAt(queries, messages, moments)

/** Makes a place for them, in a transaction of its own: the table is locked only for a moment. */
export async function makePartitionsFor(database: Database, moments: readonly Date[]): Promise<void> {
  await makePartitionsAt(database, messages, moments)
}
