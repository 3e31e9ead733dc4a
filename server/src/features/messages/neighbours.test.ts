import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { refuseInDatabase } from '../../../test/support/notice-stage.ts'
import { newStage, noFiles, people, type Stage, secretKey, sql, textTo } from '../../../test/support/stage.ts'
import { type ManualClock, manualClock, pause } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { createOwnership, type Ownership } from '../../platform/lanes/ownership.ts'
import { shardOf } from '../../platform/lanes/shard.ts'
import type { SendOutcome } from '../../platform/upstream/send.ts'
import { type SendLanes, startSends } from './lanes.ts'
import type { SendObservation } from './observation.ts'
import { sendMessages } from './send.ts'
import { opaqueId, type Upstream, type UpstreamSend } from './upstream.ts'

const phones = Array.from({ length: 40 }, (_, i) => `55119${String(87_000_000 + i)}`)
const [ana = '', bia = ''] = phones

let own: TestDatabase
let clock: ManualClock
let posts: UpstreamSend[]
let observed: SendObservation[]
let running: { lanes: SendLanes; ownership: Ownership } | null
let mend: () => Promise<void>

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  clock = manualClock(new Date().toISOString())
  posts = []
  observed = []
  running = null
  mend = async () => {}
  await sql(own.database, 'truncate send_queue')
  await sql(own.database, 'delete from process')
  await sql(own.database, 'update shard set owner = null')
})
afterEach(async () => {
  await mend()
  if (running !== null) {
    await drive(running.lanes.stop())
    await drive(running.ownership.stop())
  }
})

const taken = (send: UpstreamSend): SendOutcome => ({
  kind: 'accepted',
  wamid: `wamid.${opaqueId(send)}`,
  input: send.recipient,
  waId: null,
  userId: null,
  statusCode: 200,
})

async function start(answer: (send: UpstreamSend) => SendOutcome | Promise<SendOutcome> = taken, concurrentMax = 256): Promise<void> {
  const live: Upstream = {
    concurrentMax,
    post: async (send) => {
      posts.push(send)
      return answer(send)
    },
  }
  const ownership = createOwnership({ database: own.database, clock, observe: () => {} }, { alone: true })
  const deps = { database: own.database, clock, ownership, live, test: live, files: noFiles, secretKey, wakeDeliveries: () => {} }
  const lanes = startSends({ ...deps, observe: (each) => observed.push(each) }, { sendsPerSecond: 50 })
  running = { lanes, ownership }
  await ownership.start()
}

const until = (expectation: () => void | Promise<void>, stepMs = 20) =>
  vi.waitFor(
    async () => {
      clock.advance(stepMs)
      await expectation()
    },
    { timeout: 25_000, interval: 2 },
  )

async function drive(work: Promise<unknown>): Promise<void> {
  let done = false
  void work.finally(() => {
    done = true
  })
  await until(() => expect(done).toBe(true), 100)
}

async function stageWithPeople(): Promise<Stage> {
  const stage = await newStage(own.database, clock)
  await people(own.database, clock, stage, phones)
  return stage
}

const send = async (stage: Stage, phone: string, more: Parameters<typeof textTo>[3] = {}): Promise<Uuid> => {
  const one = textTo(clock, stage, phone, more)
  const [result] = await sendMessages({ database: own.database, clock, wakeLanes: (lanes) => running?.lanes.wake(lanes) }, [one])
  expect(result?.ok).toBe(true)
  return one.id
}

const statusOf = async (id: Uuid) =>
  (await sql<{ status: string }>(own.database, 'select status from message where id = $1', [id]))[0]?.status
const channelOf = async (stage: Stage) =>
  (
    await sql<{ status: string; disconnected_because: string | null }>(
      own.database,
      'select status, disconnected_because from channel where id = $1',
      [stage.channelId],
    )
  )[0]

