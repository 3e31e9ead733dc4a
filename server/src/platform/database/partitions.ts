import { lowestUuidAt } from '../../base/id.ts'
import type { Queries, Tx } from './database.ts'
import { statement } from './statement.ts'

export type PartitionedTable = {
  table: string
  every: 'day' | 'month'
  /** Partitions that end before this many days ago are dropped; null: kept for ever. */
  keptDays: number | null
  /** A partition in which this is true of a row is not dropped yet, however old. */
  keptWhile?: string
}

const dayMs = 86_400_000
/** Made ahead, so that a gateway that runs never waits for one: the task that makes them runs every hour. */
const aheadMs = { day: 3 * dayMs, month: 35 * dayMs }

const listPartitions = statement(
  'list_partitions',
  `select child.relname as name
  from pg_inherits
  join pg_class parent on parent.oid = inhparent
  join pg_class child on child.oid = inhrelid
  where parent.relname = any($1::text[]) and parent.relnamespace = current_schema()::regnamespace`,
)
const lockPartitions = statement('lock_partitions', 'select pg_advisory_xact_lock(7060002)')

/** Makes the partitions of yesterday to the days ahead. Safe to run from several processes; what is there already stays. */
export async function makePartitions(tx: Tx, tables: readonly PartitionedTable[], now: Date): Promise<void> {
  await tx.run(lockPartitions, [])
  const there = await existing(tx, tables)
  const missing = tables.flatMap((table) => periods(table, now)).filter((period) => !there.has(period.name))
  if (missing.length > 0) await ddl(tx, missing.map(createText).join(';\n'))
}

/** Makes the partitions that hold these moments. Safe to run from several processes. */
export async function makePartitionsAt(tx: Tx, table: PartitionedTable, moments: readonly Date[]): Promise<void> {
  await tx.run(lockPartitions, [])
  const missing = await missingAt(tx, table, moments)
  if (missing.length > 0) await ddl(tx, missing.map(createText).join(';\n'))
}

/** Whether one of these moments has no partition. */
export async function partitionsMissingAt(queries: Queries, table: PartitionedTable, moments: readonly Date[]): Promise<boolean> {
  return moments.length > 0 && (await missingAt(queries, table, moments)).length > 0
}

async function missingAt(queries: Queries, table: PartitionedTable, moments: readonly Date[]): Promise<Period[]> {
  const there = await existing(queries, [table])
  const wanted = new Map(moments.map((at) => periodAt(table, at)).map((period) => [period.name, period]))
  return [...wanted.values()].filter((period) => !there.has(period.name))
}

/** Drops what is older than each table keeps, one partition at a time, and answers their names. Locks each parent only for a moment. */
export async function dropOldPartitions(queries: Queries, tables: readonly PartitionedTable[], now: Date): Promise<string[]> {
  const there = await existing(queries, tables)
  const old = tables.flatMap((table) => [...there].filter((name) => isOld(table, name, now)).map((name) => ({ ...table, name })))
  const dropped: string[] = []
  for (const { name, keptWhile } of old) {
    if (keptWhile !== undefined && (await holds(queries, name, keptWhile))) continue
    await ddl(queries, `drop table if exists ${name}`)
    dropped.push(name)
  }
  return dropped
}

async function holds(queries: Queries, name: string, condition: string): Promise<boolean> {
  const sql = `select from ${name} where ${condition} limit 1`
  return (await queries.all({ compile: () => ({ sql, parameters: [] }) as never })).length > 0
}

type Period = { name: string; table: string; from: Date; to: Date }

function periods(table: PartitionedTable, now: Date): Period[] {
  const found: Period[] = []
  const endMs = now.getTime() + aheadMs[table.every]
  for (let period = periodAt(table, new Date(now.getTime() - dayMs)); period.from.getTime() <= endMs; ) {
    found.push(period)
    period = periodAt(table, period.to)
  }
  return found
}

function periodAt({ table, every }: PartitionedTable, at: Date): Period {
  const from = startOf(every, at)
  return { name: nameOf(table, every, from), table, from, to: nextStart(every, from) }
}

const startOf = (every: 'day' | 'month', at: Date) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), every === 'day' ? at.getUTCDate() : 1))

const nextStart = (every: 'day' | 'month', start: Date) =>
  every === 'day' ? new Date(start.getTime() + dayMs) : new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))

function nameOf(table: string, every: 'day' | 'month', start: Date): string {
  return `${table}_${start
    .toISOString()
    .slice(0, every === 'day' ? 10 : 7)
    .replaceAll('-', '')}`
}

const createText = ({ name, table, from, to }: Period) =>
  `create table ${name} partition of ${table} for values from ('${lowestUuidAt(from)}') to ('${lowestUuidAt(to)}')`

function isOld({ table, every, keptDays }: PartitionedTable, name: string, now: Date): boolean {
  const digits = new RegExp(`^${table}_([0-9]{4})([0-9]{2})([0-9]{2})?$`).exec(name)
  if (keptDays === null || digits === null) return false
  const start = new Date(Date.UTC(Number(digits[1]), Number(digits[2]) - 1, Number(digits[3] ?? 1)))
  return nextStart(every, start).getTime() < now.getTime() - keptDays * dayMs
}

async function existing(queries: Queries, tables: readonly PartitionedTable[]): Promise<Set<string>> {
  const rows = await queries.run<{ name: string }>(listPartitions, [tables.map((each) => each.table)])
  return new Set(rows.map((row) => row.name))
}

async function ddl(queries: Queries, sql: string): Promise<void> {
  await queries.all({ compile: () => ({ sql, parameters: [] }) as never })
}
