import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { newStage, person, type Stage, secretKey, sql, textTo } from '../../../test/support/stage.ts'
import { present } from '../../base/assert.ts'
import { type ManualClock, manualClock } from '../../base/clock.ts'
import { formatId, type Uuid } from '../../base/id.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { disconnectChannel, hearOfNumbers, markDisconnected } from '../channels/public.ts'
import { createSender } from '../messages/public.ts'
import { registerWebhook } from '../webhooks/public.ts'
import { type MailDeps, mailAlerts } from './mail.ts'
import type { AlertObservation } from './observation.ts'
import { dismiss, listAlerts } from './store.ts'
import { watchForTrouble } from './watch.ts'

const minute = 60_000
let own: TestDatabase
let clock: ManualClock
let stage: Stage
let observed: AlertObservation[]
let mails: Mail[]

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  for (const table of ['alert', 'send_queue', 'webhook_lane', 'channel']) await sql(own.database, `delete from ${table}`)
  // Today, because the test database has today's partitions.
  clock = manualClock(new Date().toISOString())
  stage = await newStage(own.database, clock)
  observed = []
  mails = []
})

const deps = () => ({ database: own.database, clock, observe: (each: AlertObservation) => observed.push(each) })
const watch = () => watchForTrouble(deps())
const alerts = async (accountId = stage.accountId) =>
  (await listAlerts(own.database, accountId, { since: new Date(0), most: 100 })).map((each) => [
    each.kind,
    each.subject,
    each.closedAt === null,
  ])
const channel = () => formatId('ch', stage.channelId)
const disconnect = () =>
  own.database.transaction((tx) =>
    markDisconnected(tx, [{ accountId: stage.accountId, channelId: stage.channelId, because: 'gone', at: clock.now() }]),
  )
const reconnect = () => sql(own.database, `update channel set status = 'connected', disconnected_because = null`)

const owners: MailDeps['ownersOf'] = async () => [
  { email: 'ana@padaria.example', language: 'pt-BR' },
  { email: 'joe@padaria.example', language: 'en' },
]
const mail = (more: Partial<MailDeps> = {}) =>
  mailAlerts({
    ...deps(),
    ownersOf: owners,
    sendMail: async (each) => mails.push(each) > 0,
    consoleUrl: 'https://gateway.example/console',
    ...more,
  })

