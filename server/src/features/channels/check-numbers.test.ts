import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { newStage, type Stage, secretKey, sql } from '../../../test/support/stage.ts'
import { present } from '../../base/assert.ts'
import { type ManualClock, manualClock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { unseal } from '../../base/seal.ts'
import { limits } from '../../limits.ts'
import type { Graph, GraphAnswer } from '../../platform/upstream/graph.ts'
import { type ChannelCheckObservation, checkDueNumbers } from './check-numbers.ts'
import { hearOfNumbers } from './hear.ts'
import { disconnectChannel, setChannelToken } from './set-token.ts'
import { listChannels, markDisconnected } from './store.ts'

let own: TestDatabase
let clock: ManualClock
let stage: Stage
let upstream: Scripted
let observed: ChannelCheckObservation[]

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  await sql(own.database, 'delete from channel')
  clock = manualClock('2026-03-02T12:00:00.500Z')
  upstream = scriptedGraph()
  observed = []
  stage = await newStage(own.database, clock)
})

const deps = (appId: string | null = null) => ({
  ...{ database: own.database, clock, graph: upstream.graph, appId },
  unseal: (sealed: Parameters<typeof unseal>[1]) => unseal(secretKey, sealed),
  observe: (each: ChannelCheckObservation) => observed.push(each),
})
const check = (appId?: string | null) => checkDueNumbers(deps(appId))
const channel = async () => present((await listChannels(own.database, stage.accountId))[0], 'connected above')
const hour = limits.channelCheckMs
const mark = (because: string) =>
  own.database.transaction((tx) =>
    markDisconnected(tx, [{ accountId: stage.accountId, channelId: stage.channelId, because, at: clock.now() }]),
  )
const tell = (fact: Parameters<typeof hearOfNumbers>[1][number]['fact'], value: string, at: Date) =>
  own.database.transaction((tx) => hearOfNumbers(tx, [{ accountId: stage.accountId, channelId: stage.channelId, fact, value, at }]))

// rule: channels 2
describe('a number is read', () => {
  test('once its hour is over and not before, and then not again for an hour', async () => {
    clock.advance(hour - 1)
    await check()
    expect(upstream.asked).toEqual([])
    clock.advance(1)
    await check()
    expect(upstream.asked).toEqual([`/${stage.phoneNumberId}`, expect.stringMatching(/^\/2048\d+\/subscribed_apps$/)])
    clock.advance(hour - 1)
    await check()
    expect(upstream.asked).toHaveLength(2)
    clock.advance(1)
    await check()
    expect(upstream.asked).toHaveLength(4)
  })

  test('and everything that upstream says of it is kept', async () => {
    upstream.number = {
      ...{ display_phone_number: '+55 11 91234-5678', verified_name: 'Padaria Lua', name_status: 'PENDING_REVIEW' },
      ...{ quality_rating: 'YELLOW', throughput: { level: 'HIGH' }, whatsapp_business_manager_messaging_limit: 'TIER_10K' },
      ...{ status: 'CONNECTED', platform_type: 'CLOUD_API', is_official_business_account: true, is_on_biz_app: true },
    }
    upstream.apps = []
    clock.advance(hour)
    await check()
    expect(await channel()).toMatchObject({
      ...{ phone: '5511912345678', displayName: 'Padaria Lua', nameStatus: 'PENDING_REVIEW', quality: 'YELLOW', throughput: 'HIGH' },
      ...{ messagingLimit: 'TIER_10K', officialBusinessAccount: true, onBusinessApp: true, subscribed: false, checkedAt: clock.now() },
    })
    expect(observed).toMatchObject([{ kind: 'channel.checked', outcome: 'connected', subscribed: false, code: null }])
  })

  test('by one of two processes that look at once', async () => {
    for (let n = 0; n < 9; n += 1) await stage.addNumber()
    clock.advance(hour)
    await Promise.all([check(), check(), check()])
    expect(upstream.asked.filter((path) => !path.includes('subscribed'))).toHaveLength(10)
    expect(new Set(upstream.asked).size).toBe(20)
  })

  test('a bounded number at a turn; the others at the next', async () => {
    for (let n = 0; n < 64; n += 1) await stage.addNumber()
    clock.advance(hour)
    await check()
    expect(observed).toHaveLength(60)
    await check()
    expect(observed).toHaveLength(65)
  })

  test('not at all once the operator has taken its token away', async () => {
    await disconnectChannel(deps(), stage.channelId)
    clock.advance(10 * hour)
    await check()
    expect(upstream.asked).toEqual([])
  })

  test('and whether its notices come to our own app, where that is known', async () => {
    upstream.apps = ['another']
    clock.advance(hour)
    await check('4177')
    expect((await channel()).subscribed).toBe(false)
    upstream.apps = ['another', '4177']
    clock.advance(hour)
    await check('4177')
    expect((await channel()).subscribed).toBe(true)
  })

  test('and where its apps cannot be read, what was known of them stays', async () => {
    upstream.answerApps = { kind: 'answer', statusCode: 500, body: '{"error":{"code":1,"message":"x"}}' }
    clock.advance(hour)
    await check()
    expect(await channel()).toMatchObject({ subscribed: true, status: 'connected' })
  })
})

