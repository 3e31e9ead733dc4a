import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { present } from '../../base/assert.ts'
import { brasiliaDay, type Month, parseMonth } from '../../base/brasilia.ts'
import { manualClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { createAccount, setPlan } from '../accounts/public.ts'
import { countUsage } from './count.ts'
import { foldPastUsage } from './fold.ts'
import { reportUsage } from './report.ts'
import { addUsage, listUsageMonths } from './store.ts'
import { type CountedMessage, type CounterKind, type UsageChange, usageChanges } from './usage.ts'

const clock = manualClock('2026-12-05T12:00:00Z')
let own: TestDatabase
let accountId: Uuid
const deps = () => ({ database: own.database, clock })

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  accountId = await newAccount(null)
})

async function newAccount(plan: string | null): Promise<Uuid> {
  const made = await createAccount(deps(), { name: 'Padaria', plan })
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value.id
}
const month = (text: string): Month => present(parseMonth(text), 'a month')
const usageOf = async (text: string, account = accountId) => {
  const report = await reportUsage(deps(), account, month(text))
  if (!report.ok) throw new Error(report.refusal.message)
  return report.value
}
/** A send that upstream accepted at that moment, at which it was also asked for. */
const sentAt = (moment: string, more: Partial<CountedMessage> = {}): CountedMessage => ({
  ...{ id: newUuid(new Date(moment)), accountId, livemode: true, direction: 'outbound', source: 'api', status: 'sent' },
  ...{ pricing: null, error: null, createdAt: new Date(moment), sentAt: new Date(moment), failedAt: null },
  ...more,
})
const failedAt = (moment: string, code: number | null, message: string) =>
  sentAt(moment, { status: 'failed', failedAt: new Date(moment), error: { code, message } })
const count = (...messages: CountedMessage[]) =>
  own.database.transaction((tx) =>
    countUsage(
      tx,
      messages.map((after) => ({ before: null, after })),
    ),
  )
const rows = () =>
  own.database.all<{ kind: CounterKind; part: number; amount: number }>({
    compile: () =>
      ({ sql: 'select kind, part, amount from usage where account_id = $1 order by kind, part', parameters: [accountId] }) as never,
  })

// rule: usage 1
test('a month begins and ends at midnight in Brasília', async () => {
  await count(
    ...['2026-11-01T02:59:59.999Z', '2026-11-01T03:00:00Z', '2026-12-01T02:59:59.999Z', '2026-12-01T03:00:00Z'].map((at) => sentAt(at)),
  )
  const months = await Promise.all(['2026-10', '2026-11', '2026-12'].map((each) => usageOf(each)))
  expect(months.map((each) => [each.counted, each.sent.total])).toEqual([
    [1, 1],
    [2, 2],
    [1, 1],
  ])
  expect(months[1]?.by_day.filter((each) => each.counted > 0).map((each) => each.date)).toEqual(['2026-11-01', '2026-11-30'])
})

test('a month that is over has all its days, this one those that have begun', async () => {
  expect((await usageOf('2026-11')).by_day).toHaveLength(30)
  expect((await usageOf('2026-12')).by_day.map((each) => each.date)).toEqual(['01', '02', '03', '04', '05'].map((day) => `2026-12-${day}`))
  // Upstream's clock is ahead of ours.
  await count(failedAt('2026-12-06T12:00:00Z', 131026, 'undeliverable'))
  expect((await usageOf('2026-12')).by_day.at(-1)).toEqual({ date: '2026-12-06', counted: 0, failed: 1 })
})

test('this month is what is meant when none is named, and a month that has not begun is refused', async () => {
  expect(await reportUsage(deps(), accountId, null)).toMatchObject({ ok: true, value: { month: '2026-12' } })
  expect(await reportUsage(deps(), accountId, month('2027-01'))).toMatchObject({
    ok: false,
    refusal: { code: 'invalid_request', details: [{ field: 'month' }] },
  })
})

