import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { refuseInDatabase } from '../../../test/support/notice-stage.ts'
import { newStage, people, type Stage, sql, textTo } from '../../../test/support/stage.ts'
import { type ManualClock, manualClock } from '../../base/clock.ts'
import { createHistoryGuard } from '../../platform/lanes/history-guard.ts'
import { beginJudgement, readHistory } from '../../platform/lanes/history-store.ts'
import { holdRestoredSends } from './hold-restored.ts'
import type { SendObservation } from './observation.ts'
import { sendMessages } from './send.ts'

const phones = Array.from({ length: 7 }, (_, i) => `55119${String(87_000_000 + i)}`)

let own: TestDatabase
let clock: ManualClock
let stage: Stage
let observed: SendObservation[]
let mend: () => Promise<void>

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  clock = manualClock(new Date().toISOString())
  observed = []
  mend = async () => {}
  await sql(own.database, 'truncate send_queue')
  stage = await newStage(own.database, clock)
  await people(own.database, clock, stage, phones)
  const sends = phones.map((phone, i) => textTo(clock, stage, phone, i === 3 ? { text: 'poison' } : {}))
  await sendMessages({ database: own.database, clock, wakeLanes: () => {} }, sends)
})
afterEach(() => mend())

/** The restored database is judged, two sends at a time. */
async function judge(): Promise<void> {
  const deps = { database: own.database, clock, observe: (each: SendObservation) => observed.push(each), wakeDeliveries: () => {} }
  const guard = createHistoryGuard(
    {
      ...{ database: own.database, clock, observe: () => {}, marks: { read: async () => null, write: async () => {} } },
      holdQueued: (bite) => holdRestoredSends(deps, { ...bite, most: 2 }),
    },
    { lossless: false },
  )
  await beginJudgement(own.database, clock.now(), (await readHistory(own.database)).judgements)
  await guard.check()
}
const states = async () => (await sql<{ state: number }>(own.database, 'select state from send_queue')).map(({ state }) => state)
const unknown = () => sql(own.database, 'select 1 from message where account_id = $1 and outcome_unknown', [stage.accountId])
const poison = "if new.text = 'poison' then raise check_violation using message = 'no'; end if;"

// rule: queue 7
describe('what waits in a restored database leaves no more', () => {
  test('all of it, in bites', async () => {
    await judge()
    expect(await states()).toEqual(phones.map(() => 2))
    expect(await unknown()).toHaveLength(phones.length)
  })

  test('also one whose message the database refuses to change, which stops no other and no shard', async () => {
    mend = await refuseInDatabase(own.database, { table: 'message', when: 'before update', body: poison })
    await judge()
    expect(await states()).toEqual(phones.map(() => 2))
    expect(await unknown()).toHaveLength(phones.length - 1)
    expect((await readHistory(own.database)).judgingSince).toBeNull()
  })

  test('and one whose row the database refuses to change is told: no intent can be written for it either', async () => {
    const [row] = await sql<{ id: string }>(own.database, "select id from message where text = 'poison' and account_id = $1", [
      stage.accountId,
    ])
    const body = `if new.message_id = '${row?.id}' then raise check_violation using message = 'no'; end if;`
    mend = await refuseInDatabase(own.database, { table: 'send_queue', when: 'before update', body })
    await judge()
    expect((await states()).toSorted()).toEqual([0, ...phones.slice(1).map(() => 2)])
    expect(observed).toMatchObject([{ kind: 'send.not_settled' }])
    expect((await readHistory(own.database)).judgingSince).toBeNull()
  })
})