// rule: channels 2
describe('what a look does to a number:', () => {
  test.each(['131042: a payment problem', 'Session has expired'])('a good one connects it again, whatever it was (%s)', async (because) => {
    await mark(because)
    clock.advance(hour)
    await check()
    expect(await channel()).toMatchObject({ status: 'connected', disconnectedBecause: null })
  })

  test.each([
    [190, 401],
    [10, 403],
    [131031, 403],
    [133010, 400],
    [200, 403],
  ])('one refused with %i disconnects it in upstream’s words, and a later good one connects it', async (code, statusCode) => {
    upstream.answer = { kind: 'answer', statusCode, body: JSON.stringify({ error: { code, message: 'Not any more' } }) }
    clock.advance(hour)
    await check()
    expect(await channel()).toMatchObject({ status: 'disconnected', disconnectedBecause: 'Not any more' })
    expect(observed).toMatchObject([{ kind: 'channel.unusable', outcome: 'refused', code }])
    upstream.answer = null
    clock.advance(hour)
    await check()
    expect(await channel()).toMatchObject({ status: 'connected', disconnectedBecause: null })
  })

  test.each<[string, GraphAnswer]>([
    ['upstream is away', { kind: 'not_sent', because: 'ECONNREFUSED' }],
    ['upstream does not answer', { kind: 'no_answer', because: 'timeout' }],
    ['upstream is slowed down', { kind: 'answer', statusCode: 400, body: '{"error":{"code":80008,"message":"Too many calls"}}' }],
    ['a proxy answers', { kind: 'answer', statusCode: 502, body: '<html>' }],
    ['a field is not known any more', { kind: 'answer', statusCode: 400, body: '{"error":{"code":100,"message":"nonexisting field"}}' }],
  ])('none where %s: what was known stays, and it is tried again after ten minutes', async (_what, answer) => {
    const before = await channel()
    upstream.answer = answer
    clock.advance(hour)
    await check()
    expect(await channel()).toEqual(before)
    expect(observed).toMatchObject([{ outcome: 'no_answer' }])
    upstream.answer = null
    clock.advance(10 * 60_000 - 1)
    await check()
    expect(observed).toHaveLength(1)
    clock.advance(1)
    await check()
    expect(observed).toHaveLength(2)
  })

  test('a number that upstream itself does not call connected is disconnected with the reason', async () => {
    upstream.number = { ...upstream.number, status: 'BANNED' }
    clock.advance(hour)
    await check()
    expect(await channel()).toMatchObject({ status: 'disconnected', disconnectedBecause: 'Upstream says that the number is BANNED.' })
  })

  test('a send that failed while it was under way counts more than its good answer', async () => {
    clock.advance(hour)
    upstream.meanwhile = async () => {
      clock.advance(5)
      await mark('Session has expired')
    }
    await check()
    expect(await channel()).toMatchObject({ status: 'disconnected', disconnectedBecause: 'Session has expired' })
  })

  test('what a notice told after it began stays; what a notice told before is replaced', async () => {
    upstream.number = { ...upstream.number, quality_rating: 'GREEN', throughput: { level: 'STANDARD' } }
    clock.advance(hour)
    await tell('quality', 'RED', new Date(clock.now().getTime() + 2_000))
    await tell('throughput', 'HIGH', new Date(clock.now().getTime() - 2_000))
    await check()
    expect(await channel()).toMatchObject({ quality: 'RED', throughput: 'STANDARD' })
  })

  test('with a token that was replaced while it was under way says nothing of the new one', async () => {
    upstream.answer = { kind: 'answer', statusCode: 401, body: '{"error":{"code":190,"message":"Expired"}}' }
    clock.advance(hour)
    upstream.meanwhile = async () => {
      upstream.answer = null
      upstream.meanwhile = async () => {}
      const set = await setChannelToken({ ...deps(), secretKey }, { channelId: stage.channelId, token: 'fresh' })
      expect(set.ok).toBe(true)
    }
    await check()
    expect(await channel()).toMatchObject({ status: 'connected', disconnectedBecause: null })
  })

  test('one token that cannot be opened keeps none of the others waiting', async () => {
    const other = await stage.addNumber()
    await sql(own.database, "update channel set token = '\\x0102' where id = $1", [stage.channelId])
    clock.advance(hour)
    await check()
    const outcomes = new Map(observed.map((each) => [each.channelId, each.outcome]))
    expect(outcomes.get(shown(stage.channelId))).toBe('no_answer')
    expect(outcomes.get(shown(other.channelId))).toBe('connected')
  })
})

const shown = (id: Uuid) => `ch_${id.replaceAll('-', '')}`

type Scripted = {
  asked: string[]
  number: Record<string, unknown>
  apps: string[]
  /** Replaces every answer. */
  answer: GraphAnswer | null
  answerApps: GraphAnswer | null
  /** Happens before each answer. */
  meanwhile: () => Promise<void>
  graph: Graph
}

/** Upstream as far as looks need it. */
function scriptedGraph(): Scripted {
  const scripted: Scripted = {
    asked: [],
    number: { display_phone_number: '+55 11 4000-0000', status: 'CONNECTED', platform_type: 'CLOUD_API' },
    apps: ['4177'],
    answer: null,
    answerApps: null,
    meanwhile: async () => {},
    graph: {
      concurrentMax: 8,
      close: async () => {},
      async call({ path }) {
        scripted.asked.push(path.split('?')[0] ?? '')
        const { answer } = scripted
        await scripted.meanwhile()
        if (answer !== null) return answer
        if (!path.endsWith('/subscribed_apps')) return good(scripted.number)
        return scripted.answerApps ?? good({ data: scripted.apps.map((id) => ({ whatsapp_business_api_data: { id } })) })
      },
    },
  }
  return scripted
}

const good = (body: unknown): GraphAnswer => ({ kind: 'answer', statusCode: 200, body: JSON.stringify(body) })
