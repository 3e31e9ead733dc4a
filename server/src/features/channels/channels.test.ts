import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { present } from '../../base/assert.ts'
import { manualClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { parseSecretKey, unseal } from '../../base/seal.ts'
import type { Graph, GraphAnswer, GraphRequest } from '../../platform/upstream/graph.ts'
import { createAccount } from '../accounts/public.ts'
import { connectChannel } from './connect.ts'
import { disconnectChannel, setChannelToken } from './set-token.ts'
import { channelsOf, findByPhoneNumberIds, listAllChannels, listChannels, markDisconnected } from './store.ts'
import { channelJson } from './wire.ts'

const clock = manualClock('2026-03-02T12:00:00Z')
const secretKey = present(parseSecretKey(Buffer.alloc(32, 7).toString('base64')), '32 bytes')
let own: TestDatabase
let upstream: ScriptedUpstream
let accountId: Uuid
let phoneNumberId: string
let numbers = 0

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  upstream = scriptedUpstream()
  accountId = await newAccount()
  numbers += 1
  phoneNumberId = `10000${numbers}`
})

const deps = () => ({ database: own.database, clock, graph: upstream.graph, secretKey })

async function newAccount(): Promise<Uuid> {
  const made = await createAccount(deps(), { name: 'Padaria', plan: null })
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value.id
}

const connect = (change: { accountId?: Uuid; token?: string; pin?: string; wabaId?: string; phoneNumberId?: string } = {}) =>
  connectChannel(deps(), { accountId, phoneNumberId, wabaId: '900', token: 'EAAtoken', pin: null, ...change })

async function connected() {
  const made = await connect()
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value
}

const inUse = async () => present((await channelsOf(own.database, [accountId])).get(accountId)?.[0], 'connected above')

