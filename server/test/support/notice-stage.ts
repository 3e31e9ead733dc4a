import { expect, vi } from 'vitest'
import { type ManualClock, manualClock } from '../../src/base/clock.ts'
import { newUuid } from '../../src/base/id.ts'
import { createNoticeKeeper } from '../../src/features/notices/keep.ts'
import { type NoticeObservation, startNotices } from '../../src/features/notices/lanes.ts'
import type { Database } from '../../src/platform/database/database.ts'
import type { Loop } from '../../src/platform/lanes/loop.ts'
import { newStage, type Stage, sql } from './stage.ts'

/** An account with a number, and the lanes of notices: what it takes to let upstream tell something and see what comes of it. */
export type NoticeStage = {
  stage: Stage
  clock: ManualClock
  observed: NoticeObservation[]
  /** Starts the lanes of one process more. */
  start(): void
  stop(): Promise<void>
  /** Writes notices down as if they had just come. */
  keep(...bodies: readonly (object | string)[]): Promise<void>
  /** Lets time go by until this holds. */
  until(expectation: () => Promise<void> | void, stepMs?: number): Promise<void>
  /** Until nothing waits, in either queue. */
  settled(stepMs?: number): Promise<void>
  /** Lets seconds go by, with all that is done meanwhile. */
  pass(seconds: number): Promise<void>
  setAside(): Promise<AsideRow[]>
  /** Kinds of events of the account with the text of their message, sorted. */
  told(): Promise<string[]>
  texts(): Promise<string[]>
}

export type AsideRow = { id: string; inbox_id: string; field: string; reason: string; body: string; awaits_number: string | null }

export async function newNoticeStage(database: Database): Promise<NoticeStage> {
  for (const table of ['inbox', 'notice_set_aside', 'parked_status']) await sql(database, `truncate ${table}`)
  // Today, because the test database has today's partitions.
  const clock = manualClock(new Date().toISOString())
  const stage = await newStage(database, clock)
  const observed: NoticeObservation[] = []
  const loops: Loop[] = []
  const until: NoticeStage['until'] = (expectation, stepMs = 50) =>
    vi.waitFor(
      async () => {
        clock.advance(stepMs)
        await expectation()
      },
      { timeout: 25_000, interval: 2 },
    )
  const waiting = async () => (await sql<{ n: number }>(database, 'select count(*) as n from inbox where state <> 1'))[0]?.n
  return {
    stage,
    clock,
    observed,
    start() {
      loops.push(startNotices({ database, clock, observe: (each) => observed.push(each), wakeDeliveries: () => {}, wakeFiles: () => {} }))
    },
    stop: async () => void (await Promise.all(loops.map((each) => each.stop()))),
    async keep(...bodies) {
      for (const body of bodies) {
        const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
        const now = clock.now()
        // One of its own for each: it spaces its commits by the clock, which stands still here.
        const { keep } = createNoticeKeeper({ database, clock, observe: () => {}, wake: () => {} })
        await keep({ id: newUuid(now), livemode: true, accountId: null, body: bytes, dueAt: now, receivedAt: now })
      }
    },
    until,
    settled: (stepMs) => until(async () => expect(await waiting()).toBe(0), stepMs),
    async pass(seconds) {
      for (let i = 0; i < seconds; i += 1) {
        clock.advance(1_000)
        await Promise.all(loops.map((each) => each.resting()))
      }
    },
    setAside: () =>
      sql<AsideRow>(
        database,
        "select id, inbox_id, field, reason, convert_from(body, 'UTF8') as body, awaits_number from notice_set_aside order by id",
      ),
    async told() {
      const rows = await sql<{ type: string; body: string }>(
        database,
        "select type, convert_from(body, 'UTF8') as body from event where account_id = $1",
        [stage.accountId],
      )
      return rows.map(({ type, body }) => `${type} ${JSON.parse(body).data.text}`).sort()
    },
    async texts() {
      const rows = await sql<{ text: string }>(database, "select text from message where account_id = $1 and direction = 'inbound'", [
        stage.accountId,
      ])
      return rows.map((row) => row.text).sort()
    },
  }
}

/** What upstream posts: changes of one number, by default. */
export const noticeOf = (...changes: readonly object[]) => ({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] })
export const changeOf = (phoneNumberId: string, value: object) => ({
  field: 'messages',
  value: { messaging_product: 'whatsapp', metadata: { phone_number_id: phoneNumberId }, ...value },
})
export const textItem = (at: Date, from: string, id: string, body: string) => ({
  from,
  id,
  timestamp: String(Math.floor(at.getTime() / 1_000)),
  type: 'text',
  text: { body },
})
export const statusItemOf = (at: Date, id: string, status: string, more: object = {}) => ({
  id,
  status,
  timestamp: String(Math.floor(at.getTime() / 1_000)),
  recipient_id: '5511987654321',
  ...more,
})

/** Lets PostgreSQL refuse what a test plants, as it would refuse data of any kind that nobody has thought of. */
export async function refuseInDatabase(
  database: Database,
  trigger: { table: string; when: string; body: string },
): Promise<() => Promise<void>> {
  await sql(
    database,
    `create or replace function planted() returns trigger language plpgsql as $planted$ begin ${trigger.body} return new; end $planted$`,
  )
  await sql(database, `create or replace trigger planted ${trigger.when} on ${trigger.table} for each row execute function planted()`)
  // Beside work that goes on it may meet a deadlock, and is then tried again.
  return async () => void (await database.repeatable((tx) => sql(tx, `drop trigger if exists planted on ${trigger.table}`)))
}