describe('a send at fault stops no other', () => {
  test('whose token was sealed with another key: its number is disconnected with a reason, and everybody else goes on', async () => {
    const [bad, good] = [await stageWithPeople(), await stageWithPeople()]
    await sql(own.database, 'update channel set token = $1 where id = $2', [Buffer.alloc(64, 3), bad.channelId])
    await start()
    const held = await send(bad, ana)
    const others = [await send(good, ana), await send(good, bia)]
    await until(async () => expect(await Promise.all(others.map(statusOf))).toEqual(['sent', 'sent']))
    await until(async () => expect((await channelOf(bad))?.status).toBe('disconnected'))
    expect((await channelOf(bad))?.disconnected_because).toMatch(/cannot be opened/)
    expect(await statusOf(held)).toBe('queued')
    expect(observed.filter((each) => each.kind === 'lane.tick_failed')).toEqual([])
    expect(observed.filter((each) => each.kind === 'send.token_not_opened')).toHaveLength(1)
    // Given again, it leaves.
    const [token] = await sql<{ token: Buffer }>(own.database, 'select token from channel where id = $1', [good.channelId])
    await sql(own.database, `update channel set token = $1, status = 'connected' where id = $2`, [token?.token, bad.channelId])
    await until(async () => expect(await statusOf(held)).toBe('sent'), 100)
  })

  const boom = "if new.text = 'poison' then raise check_violation using message = 'no'; end if;"

  test('whose expiry the database refuses: all others expire', async () => {
    const stage = await stageWithPeople()
    mend = await refuseInDatabase(own.database, { table: 'message', when: 'before update', body: boom })
    const ids: Uuid[] = []
    for (let i = 0; i < 10; i += 1) ids.push(await send(stage, phones[i] ?? ana, i === 4 ? { text: 'poison' } : {}))
    await sql(own.database, `update channel set status = 'disconnected' where id = $1`, [stage.channelId])
    clock.advance(900_000)
    const other = await stageWithPeople()
    await start()
    const [poison] = ids.splice(4, 1)
    await until(async () => expect(new Set(await Promise.all(ids.map(statusOf)))).toEqual(new Set(['failed'])))
    expect(await statusOf(poison as Uuid)).toBe('queued')
    expect(observed.filter((each) => each.kind === 'lane.tick_failed')).toEqual([])
    const fresh = await send(other, ana)
    await until(async () => expect(await statusOf(fresh)).toBe('sent'))
  })

  test('whose outcome the database refuses: all others are recorded', async () => {
    const stage = await stageWithPeople()
    mend = await refuseInDatabase(own.database, { table: 'message', when: 'before update', body: boom })
    await start()
    const poison = await send(stage, ana, { text: 'poison' })
    const others: Uuid[] = []
    for (const phone of phones.slice(1, 6)) others.push(await send(stage, phone))
    await until(async () => expect(new Set(await Promise.all(others.map(statusOf)))).toEqual(new Set(['sent'])))
    expect(await statusOf(poison)).toBe('queued')
  })

  // rule: queue 4
  test('whose outcome the database refuses however it is told: it keeps no place among those under way, and is unknown', async () => {
    const stage = await stageWithPeople()
    mend = await refuseInDatabase(own.database, { table: 'message', when: 'before update', body: boom })
    // Two places in all.
    await start(taken, 1)
    const poison: Uuid[] = []
    for (const phone of phones.slice(0, 3)) poison.push(await send(stage, phone, { text: 'poison' }))
    await until(async () => expect(posts).toHaveLength(3))
    const other = await send(stage, phones[4] ?? ana)
    await until(async () => expect(await statusOf(other)).toBe('sent'))
    await mend()
    const unknown = () => sql(own.database, 'select 1 from message where id = any($1::uuid[]) and outcome_unknown', [poison])
    await until(async () => expect(await unknown()).toHaveLength(3), 200)
    expect(posts).toHaveLength(4)
  })

  test('that was under way when its owner died, and whose end the database refuses: the others of that owner are settled', async () => {
    const stage = await stageWithPeople()
    mend = await refuseInDatabase(own.database, { table: 'message', when: 'before update', body: boom })
    const ids: Uuid[] = []
    for (let i = 0; i < 6; i += 1) ids.push(await send(stage, phones[i] ?? ana, i === 2 ? { text: 'poison' } : {}))
    await sql(own.database, 'update send_queue set state = 1, attempt = 1, epoch = 0, intent_at = $1', [clock.now()])
    await start()
    const states = async () =>
      (
        await sql<{ state: number }>(own.database, 'select state from send_queue where account_id = $1 order by seq', [stage.accountId])
      ).map((row) => row.state)
    await until(async () => expect(await states()).toEqual([2, 2, 1, 2, 2, 2]))
    expect(observed.filter((each) => each.kind === 'lane.tick_failed')).toEqual([])
  })

  test('whose call fails by a bug of ours: its outcome is unknown, and the process goes on', async () => {
    const stage = await stageWithPeople()
    await start((each) => {
      if (each.recipient === ana) throw new TypeError('a bug')
      return taken(each)
    })
    const bad = await send(stage, ana)
    const good = await send(stage, bia)
    await until(async () => expect(await statusOf(good)).toBe('sent'))
    const unknown = 'select 1 from message where id = $1 and outcome_unknown'
    await until(async () => expect(await sql(own.database, unknown, [bad])).toHaveLength(1))
  })
})

