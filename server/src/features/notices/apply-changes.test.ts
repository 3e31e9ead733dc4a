import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { newStage, type Stage, type StageNumber, sql } from '../../../test/support/stage.ts'
import { type ManualClock, manualClock } from '../../base/clock.ts'
import { newUuid } from '../../base/id.ts'
import { dropOldChanges } from './drop-old-changes.ts'
import { itemsOf, type Worked, workThrough } from './work-through.ts'

const wabaId = '2048999'
let own: TestDatabase
let clock: ManualClock
let first: Stage
let second: Stage
let extra: StageNumber
let beganSeconds: number

beforeAll(async () => {
  own = await testDatabase()
  // Today, because the test database has today's partitions.
  clock = manualClock(new Date().toISOString())
  beganSeconds = Math.floor(clock.now().getTime() / 1_000)
  first = await newStage(own.database, clock)
  extra = await first.addNumber()
  second = await newStage(own.database, clock)
  await sql(own.database, "update channel set waba_id = $1, phone = '55' || phone_number_id", [wabaId])
  clock.advance(3_600_000)
})
afterAll(() => own.close())
beforeEach(() => forget())

/** Everything that changes make, as if none had ever come. */
async function forget(): Promise<void> {
  for (const table of ['notice_change', 'event', 'template_state', 'marketing_wish', 'marketing_opt_out', 'notice_set_aside'])
    await sql(own.database, `delete from ${table}`)
  const told = ['quality', 'throughput', 'messaging_limit', 'display_name', 'name_status', 'disconnected_because']
  await sql(own.database, `update channel set status = 'connected', ${told.map((each) => `${each} = null, ${each}_at = null`).join(', ')}`)
}

type Told = { field: string; value: object; time: number | null }

const bodyOf = ({ field, value, time }: Told) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: wabaId, ...(time === null ? {} : { time: beganSeconds + time }), changes: [{ field, value }] }],
})

/** Works notices through in one transaction, as the lane does. */
const work = (told: readonly Told[]): Promise<Worked> =>
  own.database.repeatable((tx) =>
    workThrough(
      tx,
      clock,
      itemsOf(
        told.map((each) => {
          const body = Buffer.from(JSON.stringify(bodyOf(each)))
          return {
            id: newUuid(clock.now()),
            livemode: true,
            accountId: null,
            body,
            tries: 0,
            dueAt: clock.now(),
            receivedAt: clock.now(),
            lane: 0,
            isReplay: false,
          }
        }),
      ),
    ),
  )

const digitsOf = (number: StageNumber) => `55${number.phoneNumberId}`
const quality = (number: StageNumber, time: number | null, limit: string | number, event = 'UPGRADE'): Told => ({
  field: 'phone_number_quality_update',
  value: { display_phone_number: digitsOf(number), event, current_limit: limit },
  time,
})
const preference = (wa: string, value: 'stop' | 'resume', timestamp: number): Told => ({
  field: 'user_preferences',
  value: {
    metadata: { phone_number_id: first.phoneNumberId },
    contacts: [{ wa_id: wa, profile: { name: 'Maria' } }],
    user_preferences: [{ wa_id: wa, category: 'marketing_messages', value, timestamp: beganSeconds + timestamp }],
  },
  time: null,
})

const stateOf = async () => ({
  channels: await sql(
    own.database,
    'select id, status, disconnected_because, quality, throughput, messaging_limit, display_name, name_status from channel order by id',
  ),
  templates: await sql(
    own.database,
    'select account_id, name, language, category, seen_at, told_category, told_at from template_state order by account_id, name',
  ),
  optedOut: await sql(own.database, 'select account_id, person from marketing_opt_out order by person'),
  wishes: await sql(own.database, 'select contact_id, wanted, told_at from marketing_wish order by contact_id'),
})
/** What was told, in no order. */
const toldOf = async () => {
  const rows = await sql<{ account_id: string; body: Buffer }>(own.database, 'select account_id, body from event')
  return rows.map(({ account_id, body }) => `${account_id} ${body.toString('utf8').replace(/^.*?"data":/, '')}`).toSorted()
}

const time = fc.integer({ min: 0, max: 4 })
const anyNumber = fc.constantFrom<() => StageNumber>(
  () => first,
  () => extra,
  () => second,
)
/** Few moments, few values: so that what comes late, and what was told in one second, is met often. */
const anyTold: fc.Arbitrary<() => Told> = fc.oneof(
  fc
    .tuple(
      anyNumber,
      time,
      fc.constantFrom('TIER_1K', 'TIER_10K', 2000, 'nonsense'),
      fc.constantFrom('UPGRADE', 'FLAGGED', 'THROUGHPUT_UPGRADE'),
    )
    .map(
      ([number, at, limit, event]) =>
        () =>
          quality(number(), at, limit, event),
    ),
  fc
    .tuple(anyNumber, time, fc.constantFrom('APPROVED', 'REJECTED', 'DEFERRED'), fc.constantFrom('Lua', 'Sol'))
    .map(([number, at, decision, name]) => () => ({
      field: 'phone_number_name_update',
      value: { display_phone_number: digitsOf(number()), decision, requested_verified_name: name },
      time: at,
    })),
  fc
    .tuple(fc.constantFrom('ACCOUNT_DELETED', 'ACCOUNT_OFFBOARDED', 'ACCOUNT_RECONNECTED', 'PARTNER_ADDED'), time)
    .map(([event, at]) => () => ({ field: 'account_update', value: { event }, time: at })),
  fc
    .tuple(fc.constantFrom('UTILITY', 'MARKETING', 'AUTHENTICATION'), fc.constantFrom('pt_BR', 'pt-BR'), time)
    .map(([category, language, at]) => () => ({
      field: 'template_category_update',
      value: { message_template_name: 'aviso', message_template_language: language, new_category: category },
      time: at,
    })),
  fc
    .tuple(fc.constantFrom('5511987654321', '551187654321', '5521987654321'), fc.constantFrom('stop' as const, 'resume' as const), time)
    .map(
      ([wa, value, at]) =>
        () =>
          preference(wa, value, at),
    ),
)

