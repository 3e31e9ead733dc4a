import { writeFileSync } from 'node:fs'
import { Client, type ClientConfig } from 'pg'
import { usageDifferencesSql } from '../server/test/support/usage-differences.ts'
import type { FinalDatabase } from './histories.ts'

/**
 * Triggers of the harness, which write down every intent and every change of a shard's owner, by the database's clock. A lower epoch's intent after a
 * takeover cannot be seen afterwards in the product's own tables.
 */
const auditSql = `
  create table if not exists chaos_intent (message_id uuid, attempt int, shard int, epoch bigint, at timestamptz);
  create table if not exists chaos_takeover (shard int, epoch bigint, owner uuid, at timestamptz);
  create or replace function chaos_note_intent() returns trigger language plpgsql as $$
    begin
      insert into chaos_intent values (new.message_id, new.attempt, new.shard, new.epoch, clock_timestamp());
      return null;
    end $$;
  create or replace function chaos_note_takeover() returns trigger language plpgsql as $$
    begin
      insert into chaos_takeover values (new.shard, new.epoch, new.owner, clock_timestamp());
      return null;
    end $$;
  create or replace trigger chaos_intents after update on send_queue for each row when (new.state = 1 and old.state = 0)
    execute function chaos_note_intent();
  create or replace trigger chaos_takeovers after update on shard for each row when (new.epoch <> old.epoch) execute function chaos_note_takeover();`

const ms = (column: string) => `extract(epoch from ${column})::float8 * 1000`

const reads = {
  messages: `select id, account_id as "accountId", channel_id as "channelId", livemode, direction, status, wamid, client_reference as reference,
      outcome_unknown as "outcomeUnknown", error_message as "errorMessage", ${ms('sent_at')} as "sentMs", ${ms('delivered_at')} as "deliveredMs",
      ${ms('read_at')} as "readMs", ${ms('failed_at')} as "failedMs" from message`,
  queue: `select message_id as "messageId", state, attempt, ${ms('intent_at')} as "intentMs" from send_queue`,
  upstreamCalls: 'select message_id as "messageId", n, outcome from send_attempt',
  events: `select id, account_id as "accountId", type, livemode, convert_from(body, 'utf8')::json -> 'data' ->> 'id' as "messageId" from event`,
  deliveries: `select id, event_id as "eventId", webhook_id as "webhookId", status, attempts, ${ms('next_at')} as "nextMs" from delivery`,
  attempts: `select delivery_id as "deliveryId", n, ${ms('started_at')} as "startedMs", ms, status_code as "statusCode", error from delivery_attempt`,
  testNotices: `select account_id as "accountId", convert_from(body, 'utf8') as body from inbox where not livemode`,
  intents: `select message_id as "messageId", attempt, shard, epoch::int4 as epoch, ${ms('at')} as "atMs" from chaos_intent`,
  usageDifferences: usageDifferencesSql('true'),
  takeovers: `select shard, epoch::int4 as epoch, owner, ${ms('at')} as "atMs" from chaos_takeover`,
}

/** What is still on its way; each line is empty of rows once everything has drained. */
const openWork = `
  select 'sends queued' as what, count(*)::int as count from send_queue where state = 0
  union all select 'sends in flight', count(*)::int from send_queue where state = 1
  union all select 'notices', count(*)::int from inbox where state = 0
  union all select 'deliveries due', count(*)::int from delivery where status = 'pending' and next_at < clock_timestamp() + interval '1 second'
  union all select 'parked statuses', count(*)::int from parked_status`

/** Transactions that take long, and who holds them up. Not judged: the first thing to read when something did not go on. */
const longWork = `
  select pid, state, wait_event_type as "waitsFor", wait_event as "waitEvent", extract(epoch from clock_timestamp() - xact_start)::float8 as seconds,
    pg_blocking_pids(pid) as "heldUpBy", left(query, 200) as query
  from pg_stat_activity where datname = 'pombo' and pid <> pg_backend_pid() and xact_start < clock_timestamp() - interval '3 seconds'`

