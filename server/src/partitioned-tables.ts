import type { PartitionedTable } from './platform/database/partitions.ts'

/** Every table that is partitioned by the time inside its ids, and how long it keeps it. */
export const partitionedTables: readonly PartitionedTable[] = [
  { table: 'message', every: 'month', keptDays: null },
  { table: 'send_attempt', every: 'day', keptDays: 90 },
  { table: 'event', every: 'day', keptDays: 30 },
  { table: 'delivery', every: 'day', keptDays: 30 },
  { table: 'delivery_attempt', every: 'day', keptDays: 30 },
  { table: 'request_log', every: 'day', keptDays: 30 },
  { table: 'inbox', every: 'day', keptDays: 7, keptWhile: 'state = 0 or state = 2' },
  { table: 'message_change', every: 'day', keptDays: 2 },
]

/** The same tables with the operator's own retention of deliveries and notices. */
export function partitionedTablesKept(days: { deliveries: number; notices: number }): PartitionedTable[] {
  const kept: Record<string, number> = {
    event: days.deliveries,
    delivery: days.deliveries,
    delivery_attempt: days.deliveries,
    inbox: days.notices,
  }
  return partitionedTables.map((each) => ({ ...each, keptDays: kept[each.table] ?? each.keptDays }))
}