describe('connecting a number', () => {
  test('reads it, asks for its notices, and keeps the token only sealed', async () => {
    const channel = await connected()
    expect(upstream.asked()).toEqual([
      `GET /${phoneNumberId}`,
      'GET /900/phone_numbers',
      'POST /900/subscribed_apps',
      'GET /900/subscribed_apps',
    ])
    expect(channelJson(channel)).toMatchObject({
      status: 'connected',
      phone: '5511912345678',
      waba_id: '900',
      phone_number_id: phoneNumberId,
    })
    const sealed = present((await inUse()).sealedToken, 'a token was given')
    expect(sealed.includes('EAAtoken')).toBe(false)
    expect(unseal(secretKey, sealed)).toBe('EAAtoken')
  })

  test('with a pin also registers it, and shows the state after that', async () => {
    upstream.number = { ...upstream.number, status: 'PENDING', platform_type: 'NOT_APPLICABLE' }
    upstream.onRegister = () => {
      upstream.number = { ...upstream.number, status: 'CONNECTED', platform_type: 'CLOUD_API' }
    }
    expect(await connect({ pin: '123456' })).toMatchObject({ ok: true, value: { status: 'connected', disconnectedBecause: null } })
    expect(upstream.asked()[4]).toBe(`POST /${phoneNumberId}/register`)
    expect(JSON.parse(present(upstream.requests[4]?.body, 'a body'))).toEqual({ messaging_product: 'whatsapp', pin: '123456' })
  })

  test('a number of the phone’s Business app is never registered', async () => {
    upstream.number = { ...upstream.number, is_on_biz_app: true }
    expect(await connect({ pin: '123456' })).toMatchObject({ ok: false, refusal: { code: 'invalid_request', details: [{ field: 'pin' }] } })
    expect(upstream.asked()).toEqual([`GET /${phoneNumberId}`])
    expect(await connect()).toMatchObject({ ok: true, value: { onBusinessApp: true } })
  })

  test('again in the same account replaces the token and keeps the id', async () => {
    const first = await connected()
    await own.database.transaction((tx) =>
      markDisconnected(tx, [{ accountId, channelId: first.id, because: 'token expired', at: clock.now() }]),
    )
    expect(await connect({ token: 'EAAother' })).toMatchObject({ ok: true, value: { id: first.id, status: 'connected' } })
    expect(unseal(secretKey, present((await inUse()).sealedToken, 'a token was given'))).toBe('EAAother')
  })

  test('of another account is a conflict, before anything is asked upstream', async () => {
    await connected()
    upstream.requests.length = 0
    expect(await connect({ accountId: await newAccount() })).toMatchObject({ ok: false, refusal: { code: 'conflict' } })
    expect(upstream.asked()).toEqual([])
  })

  test('by two accounts at once leaves it with exactly one of them', async () => {
    const both = await Promise.all([connect(), connect({ accountId: await newAccount() })])
    expect(both.map((each) => (each.ok ? 'connected' : each.refusal.code)).sort()).toEqual(['conflict', 'connected'])
  })

  test.each([
    ['read', (path: string) => path.includes('fields='), 'Reading the number failed'],
    ['waba', (path: string) => path.includes('/phone_numbers'), 'Listing the numbers of the WABA failed'],
    ['subscribe', (path: string) => path.endsWith('/subscribed_apps'), 'Asking for the notices of the WABA failed'],
    ['register', (path: string) => path.endsWith('/register'), 'Registering the number failed'],
  ])('says that the step %s failed, in upstream’s words, and stores nothing', async (_step, matches, words) => {
    upstream.refuse = (request) => (matches(request.path) ? { code: 100, message: 'Unsupported request' } : null)
    const made = await connect({ pin: '123456' })
    expect(made).toMatchObject({ ok: false, refusal: { code: 'meta_error', details: [{ message: 'Unsupported request', code: 100 }] } })
    expect(made.ok ? '' : made.refusal.message).toContain(words)
    expect(await listChannels(own.database, accountId)).toEqual([])
  })

  // rule: channels 1
  test('a number that its WABA does not have is refused before anything is asked for, over all of upstream’s pages', async () => {
    const pages = [['1', '2'], ['3'], [phoneNumberId]]
    upstream.numbersOf = (path) => {
      const n = Number(new URL(`http://x${path}`).searchParams.get('after') ?? 0)
      const next = n + 1 < pages.length ? { next: 'https://graph.example/next' } : {}
      return { data: pages[n]?.map((id) => ({ id })), paging: { cursors: { after: String(n + 1) }, ...next } }
    }
    expect(await connect()).toMatchObject({ ok: true })
    pages[2] = ['4']
    upstream.requests.length = 0
    const made = await connect({ phoneNumberId: '404' })
    expect(made).toMatchObject({ ok: false, refusal: { code: 'invalid_request', details: [{ field: 'waba_id' }] } })
    expect(made.ok ? '' : made.refusal.message).toContain('The WABA 900 does not have the number 404')
    expect(upstream.asked()).toEqual(['GET /404', ...Array(3).fill('GET /900/phone_numbers')])
  })

  test('pages of numbers without an end are not read for ever', async () => {
    upstream.numbersOf = () => ({ data: [], paging: { cursors: { after: 'again' }, next: 'https://graph.example/next' } })
    expect(await connect()).toMatchObject({ ok: false, refusal: { code: 'meta_error' } })
    expect(upstream.asked()).toHaveLength(101)
  })

  // rule: channels 1
  test('a subscription that upstream accepts and does not have is told, and stores nothing', async () => {
    upstream.apps = []
    const made = await connect()
    expect(made).toMatchObject({ ok: false, refusal: { code: 'meta_error' } })
    expect(made.ok ? '' : made.refusal.message).toContain('no app is subscribed')
    expect(await listChannels(own.database, accountId)).toEqual([])
  })

  test('where our app is known, only its own subscription counts', async () => {
    const input = { accountId, phoneNumberId, wabaId: '900', token: 'EAAtoken', pin: null }
    upstream.apps = ['4177', '4178']
    expect(await connectChannel({ ...deps(), appId: '4178' }, input)).toMatchObject({ ok: true, value: { subscribed: true } })
    const other = await connectChannel({ ...deps(), appId: '4179' }, input)
    expect(other.ok ? '' : other.refusal.message).toContain('not the app 4179')
  })

  test('says that upstream could not be reached', async () => {
    upstream.answer = () => ({ kind: 'not_sent', because: 'ECONNREFUSED' })
    const made = await connect()
    expect(made).toMatchObject({ ok: false, refusal: { code: 'meta_error' } })
    expect(made.ok ? '' : made.refusal.message).toContain('could not be reached (ECONNREFUSED)')
  })

  test('a page of a proxy in place of an answer is an error, not a number', async () => {
    upstream.answer = () => ({ kind: 'answer', statusCode: 502, body: '<html>' })
    expect(await connect()).toMatchObject({ ok: false, refusal: { code: 'meta_error' } })
  })

  test.each([
    ['phone_number_id', { phoneNumberId: '+55 11' }],
    ['waba_id', { wabaId: '../me' }],
    ['token', { token: 'two\r\nlines' }],
    ['pin', { pin: '12345' }],
  ])('a wrong %s is named, and nothing is asked', async (field, change) => {
    expect(await connect(change)).toMatchObject({ ok: false, refusal: { code: 'invalid_request', details: [{ field }] } })
    expect(upstream.asked()).toEqual([])
  })

  test('an account that does not exist is not found', async () => {
    expect(await connect({ accountId: newUuid(clock.now()) })).toMatchObject({ ok: false, refusal: { code: 'not_found' } })
  })
})

