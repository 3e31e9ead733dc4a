import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { listAllChannels } from '../../src/features/channels/public.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { exactly, makeSharedWaba, noticeOf, type SharedWaba } from '../support/shared-waba.ts'
import { textTo } from '../support/texts.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const rowsOf = <Row>(sql: string, values: readonly unknown[]) =>
  gateway.deps.database.all<Row>({ compile: () => ({ sql, parameters: values }) as never })
const categoriesOf = ({ wabaId }: SharedWaba) =>
  rowsOf<{ category: string; language: string }>('select category, language from template_state where waba_id = $1 order by account_id', [
    wabaId,
  ])
const asideOf = (sql: string) => rowsOf<{ field: string; reason: string }>(`select field, reason from notice_set_aside where ${sql}`, [])

const healthy = {
  status: 'connected',
  quality: 'GREEN',
  throughput: 'STANDARD',
  messaging_limit: 'TIER_2K',
  display_name: 'Pombo Simulator',
}

type Row = {
  type: string
  /** Whom it is told: everyone with a number of the WABA, or the account of the number that it names. */
  to: 'all' | 'its account'
  /** What the first number shows after it, where that is anything else. */
  first?: object
  /** What every other number of the WABA shows. */
  others?: object
  category?: string
}

// The whole table of the changes that upstream documents; each in a world of its own.
const rows: Readonly<Record<string, Row>> = {
  'template-status-approved': { type: 'template.status_updated', to: 'all', category: 'UTILITY' },
  'template-status-rejected': { type: 'template.status_updated', to: 'all', category: 'MARKETING' },
  'template-status-paused': { type: 'template.status_updated', to: 'all', category: 'UTILITY' },
  'template-status-disabled': { type: 'template.status_updated', to: 'all', category: 'UTILITY' },
  'template-status-pending-deletion': { type: 'template.status_updated', to: 'all' },
  'template-category-impending': { type: 'template.category_updated', to: 'all', category: 'UTILITY' },
  'template-category-completed': { type: 'template.category_updated', to: 'all', category: 'MARKETING' },
  'template-quality': { type: 'template.quality_updated', to: 'all' },
  'template-quality-mislabelled': { type: 'template.quality_updated', to: 'all' },
  'template-components': { type: 'template.components_updated', to: 'all' },
  'phone-quality-throughput-upgrade': {
    ...{ type: 'channel.updated', to: 'its account' },
    first: { throughput: 'HIGH', messaging_limit: 'TIER_UNLIMITED' },
  },
  'phone-quality-legacy-flagged': { type: 'channel.updated', to: 'its account', first: { quality: 'RED', messaging_limit: 'TIER_1K' } },
  'phone-name-approved': { type: 'channel.updated', to: 'its account', first: { display_name: 'Verde Viva', name_status: 'APPROVED' } },
  'phone-name-rejected': { type: 'channel.updated', to: 'its account', first: { name_status: 'DECLINED' } },
  'account-alert': { type: 'channel.updated', to: 'its account' },
  'account-review': { type: 'channel.updated', to: 'all' },
  'account-update-disabled': { type: 'channel.updated', to: 'all' },
  'account-update-violation': { type: 'channel.updated', to: 'all' },
  'account-update-restriction': { type: 'channel.updated', to: 'its account' },
  'account-update-verified': { type: 'channel.updated', to: 'its account' },
  'account-update-partner-removed': { type: 'channel.updated', to: 'its account', first: { status: 'disconnected' } },
  'business-capability': {
    type: 'channel.updated',
    to: 'all',
    first: { messaging_limit: 'TIER_2K' },
    others: { messaging_limit: 'TIER_2K' },
  },
}

// rule: changes 1, changes 2, changes 3
describe('a change that upstream documents is told once to whom it concerns, whole and with nothing else, and is followed:', () => {
  test.each(Object.entries(rows))('%s', async (name, { type, to, first = {}, others = {}, category }) => {
    const world = await makeSharedWaba(gateway)
    const body = world.fixture(name)
    await world.post(body)
    const expected = { first: [type], second: to === 'all' ? [type] : [], stranger: [] }
    expect(await world.told()).toEqual(expected)
    for (const of of to === 'all' ? (['first', 'second'] as const) : (['first'] as const)) {
      const event = await world.event(of)
      expect(event).toMatchObject({ type, livemode: true, api_version: 'v1' })
      expect(event.raw).toContain(`"data":{"meta":${exactly(body)}}}`)
    }
    expect(await world.channels('first')).toMatchObject([
      { ...healthy, ...first },
      { ...healthy, ...others },
    ])
    expect(await world.channels('second')).toMatchObject([{ ...healthy, ...others }])
    expect(await world.channels('stranger')).toMatchObject([healthy])
    expect((await categoriesOf(world)).map((each) => each.category)).toEqual(category === undefined ? [] : [category, category])

    // Upstream repeats, and so do we when a notice is worked through once more.
    await world.post(body)
    await gateway.simulator.postNotice(body, { times: 4 })
    await gateway.noticesWorked()
    expect(await world.told()).toEqual(expected)
  })

  test.each(['account-update-partner-added', 'business-username', 'security-pin', 'payment-configuration', 'partner-solutions'])(
    '%s is nothing that is told',
    async (name) => {
      const world = await makeSharedWaba(gateway)
      await world.post(world.fixture(name))
      expect(await world.told()).toEqual({ first: [], second: [], stranger: [] })
      expect(await world.channels('first')).toMatchObject([healthy, healthy])
    },
  )
})