// rule: usage 7
test('the franchise is that of the plan, 0 without one, and what is left of it and beyond it follow', async () => {
  await setPlan(deps(), { name: 'two-sends', franchise: 2 })
  const planned = await newAccount('two-sends')
  const figures = async (account: Uuid) => {
    const { franchise, counted, remaining, over_franchise: over } = await usageOf('2026-12', account)
    return [franchise, counted, remaining, over]
  }
  const send = () => count(sentAt('2026-12-02T12:00:00Z', { accountId: planned }), sentAt('2026-12-02T12:00:00Z'))
  expect(await figures(planned)).toEqual([2, 0, 2, 0])
  await send()
  expect(await figures(planned)).toEqual([2, 1, 1, 0])
  await send()
  expect(await figures(planned)).toEqual([2, 2, 0, 0])
  await send()
  expect(await figures(planned)).toEqual([2, 3, 0, 1])
  expect(await figures(accountId)).toEqual([0, 3, 0, 3])
})

test('the months that have figures are listed newest first, those of one account', async () => {
  expect(await listUsageMonths(own.database, accountId)).toEqual([])
  await count(...['2026-12-01T12:00:00Z', '2026-12-03T12:00:00Z', '2026-11-02T12:00:00Z', '2025-01-31T12:00:00Z'].map((at) => sentAt(at)))
  await count(sentAt('2024-01-01T12:00:00Z', { accountId: await newAccount(null) }))
  expect(await listUsageMonths(own.database, accountId)).toEqual(['2026-12', '2026-11', '2025-01'])
})

describe('the errors', () => {
  // rule: usage 4
  test('are grouped by code, and without a code by their words, the ten most frequent first, each in words of its last day', async () => {
    for (let code = 1; code <= 11; code += 1)
      await count(...Array.from({ length: code }, () => failedAt('2026-12-02T12:00:00Z', 131_000 + code, `failure ${code}`)))
    await count(failedAt('2026-12-01T12:00:00Z', 131_011, 'in other words'), failedAt('2026-12-03T12:00:00Z', 131_010, 'told last'))
    await count(...Array.from({ length: 5 }, () => failedAt('2026-12-03T12:00:00Z', null, 'It waited too long.')))
    const { top_errors: errors, by_day: days, counted } = await usageOf('2026-12')
    expect(errors).toHaveLength(10)
    expect(errors.slice(0, 3)).toEqual([
      { code: 131_011, message: 'failure 11', count: 12 },
      { code: 131_010, message: 'told last', count: 11 },
      { code: 131_009, message: 'failure 9', count: 9 },
    ])
    expect(errors).toContainEqual({ code: null, message: 'It waited too long.', count: 5 })
    expect(errors.some((each) => each.code === 131_001 || each.code === 131_002)).toBe(false)
    expect(days.map((each) => each.failed)).toEqual([1, 66, 6, 0, 0])
    expect(counted).toBe(0)
  })

  test('of which all were lifted are not shown', async () => {
    const failed = failedAt('2026-12-02T12:00:00Z', 131_026, 'undeliverable')
    await count(failed)
    const lifted: CountedMessage = { ...failed, status: 'delivered', failedAt: null, error: null }
    await own.database.transaction((tx) => countUsage(tx, [{ before: failed, after: lifted }]))
    expect(await usageOf('2026-12')).toMatchObject({ counted: 1, top_errors: [], sent: { failed: 0, delivered: 1 } })
  })
})

test('the figures of one account are never those of another', async () => {
  await count(sentAt('2026-12-02T12:00:00Z', { accountId: await newAccount(null) }))
  expect((await usageOf('2026-12')).sent.total).toBe(0)
})

test('what a transaction counted is gone with it', async () => {
  const broken = own.database.transaction(async (tx) => {
    await countUsage(tx, [{ before: null, after: sentAt('2026-12-02T12:00:00Z') }])
    throw new Error('rolled back')
  })
  await expect(broken).rejects.toThrow('rolled back')
  expect(await rows()).toEqual([])
})