// rule: changes 2, changes 3, changes 5, opt-outs 4
test('any order, repetition and division of a history ends in the same state and the same events, with two processes at work', async () => {
  const history = fc.array(anyTold, { minLength: 1, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(history, fc.infiniteStream(fc.nat({ max: 1_000 })), async (made, chance) => {
      const told = made.map((each) => each())
      await forget()
      for (const each of told) await work([each])
      const [state, events] = [await stateOf(), await toldOf()]

      await forget()
      const draw = (below: number) => (chance.next().value as number) % below
      const shuffled = [...told, ...told.filter(() => draw(2) === 0)]
        .map((each) => ({ each, place: draw(1_000) }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ each }) => each)
      while (shuffled.length > 0) {
        const [here, there] = [shuffled.splice(0, 1 + draw(3)), shuffled.splice(0, draw(3))]
        await Promise.all([work(here), work(there)])
      }
      expect(await stateOf()).toEqual(state)
      expect(await toldOf()).toEqual(events)
    }),
    { numRuns: 40 },
  )
}, 120_000)

describe('what became of each change is said', () => {
  test('applied, repeated, or passed over, by its field', async () => {
    const unknown = { field: 'flows', value: {}, time: 1 }
    const elsewhere = quality({ channelId: first.channelId, phoneNumberId: '404' }, 1, 'TIER_1K')
    const { changes, passedOver } = await work([quality(first, 1, 'TIER_1K'), quality(first, 1, 'TIER_1K'), unknown, elsewhere])
    expect(changes).toEqual([
      { field: 'phone_number_quality_update', fate: 'applied' },
      { field: 'phone_number_quality_update', fate: 'repeated' },
      { field: 'flows', fate: 'passed_over' },
      { field: 'phone_number_quality_update', fate: 'passed_over' },
    ])
    expect(passedOver).toBe(2)
    expect((await work([quality(first, 1, 'TIER_1K')])).changes).toEqual([{ field: 'phone_number_quality_update', fate: 'repeated' }])
  })

  test('a simulated notice changes nothing of a live number', async () => {
    const body = Buffer.from(JSON.stringify(bodyOf(preference('5511987650001', 'stop', 1))))
    const notice = {
      id: newUuid(clock.now()),
      livemode: false,
      accountId: first.accountId,
      body,
      tries: 0,
      dueAt: clock.now(),
      receivedAt: clock.now(),
      lane: 0,
      isReplay: false,
    }
    const { heard } = await own.database.transaction((tx) => workThrough(tx, clock, itemsOf([notice])))
    expect(heard).toEqual([])
    expect((await stateOf()).optedOut).toEqual([])
    expect(await toldOf()).toEqual([])
  })

  test('with the transaction rolled back it was never taken in', async () => {
    const failing = own.database.transaction(async (tx) => {
      const body = Buffer.from(JSON.stringify(bodyOf(quality(first, 1, 'TIER_1K'))))
      await workThrough(
        tx,
        clock,
        itemsOf([
          {
            id: newUuid(clock.now()),
            livemode: true,
            accountId: null,
            body,
            tries: 0,
            dueAt: clock.now(),
            receivedAt: clock.now(),
            lane: 0,
            isReplay: false,
          },
        ]),
      )
      throw new Error('and then another item could not be worked through')
    })
    await expect(failing).rejects.toThrow('could not be worked through')
    expect((await work([quality(first, 1, 'TIER_1K')])).changes).toMatchObject([{ fate: 'applied' }])
  })
})

test('a moment in the future counts as now, and does not hold back what is told after it', async () => {
  await work([quality(first, 10 * 3_600, 'TIER_10K')])
  clock.advance(2_000)
  await work([quality(first, Math.floor(clock.now().getTime() / 1_000) - beganSeconds, 'TIER_1K')])
  expect((await stateOf()).channels).toContainEqual(expect.objectContaining({ id: first.channelId, messaging_limit: 'TIER_1K' }))
})

test('a number that the operator disconnected stays disconnected by the operator', async () => {
  const operator = 'The operator disconnected this number.'
  await sql(own.database, "update channel set token = null, status = 'disconnected', disconnected_because = $2 where id = $1", [
    second.channelId,
    operator,
  ])
  await work([{ field: 'account_update', value: { event: 'ACCOUNT_DELETED' }, time: 3 }])
  const { channels } = await stateOf()
  expect(channels).toContainEqual(expect.objectContaining({ id: second.channelId, disconnected_because: operator }))
  expect(channels).toContainEqual(expect.objectContaining({ id: first.channelId, status: 'disconnected' }))
})

// rule: changes 2
test.each([
  ['30 days where notices are kept for 7', 7, 30],
  ['8 days longer than notices are kept where that is more', 60, 68],
])('which changes were taken in is known for %s', async (_what, keptDays, days) => {
  const day = 86_400_000
  const count = async () => (await sql<{ n: number }>(own.database, 'select count(*) as n from notice_change'))[0]?.n
  const at = (ms: number) => manualClock(new Date(clock.now().getTime() + ms).toISOString())
  await work([quality(first, 1, 'TIER_1K')])
  await dropOldChanges(own.database, at(days * day - 1), keptDays)
  expect(await count()).toBe(1)
  await dropOldChanges(own.database, at(days * day), keptDays)
  expect(await count()).toBe(0)
})