/** Rows that wait, written straight into the tables: so many for each of these numbers. */
async function backlog(numbers: readonly { accountId: Uuid; channelId: Uuid }[], each: number): Promise<void> {
  for (const { accountId, channelId } of numbers) {
    await sql(
      own.database,
      `with person as (
        select id, row_number() over (order by id) - 1 as n, count(*) over () as people from contact where account_id = $1
      ), fresh as (
        insert into message (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, text, content, source)
        select $1, (lpad(to_hex($5::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid,
          true, $2, person.id, 'outbound', 'text', 'text', 'queued', 'x', '{"text":{"body":"x"}}', 'api'
        from generate_series(0, $3::integer - 1) as wanted (n) join person on person.n = wanted.n % person.people
        returning id, contact_id
      )
      insert into send_queue (account_id, message_id, channel_id, livemode, shard, contact_id, recipient, expires_at, accepted_at)
      select $1, id, $2, true, $6::smallint, contact_id, '5511987000000', $4, $4::timestamptz - interval '15 minutes'
      from fresh`,
      [accountId, channelId, each, new Date(clock.now().getTime() + 900_000), clock.now().getTime(), shardOf(accountId, channelId)],
    )
  }
}

describe('with more demand than calls at a time', () => {
  /** How many of 256 calls each account gets once all slots are taken, while a call takes two to four seconds. */
  async function shares(stages: readonly Stage[], numbersOf: (stage: Stage) => readonly Stage[]): Promise<number[]> {
    for (const stage of stages) await backlog(numbersOf(stage), 300)
    await start(async (each) => {
      await pause(clock, 2_000 + ((posts.length * 37) % 2_000))
      return taken(each)
    }, 32)
    const before = 64
    await until(() => expect(posts.length).toBeGreaterThanOrEqual(before + 256), 50)
    const counted = posts.slice(before, before + 256)
    return stages.map((stage) => counted.filter((post) => post.accountId === stage.accountId).length)
  }

  // rule: queue 8
  test('equal accounts get equal shares, and the one that came last is not last', async () => {
    const stages: Stage[] = []
    for (let i = 0; i < 8; i += 1) stages.push(await stageWithPeople())
    const got = await shares(stages, (stage) => [stage])
    for (const share of got) expect(Math.abs(share - 32)).toBeLessThanOrEqual(32 * 0.2)
  })

  // rule: queue 8
  test('an account with many numbers gets no more than one with a single number', async () => {
    const many = await stageWithPeople()
    const numbers: Stage[] = [many]
    for (let i = 0; i < 9; i += 1) {
      const number = { ...many, ...(await many.addNumber()) }
      await people(own.database, clock, number, phones)
      numbers.push(number)
    }
    const one = await stageWithPeople()
    const got = await shares([many, one], (stage) => (stage === many ? numbers : [one]))
    expect(Math.abs((got[0] ?? 0) - 128)).toBeLessThanOrEqual(128 * 0.2)
  })
})