describe('disconnecting and a new token', () => {
  test('a disconnected number has no token any more and says who did it', async () => {
    const { id } = await connected()
    expect(await disconnectChannel(deps(), id)).toMatchObject({ ok: true, value: { status: 'disconnected' } })
    expect(await inUse()).toMatchObject({ sealedToken: null, disconnectedBecause: 'The operator disconnected this number.' })
  })

  test('a token that upstream accepts connects it again', async () => {
    const { id } = await connected()
    await disconnectChannel(deps(), id)
    expect(await setChannelToken(deps(), { channelId: id, token: 'EAAnew' })).toMatchObject({ ok: true, value: { status: 'connected' } })
    expect(unseal(secretKey, present((await inUse()).sealedToken, 'a token was given'))).toBe('EAAnew')
  })

  test('a token that upstream refuses changes nothing', async () => {
    const { id } = await connected()
    upstream.refuse = () => ({ code: 190, message: 'Invalid OAuth access token' })
    const made = await setChannelToken(deps(), { channelId: id, token: 'EAAbad' })
    expect(made.ok ? '' : made.refusal.message).toContain('The token is invalid or has expired')
    expect(unseal(secretKey, present((await inUse()).sealedToken, 'a token was given'))).toBe('EAAtoken')
  })

  test('a channel that does not exist is not found', async () => {
    const channelId = newUuid(clock.now())
    expect(await disconnectChannel(deps(), channelId)).toMatchObject({ ok: false, refusal: { code: 'not_found' } })
    expect(await setChannelToken(deps(), { channelId, token: 'x' })).toMatchObject({ ok: false, refusal: { code: 'not_found' } })
  })
})

describe('looking numbers up', () => {
  test('an account sees its own numbers and never another’s', async () => {
    const mine = await connected()
    const other = await newAccount()
    await connect({ accountId: other, phoneNumberId: `2${phoneNumberId}` })
    expect((await listChannels(own.database, accountId)).map((each) => each.id)).toEqual([mine.id])
    const found = await channelsOf(own.database, [accountId, newUuid(clock.now())])
    expect([...found.keys()]).toEqual([accountId])
    expect((await listAllChannels(own.database)).length).toBeGreaterThan(1)
  })

  test('a notice’s number is found over all accounts; an unknown one is missing', async () => {
    const { id } = await connected()
    const found = await findByPhoneNumberIds(own.database, [phoneNumberId, '404'])
    expect([...found.keys()]).toEqual([phoneNumberId])
    expect(found.get(phoneNumberId)).toMatchObject({ id, accountId, wabaId: '900', status: 'connected', onBusinessApp: false })
  })

  test('numbers that upstream will not serve are marked once, with the reason, and keep their token', async () => {
    const { id } = await connected()
    const mark = (because: string) =>
      own.database.transaction((tx) => markDisconnected(tx, [{ accountId, channelId: id, because, at: clock.now() }]))
    expect(await mark('131031: locked')).toEqual([id])
    expect(await mark('another')).toEqual([])
    const channel = await inUse()
    expect(channel).toMatchObject({ status: 'disconnected', disconnectedBecause: '131031: locked' })
    expect(channel.sealedToken).not.toBeNull()
  })
})

type ScriptedUpstream = {
  graph: Graph
  requests: GraphRequest[]
  asked(): string[]
  number: Record<string, unknown>
  /** The page of the WABA's numbers that such a path asks for; from the start, one with the number of this test. */
  numbersOf: (path: string) => unknown
  /** The apps that are subscribed. */
  apps: string[]
  onRegister: () => void
  refuse: (request: GraphRequest) => { code: number; message: string } | null
  answer: ((request: GraphRequest) => GraphAnswer) | null
}

/** Upstream as `Graph` shows it: answers one number, and what a test scripts. */
function scriptedUpstream(): ScriptedUpstream {
  const scripted: ScriptedUpstream = {
    requests: [],
    asked: () => scripted.requests.map((request) => `${request.method} ${request.path.split('?')[0]}`),
    number: {
      id: '1',
      display_phone_number: '+55 11 91234-5678',
      verified_name: 'Padaria',
      status: 'CONNECTED',
      platform_type: 'CLOUD_API',
      quality_rating: 'GREEN',
      throughput: { level: 'STANDARD' },
    },
    numbersOf: () => ({ data: [{ id: '1' }, { id: `2${phoneNumberId}` }, { id: phoneNumberId }] }),
    apps: ['4177'],
    onRegister: () => {},
    refuse: () => null,
    answer: null,
    graph: {
      concurrentMax: 4,
      close: async () => {},
      async call(request) {
        scripted.requests.push(request)
        if (scripted.answer !== null) return scripted.answer(request)
        const error = scripted.refuse(request)
        if (error !== null) return answered(400, { error: { ...error, type: 'OAuthException' } })
        if (request.path.endsWith('/register')) scripted.onRegister()
        if (request.method === 'POST') return answered(200, { success: true })
        if (request.path.includes('/phone_numbers')) return answered(200, scripted.numbersOf(request.path))
        if (request.path.endsWith('/subscribed_apps'))
          return answered(200, { data: scripted.apps.map((id) => ({ whatsapp_business_api_data: { id } })) })
        return answered(200, scripted.number)
      },
    },
  }
  return scripted
}

const answered = (statusCode: number, body: unknown): GraphAnswer => ({ kind: 'answer', statusCode, body: JSON.stringify(body) })