const quality = (world: SharedWaba, event: string, limit: string, number = world.first.numbers[0]) => ({
  field: 'phone_number_quality_update',
  value: { display_phone_number: number.displayDigits, event, current_limit: limit },
})
const accountUpdate = (value: object) => ({ field: 'account_update', value })
const template = (more: object) => ({
  field: 'message_template_status_update',
  value: { event: 'APPROVED', message_template_id: 1, message_template_name: 'aviso', reason: 'NONE', ...more },
})

// rule: changes 3
test('an older change that comes late is told, and changes nothing that is newer', async () => {
  const world = await makeSharedWaba(gateway)
  await world.post(noticeOf(world.wabaId, world.second0 + 20, quality(world, 'UPGRADE', 'TIER_100K')))
  await world.post(noticeOf(world.wabaId, world.second0 + 10, quality(world, 'DOWNGRADE', 'TIER_1K')))
  expect((await world.told()).first).toEqual(['channel.updated', 'channel.updated'])
  expect(await world.channels('first')).toMatchObject([{ messaging_limit: 'TIER_100K' }, healthy])
  await world.post(noticeOf(world.wabaId, world.second0 + 30, quality(world, 'DOWNGRADE', 'TIER_10K')))
  expect(await world.channels('first')).toMatchObject([{ messaging_limit: 'TIER_10K' }, healthy])
})

test('what was told before a number was connected says nothing of it as it is now', async () => {
  const world = await makeSharedWaba(gateway)
  await world.post(noticeOf(world.wabaId, world.second0 - 7_200, quality(world, 'FLAGGED', 'TIER_1K')))
  expect((await world.told()).first).toEqual(['channel.updated'])
  expect(await world.channels('first')).toMatchObject([healthy, healthy])
})

test('the same words told at another time are another change', async () => {
  const world = await makeSharedWaba(gateway)
  for (const time of [1, 2, 2, 1]) await world.post(noticeOf(world.wabaId, world.second0 + time, template({})))
  expect((await world.told()).second).toEqual(['template.status_updated', 'template.status_updated'])
})

test('a change whose notice has no time is told once', async () => {
  const world = await makeSharedWaba(gateway)
  for (let n = 0; n < 2; n += 1) await world.post(noticeOf(world.wabaId, null, template({ message_template_category: 'UTILITY' })))
  expect((await world.told()).first).toEqual(['template.status_updated'])
})

test('a template’s language is one whether it is written with a hyphen or a line; its notices keep their own words', async () => {
  const world = await makeSharedWaba(gateway)
  const told = (language: string, category: string, time: number) =>
    world.post(
      noticeOf(world.wabaId, world.second0 + time, template({ message_template_language: language, message_template_category: category })),
    )
  await told('pt-BR', 'UTILITY', 1)
  await told('pt_BR', 'MARKETING', 2)
  expect(await categoriesOf(world)).toEqual(Array(2).fill({ category: 'MARKETING', language: 'pt_BR' }))
  expect((await world.event('first')).data.meta.entry[0].changes[0].value.message_template_language).toBe('pt-BR')
})

// rule: receive 7
test('a change of a WABA that nobody here has, and one that cannot be read, cost their neighbours nothing', async () => {
  const world = await makeSharedWaba(gateway)
  const nameless = { field: 'phone_number_name_update', value: { decision: 'APPROVED' } }
  const entries = [
    { id: '999000111', time: world.second0, changes: [template({})] },
    { id: world.wabaId, time: world.second0, changes: [nameless, quality(world, 'UPGRADE', 'TIER_100K'), { field: 'flows', value: {} }] },
    { time: world.second0, changes: [template({})] },
    { id: world.wabaId, time: world.second0, changes: [template({})] },
  ]
  await world.post({ object: 'whatsapp_business_account', entry: entries })
  expect(await world.told()).toEqual({
    first: ['channel.updated', 'template.status_updated'],
    second: ['template.status_updated'],
    stranger: [],
  })
  expect(await asideOf("field = 'phone_number_name_update'")).toEqual([
    { field: 'phone_number_name_update', reason: 'it names no display_phone_number' },
  ])
  expect(await asideOf("field = 'message_template_status_update'")).toEqual([
    { field: 'message_template_status_update', reason: 'its entry has no id' },
  ])
})