/** Some wait behind a burst. */
const restingMax = 10
/** Shards that nobody owns, and sends that wait for long although nobody to whom something of unknown outcome went holds them back. */
const resting = `
  select (select count(*) from shard left join process on process.id = shard.owner and process.alive_until > clock_timestamp() where process.id is null)
    + (select count(*) from send_queue as late where state = 0 and accepted_at < clock_timestamp() - interval '4 seconds'
      and not exists (select from send_queue as held where held.contact_id = late.contact_id and held.state > 0)) as count`

/** Runs statements past every proxy, on a connection of their own. */
export type Rows = <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>

/** The harness's own connection, past every proxy. Reconnects by being opened anew for each call. */
export type Auditor = {
  rows: Rows
  install(): Promise<void>
  /** Words for what is still on its way; empty when all has drained. */
  leftOver(): Promise<string>
  longWork(): Promise<object[]>
  /** Whether each shard has an owner that lives and hardly a send waits: nothing rests because of a fault before. */
  isCalm(): Promise<boolean>
  count(sql: string): Promise<number>
  /** How many transactions a second the database ends, looked at for some seconds. */
  transactionsPerSecond(): Promise<number>
  /** Writes the final database to a file. */
  dump(file: string): Promise<void>
}

/** It writes also while the database is told to be read only. */
const beyondFaults = { options: '-c default_transaction_read_only=off -c synchronous_commit=local' }

const transactions = "select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = 'pombo'"
/** The counters are told once a second. */
const lookMs = 3_000
const looks = 3

export function createAuditor(connection: () => Promise<ClientConfig>): Auditor {
  const withClient = async <Value>(work: (client: Client) => Promise<Value>): Promise<Value> => {
    const client = new Client({ ...(await connection()), connectionTimeoutMillis: 5_000, query_timeout: 60_000, ...beyondFaults })
    client.on('error', () => {})
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
  const rows: Rows = <Row>(sql: string, values?: readonly unknown[]) =>
    withClient(async (client) => (values === undefined ? await client.query(sql) : await client.query(sql, [...values])).rows as Row[])
  /** All of one moment: a delivery that is tried again meanwhile would have an attempt more than it counts. */
  const readAll = () =>
    withClient(async (client) => {
      await client.query('begin isolation level repeatable read, read only')
      const lists: [string, unknown[]][] = []
      for (const [name, sql] of Object.entries(reads)) lists.push([name, (await client.query(sql)).rows])
      return lists
    })
  return {
    rows,
    install: async () => void (await rows(auditSql)),
    async leftOver() {
      const open = await rows<{ what: string; count: number }>(openWork)
      return open
        .filter((each) => each.count > 0)
        .map((each) => `${each.count} ${each.what}`)
        .join(', ')
    },
    longWork: () => rows<object>(longWork),
    isCalm: async () => Number((await rows<{ count: string }>(resting))[0]?.count) <= restingMax,
    count: async (sql) => (await rows<{ count: number }>(sql))[0]?.count ?? 0,
    async transactionsPerSecond() {
      const counted: number[] = []
      for (let look = 0; look <= looks; look += 1) {
        if (look > 0) await new Promise((resolve) => setTimeout(resolve, lookMs))
        counted.push((await rows<{ count: number }>(transactions))[0]?.count ?? 0)
      }
      // What is begun again and again is there in every look; what the last fault left to be done by the minute is in one of them.
      return Math.min(...counted.slice(1).map((after, look) => (after - (counted[look] ?? 0)) / (lookMs / 1_000)))
    },
    async dump(file) {
      const lists = await readAll()
      const [waiting] = await rows<{ count: number }>('select count(*)::int as count from inbox where state = 0')
      const aside = await rows<{ reason: string; item: string }>("select reason, convert_from(body, 'utf8') as item from notice_set_aside")
      const database = {
        ...Object.fromEntries(lists),
        atMs: Date.now(),
        waitingNotices: waiting?.count ?? 0,
        setAside: aside.map((each) => `${each.reason}: ${each.item}`),
      }
      writeFileSync(file, JSON.stringify(database as unknown as FinalDatabase))
    },
  }
}