describe('an alert', () => {
  test('opens once while a number is disconnected by upstream, and closes when it is back; the next time is another one', async () => {
    await watch()
    expect(await alerts()).toEqual([])
    await disconnect()
    await watch()
    clock.advance(minute)
    await watch()
    expect(await alerts()).toEqual([['channel_token_lost', channel(), true]])
    await reconnect()
    await watch()
    expect(await alerts()).toEqual([['channel_token_lost', channel(), false]])
    await disconnect()
    clock.advance(minute)
    await watch()
    expect(await alerts()).toEqual([
      ['channel_token_lost', channel(), true],
      ['channel_token_lost', channel(), false],
    ])
    expect(observed.map((each) => each.kind)).toEqual(['alert.opened', 'alert.closed', 'alert.opened'])
  })

  test('opens once, however many processes look at the same time', async () => {
    await disconnect()
    await Promise.all(Array.from({ length: 8 }, watch))
    await Promise.all(Array.from({ length: 8 }, watch))
    expect(await alerts()).toHaveLength(1)
    expect(observed).toHaveLength(1)
  })

  test('is not opened for a number that the team disconnected itself', async () => {
    await disconnectChannel({ database: own.database }, stage.channelId)
    await watch()
    expect(await alerts()).toEqual([])
  })

  test('opens for a number of low quality', async () => {
    const tell = (value: string) =>
      own.database.transaction((tx) =>
        hearOfNumbers(tx, [{ accountId: stage.accountId, channelId: stage.channelId, fact: 'quality', value, at: clock.now() }]),
      )
    clock.advance(minute)
    await tell('YELLOW')
    await watch()
    expect(await alerts()).toEqual([])
    clock.advance(minute)
    await tell('RED')
    await watch()
    expect(await alerts()).toEqual([['channel_quality_low', channel(), true]])
  })

  test('opens for a webhook that has failed for an hour, and closes when it is disabled', async () => {
    const policy = { allowPrivate: false, allowCidrs: [], certificateAuthorities: null, ownEndpoints: [] }
    const input = { accountId: stage.accountId, url: 'https://example.com/events', events: ['*'] as const, description: null }
    const made = await registerWebhook({ database: own.database, clock, policy, secretKey }, input)
    const { id } = present(made.ok ? made.value.webhook : null, 'registered')
    await sql(
      own.database,
      `insert into webhook_lane (account_id, webhook_id, shard, failing_since) values ($1, $2, 0, $3)
      on conflict (account_id, webhook_id) do update set failing_since = excluded.failing_since`,
      [stage.accountId, id, clock.now()],
    )
    clock.advance(60 * minute - 1)
    await watch()
    expect(await alerts()).toEqual([])
    clock.advance(1)
    await watch()
    expect(await alerts()).toEqual([['webhook_failing', formatId('whk', id), true]])
    await sql(own.database, 'update webhook set enabled = false where id = $1', [id])
    await watch()
    expect(await alerts()).toEqual([['webhook_failing', formatId('whk', id), false]])
  })

  test('opens for a queue that is older than two minutes, and is over once it has not been for five', async () => {
    const accept = async (phone: string) => {
      await person(own.database, clock, stage, phone)
      const readCategories = () => Promise.reject(new Error('nothing here asks'))
      const sender = createSender({ database: own.database, clock, observe: () => {}, wakeLanes: () => {}, readCategories })
      await sender(textTo(clock, stage, phone))
    }
    const emptied = () => sql(own.database, 'delete from send_queue')
    await accept('5511987650011')
    clock.advance(2 * minute - 1)
    await watch()
    expect(await alerts()).toEqual([])
    clock.advance(1)
    await watch()
    await emptied()
    clock.advance(2 * minute)
    await watch()
    await accept('5511987650012')
    clock.advance(2 * minute)
    await watch()
    await emptied()
    clock.advance(5 * minute - 1)
    await watch()
    expect(await alerts()).toEqual([['queue_old', '', true]])
    clock.advance(1)
    await watch()
    expect(await alerts()).toEqual([['queue_old', '', false]])
  })

  test('is forgotten after 90 days', async () => {
    await disconnect()
    await watch()
    await reconnect()
    await watch()
    clock.advance(90 * 24 * 60 * minute + 1)
    await watch()
    expect(await alerts()).toEqual([])
  })
})

describe('the mail', () => {
  beforeEach(async () => {
    await disconnect()
    await watch()
  })
  const mailedAt = async () => (await listAlerts(own.database, stage.accountId, { since: new Date(0), most: 1 }))[0]?.mailedAt ?? null

  test('goes once to each owner, in their language, without a phone number', async () => {
    await Promise.all([mail(), mail()])
    clock.advance(10 * minute)
    await mail()
    expect(mails.map((each) => [each.to, each.subject])).toEqual([
      ['ana@padaria.example', 'Padaria: um número foi desconectado'],
      ['joe@padaria.example', 'Padaria: a number was disconnected'],
    ])
    expect(new Set(mails.map((each) => each.by))).toEqual(new Set(['alert']))
    for (const { text } of mails) {
      expect(text).toContain('https://gateway.example/console')
      expect(text).not.toMatch(/\d{8,}/)
    }
    expect(await mailedAt()).not.toBeNull()
  })

  test('is tried again where none could be handed over, five times in all', async () => {
    let tries = 0
    const sendMail = async () => {
      tries += 1
      throw new Error('the mail server is away')
    }
    for (let i = 0; i < 8; i += 1) {
      await mail({ sendMail })
      clock.advance(5 * minute)
    }
    expect(tries).toBe(10)
    expect(await mailedAt()).toBeNull()
    expect(observed.at(-1)).toMatchObject({ kind: 'alert.mailed', mailed: false })
  })

  test('is not sent of what is over, or was dismissed', async () => {
    const [first] = await listAlerts(own.database, stage.accountId, { since: new Date(0), most: 1 })
    await own.database.transaction((tx) => dismiss(tx, { accountId: stage.accountId, id: first?.id as Uuid }, clock.now()))
    await mail()
    await reconnect()
    await watch()
    await disconnect()
    await watch()
    await reconnect()
    await watch()
    await mail()
    expect(mails).toEqual([])
  })
})