// rule: changes 4
describe('what takes numbers away', () => {
  const deleted = (world: SharedWaba) => noticeOf(world.wabaId, world.second0, accountUpdate({ event: 'ACCOUNT_DELETED' }))

  test('disconnects all of the WABA, says why, and refuses sends from then on', async () => {
    const world = await makeSharedWaba(gateway)
    await world.post(deleted(world))
    expect((await world.channels('first')).map((each) => each.status)).toEqual(['disconnected', 'disconnected'])
    expect((await world.channels('second')).map((each) => each.status)).toEqual(['disconnected'])
    expect((await world.channels('stranger')).map((each) => each.status)).toEqual(['connected'])
    const kept = (await listAllChannels(gateway.deps.database)).find((each) => each.id === world.second.numbers[0].channelId)
    expect(kept?.disconnectedBecause).toBe('The platform has told ACCOUNT_DELETED.')
    const { status, body } = await gateway.call('POST', '/v1/messages', { key: world.second.live, body: textTo(gateway.newPerson()) })
    expect([status, body.error.code]).toEqual([409, 'channel_not_connected'])
  })

  test.each([
    ['a ban as a text', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } }],
    ['a ban as a list', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: ['DISABLE'] } }],
    ['a number that was taken along', { event: 'ACCOUNT_OFFBOARDED' }],
  ])('%s', async (_what, value) => {
    const world = await makeSharedWaba(gateway)
    await world.post(noticeOf(world.wabaId, world.second0, accountUpdate(value)))
    expect(await world.told()).toMatchObject({ first: ['channel.updated'], second: ['channel.updated'] })
    expect((await world.channels('second')).map((each) => each.status)).toEqual(['disconnected'])
  })

  test('names the number that it takes: the others of its WABA stay, and of a number that is not here nothing is told', async () => {
    const world = await makeSharedWaba(gateway)
    const removed = (digits: string) =>
      noticeOf(world.wabaId, world.second0, accountUpdate({ event: 'PARTNER_REMOVED', phone_number: digits }))
    await world.post(removed(world.second.numbers[0].displayDigits))
    await world.post(removed('5511400000000'))
    expect(await world.told()).toEqual({ first: [], second: ['channel.updated'], stranger: [] })
    expect((await world.channels('first')).map((each) => each.status)).toEqual(['connected', 'connected'])
    expect((await world.channels('second')).map((each) => each.status)).toEqual(['disconnected'])
  })

  test('what gives them back is told, and upstream itself connects them: they are read at once', async () => {
    const world = await makeSharedWaba(gateway)
    await world.post(deleted(world))
    const before = await rowsOf<{ due: boolean }>('select check_due_at <= $2 as due from channel where waba_id = $1', [
      world.wabaId,
      new Date(),
    ])
    expect(before).toEqual(Array(3).fill({ due: false }))
    const from = gateway.observations.all.length
    await world.post(noticeOf(world.wabaId, world.second0 + 1, accountUpdate({ event: 'ACCOUNT_RECONNECTED' })))
    expect((await world.told()).second).toEqual(['channel.updated', 'channel.updated'])
    const back = `ch_${world.second.numbers[0].channelId.replaceAll('-', '')}`
    await gateway.observations.until((each) => each.kind === 'channel.checked' && each.channelId === back, { from })
    await vi.waitFor(async () => expect((await world.channels('second')).map((each) => each.status)).toEqual(['connected']))
  }, 40_000)
})

test('operators see what upstream told of security, and how many changes there were by field', async () => {
  const world = await makeSharedWaba(gateway)
  const from = gateway.observations.all.length
  await world.post(world.fixture('security-pin'))
  await world.post(world.fixture('account-review'))
  await world.post(world.fixture('account-review'))
  await world.post(noticeOf(world.wabaId, world.second0, { field: 'invented_yesterday', value: {} }))
  expect(await gateway.observations.until((each) => each.kind === 'notices.security', { from })).toMatchObject({ event: 'PIN_CHANGED' })
  const { text } = await gateway.call('GET', '/metrics')
  for (const [field, fate] of [
    ['account_review_update', 'applied'],
    ['account_review_update', 'repeated'],
    ['security', 'passed_over'],
    ['other', 'passed_over'],
  ])
    expect(text).toMatch(new RegExp(`^pombo_notice_changes_total\\{field="${field}",fate="${fate}"\\} [1-9]`, 'm'))
  expect(text).not.toContain('invented_yesterday')
})

// rule: channels 3
test('when a notice last came is known of each number that it was about, and of no other', async () => {
  const world = await makeSharedWaba(gateway)
  const lastOf = async (channelId: string) =>
    (await listAllChannels(gateway.deps.database)).find((each) => each.id === channelId)?.lastNoticeAt ?? null
  const began = Date.now()
  await world.post(noticeOf(world.wabaId, world.second0, quality(world, 'UPGRADE', 'TIER_10K')))
  await vi.waitFor(async () => expect((await lastOf(world.first.numbers[0].channelId))?.getTime()).toBeGreaterThan(began - 5_000), 10_000)
  expect(await lastOf(world.first.numbers[1].channelId)).toBeNull()
  expect(await lastOf(world.second.numbers[0].channelId)).toBeNull()
})
