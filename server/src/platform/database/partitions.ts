import { lowestUuidAt } from '../../base/id.ts'
import type { Database, Queries } from './database.ts'
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
  // Also those that were taken from their table and are not dropped yet. Our names end with the day or the month.
  `select child.relname as name, link.inhrelid is not null as "isAttached", coalesce(link.inhdetachpending, false) as "isLeaving"
  from pg_class child
  left join pg_inherits link on link.inhrelid = child.oid
  where child.relname ~ any($1::text[]) and child.relkind = 'r' and child.relnamespace = current_schema()::regnamespace
  order by child.relname`,
)
const lockPartitions = statement('lock_partitions', 'select pg_advisory_xact_lock(7060002)')

type Known = { name: string; isAttached: boolean; isLeaving: boolean }

/** What could not be made or dropped now, by the name of its table or partition. It is to be tried again. */
export type PartitionTrouble = { name: string; message: string }

/** No longer than this does anybody wait behind us for a lock that somebody else holds for long. */
const lockMsMax = 200

/**
 * Makes the partitions of yesterday to the days ahead, for each table by itself, and returns the tables for which that failed. Safe to run
 * from several processes, beside work and beside long reads; what is there already stays.
 */
export async function makePartitions(
  database: Database,
  tables: readonly PartitionedTable[],
  now: Date,
): Promise<readonly PartitionTrouble[]> {
  const there = namesOf(await existing(database, tables))
  const troubles: PartitionTrouble[] = []
  for (const table of tables) {
    const missing = periods(table, now).filter((period) => !there.has(period.name))
    if (missing.length > 0) troubles.push(...(await troublesOf(table.table, () => makeMissing(database, table, missing))))
  }
  return troubles
}

/** Makes the partitions that hold these moments. Safe to run from several processes; throws an outage while somebody is in the way. */
export async function makePartitionsAt(database: Database, table: PartitionedTable, moments: readonly Date[]): Promise<void> {
  const wanted = new Map(moments.map((at) => periodAt(table, at)).map((period) => [period.name, period]))
  await makeMissing(database, table, [...wanted.values()])
}

async function makeMissing(database: Database, table: PartitionedTable, wanted: readonly Period[]): Promise<void> {
  await database.transaction(async (tx) => {
    await ddl(tx, `set local lock_timeout = ${lockMsMax}`)
    await tx.run(lockPartitions, [])
    const there = namesOf(await existing(tx, [table]))
    const missing = wanted.filter((period) => !there.has(period.name))
    if (missing.length > 0) await ddl(tx, missing.map(createText).join(';\n'))
  })
}

/** What went wrong in some work on one partition or table; none where nothing did. */
async function troublesOf(name: string, work: () => Promise<void>): Promise<PartitionTrouble[]> {
  try {
    await work()
    return []
  } catch (error) {
    return [{ name, message: error instanceof Error ? error.message : String(error) }]
  }
}

/** How many whole days, from now on, each table has partitions for. */
export async function daysAhead(queries: Queries, tables: readonly PartitionedTable[], now: Date): Promise<Map<string, number>> {
  const there = namesOf(await existing(queries, tables))
  return new Map(tables.map((table) => [table.table, daysOf(table, there, now)]))
}

function daysOf(table: PartitionedTable, there: ReadonlySet<string>, now: Date): number {
  let period = periodAt(table, now)
  if (!there.has(period.name)) return 0
  while (there.has(period.name)) period = periodAt(table, period.to)
  return Math.floor((period.from.getTime() - now.getTime()) / dayMs)
}

const findMissing = statement(
  'find_missing_partitions',
  // By names and keys alone: it is asked every second.
  `select wanted.table_name as table from unnest($1::text[], $2::text[]) as wanted (table_name, name)
  where not exists (select from pg_inherits where inhrelid = to_regclass(wanted.name) and not inhdetachpending)`,
)

/** The tables that take no rows of this moment, for want of their partition. */
export async function tablesWithout(queries: Queries, tables: readonly PartitionedTable[], at: Date): Promise<string[]> {
  const names = tables.map((each) => periodAt(each, at).name)
  const rows = await queries.run<{ table: string }>(findMissing, [tables.map(({ table }) => table), names])
  return rows.map(({ table }) => table)
}

/** Whether one of these moments has no partition. */
export async function partitionsMissingAt(queries: Queries, table: PartitionedTable, moments: readonly Date[]): Promise<boolean> {
  return moments.length > 0 && (await missingAt(queries, table, moments)).length > 0
}

async function missingAt(queries: Queries, table: PartitionedTable, moments: readonly Date[]): Promise<Period[]> {
  const there = namesOf(await existing(queries, [table]))
  const wanted = new Map(moments.map((at) => periodAt(table, at)).map((period) => [period.name, period]))
  return [...wanted.values()].filter((period) => !there.has(period.name))
}

/**
 * Drops what is older than each table keeps, one partition at a time, and returns the names that went and those that could not go now.
 * No transaction may hold it, and its connection needs a short `lock_timeout`. What was begun before and interrupted is finished.
 */
export async function dropOldPartitions(
  database: Database,
  tables: readonly PartitionedTable[],
  now: Date,
): Promise<{ dropped: readonly string[]; troubles: readonly PartitionTrouble[] }> {
  const there = await existing(database, tables)
  const old = tables.flatMap((table) => there.filter(({ name }) => isOld(table, name, now)).map((known) => ({ ...table, ...known })))
  const dropped: string[] = []
  const troubles: PartitionTrouble[] = []
  for (const each of old) {
    const trouble = await troublesOf(each.name, async () => {
      if (each.keptWhile !== undefined && (await holds(database, each.name, each.keptWhile))) return
      await takeAway(database, each)
      dropped.push(each.name)
    })
    troubles.push(...trouble)
  }
  return { dropped, troubles }
}

/** Taken from its table first, by the one way that nobody waits for: to drop it as a part would lock the whole table against all. */
async function takeAway(database: Database, { name, table, isAttached, isLeaving }: PartitionedTable & Known): Promise<void> {
  if (isLeaving) await ddl(database, `alter table ${table} detach partition ${name} finalize`)
  else if (isAttached) await ddl(database, `alter table ${table} detach partition ${name} concurrently`)
  await ddl(database, `drop table if exists ${name}`)
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

// Made apart and then attached, which locks the table against no read and no write. It is empty, so nothing in it has to be checked.
const createText = ({ name, table, from, to }: Period) =>
  `create table ${name} (like ${table} including all);
  alter table ${table} attach partition ${name} for values from ('${lowestUuidAt(from)}') to ('${lowestUuidAt(to)}')`

function isOld({ table, every, keptDays }: PartitionedTable, name: string, now: Date): boolean {
  const digits = new RegExp(`^${table}_([0-9]{4})([0-9]{2})([0-9]{2})?$`).exec(name)
  if (keptDays === null || digits === null) return false
  const start = new Date(Date.UTC(Number(digits[1]), Number(digits[2]) - 1, Number(digits[3] ?? 1)))
  return nextStart(every, start).getTime() < now.getTime() - keptDays * dayMs
}

const existing = (queries: Queries, tables: readonly PartitionedTable[]): Promise<Known[]> =>
  queries.run<Known>(listPartitions, [tables.map(({ table }) => `^${table}_([0-9]{6}|[0-9]{8})$`)])

const namesOf = (known: readonly Known[]) => new Set(known.filter(({ isAttached }) => isAttached).map(({ name }) => name))

async function ddl(queries: Queries, sql: string): Promise<void> {
  await queries.all({ compile: () => ({ sql, parameters: [] }) as never })
}