describe('many at once', () => {
  test('lose no count, whichever counters of whichever accounts they add to and in whatever order', async () => {
    const accounts = [accountId, await newAccount(null), await newAccount(null)]
    const kinds: CounterKind[] = ['accepted', 'sent', 'counted', 'received']
    const changes = accounts.flatMap((account) =>
      kinds.map((kind): UsageChange => ({ accountId: account, day: brasiliaDay(clock.now()), kind, detail: '', words: null, by: 1 })),
    )
    // All in the same rows, which is the worst case: in an order of each one's own they would wait for each other in a ring.
    const turned = (i: number) => [...changes.slice(i % changes.length), ...changes.slice(0, i % changes.length)]
    await Promise.all(Array.from({ length: 60 }, (_each, i) => own.database.transaction((tx) => addUsage(tx, turned(i), 1))))
    for (const account of accounts)
      expect(await usageOf('2026-12', account)).toMatchObject({ counted: 60, received: 60, sent: { total: 60, sent: 60 } })
  })
})

describe('folding', () => {
  const old = () => Array.from({ length: 40 }, () => sentAt('2026-12-02T12:00:00Z'))

  test('makes one row of those of each counter of a past day, and changes no figure', async () => {
    for (const message of old()) await count(message, failedAt('2026-12-02T13:00:00Z', 131_026, 'undeliverable'))
    const before = await usageOf('2026-12')
    expect((await rows()).length).toBeGreaterThan(10)
    while (await foldPastUsage(deps()));
    expect(await rows()).toEqual(
      [
        { kind: 'accepted', amount: 80 },
        { kind: 'counted', amount: 40 },
        { kind: 'error', amount: 40 },
        { kind: 'failed', amount: 40 },
        { kind: 'sent', amount: 40 },
      ].map((each) => ({ ...each, part: 0 })),
    )
    expect(await usageOf('2026-12')).toEqual(before)
  })

  test('takes in what is learnt later the next time', async () => {
    const [message] = old() as [CountedMessage]
    await count(message)
    await foldPastUsage(deps())
    await own.database.transaction((tx) => countUsage(tx, [{ before: message, after: { ...message, status: 'read' } }]))
    await foldPastUsage(deps())
    expect((await rows()).filter((each) => each.amount !== 0)).toEqual([
      { kind: 'accepted', part: 0, amount: 1 },
      { kind: 'counted', part: 0, amount: 1 },
      { kind: 'read', part: 0, amount: 1 },
    ])
  })

  test('leaves today and the two days before alone', async () => {
    await count(sentAt('2026-12-05T12:00:00Z'), sentAt('2026-12-04T12:00:00Z'), sentAt('2026-12-03T12:00:00Z'))
    await foldPastUsage(deps())
    expect((await rows()).filter((each) => each.part === 0)).toEqual([])
  })

  test('waits for no transaction that counts, and loses nothing of it', async () => {
    const messages = old()
    await count(...messages)
    const [message] = messages as [CountedMessage]
    const read = { ...message, status: 'read' as const }
    await own.database.transaction(async (tx) => {
      // The same rows as before: those of the first message's id.
      await countUsage(tx, [{ before: message, after: read }])
      await foldPastUsage(deps())
      expect((await rows()).filter((each) => each.part === 0)).toHaveLength(2)
    })
    await foldPastUsage(deps())
    expect((await usageOf('2026-12')).sent).toMatchObject({ total: 40, sent: 39, read: 1 })
  })

  test('several at once, beside what counts, lose nothing', async () => {
    const messages = Array.from({ length: 60 }, () => sentAt('2026-12-02T12:00:00Z'))
    await Promise.all(messages.flatMap((message) => [count(message), foldPastUsage(deps())]))
    expect((await usageOf('2026-12')).sent).toMatchObject({ total: 60, sent: 60 })
  })
})

test('a list of changes without a figure costs no statement', async () => {
  const message = sentAt('2026-12-02T12:00:00Z')
  expect(usageChanges([{ before: message, after: { ...message, id: newUuid(clock.now()) } }])).toEqual([])
  const noTx = {
    run: () => Promise.reject(new Error('asked')),
    all: () => Promise.reject(new Error('asked')),
    inTransaction: true as const,
  }
  await countUsage(noTx, [])
  await countUsage(noTx, [{ before: message, after: message }])
})
