import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type MemberCall, memberOf } from '../support/team.ts'

let gateway: TestGateway
let account: TestAccount
let call: MemberCall
let ofOther: MemberCall

beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
  call = await memberOf(gateway, account)
  ofOther = await memberOf(gateway, await gateway.account({ channels: 0 }))
})
afterAll(() => gateway.close())

let numbers = 0
/** A number that upstream has and nobody has connected. */
function newNumber() {
  numbers += 1
  const number = {
    phoneNumberId: `66600${numbers}`,
    wabaId: `77700${numbers}`,
    displayDigits: `55114000${numbers}`,
    token: `EAAnew-${numbers}`,
  }
  gateway.simulator.addNumber(number)
  return number
}
const bodyOf = ({ phoneNumberId, wabaId, token }: ReturnType<typeof newNumber>) => ({
  phone_number_id: phoneNumberId,
  waba_id: wabaId,
  token,
})
const connect = (body: object, as = call) => as('POST', '/channels', { body })

type Steps = readonly { step: string; outcome: string; reason: string | null }[]
const shown = (steps: Steps) => steps.map(({ step, outcome, reason }) => `${step} ${outcome}${reason === null ? '' : ` ${reason}`}`)

test('a number is connected step by step, and then has every detail', async () => {
  const number = newNumber()
  const own = await gateway.account({ channels: 0 })
  const ofOwn = await memberOf(gateway, own)
  const { status, body, text } = await connect({ ...bodyOf(number), pin: '123456' }, ofOwn)
  expect([status, shown(body.steps)]).toEqual([
    200,
    ['token ok', 'number ok', 'waba ok', 'subscription ok', 'registration ok', 'first_notice waiting'],
  ])
  expect(text).not.toContain(number.token)
  expect(body.channel).toMatchObject({
    ...{ object: 'channel', status: 'connected', phone: number.displayDigits, quality: 'GREEN', subscribed: true, last_notice_at: null },
    ...{ disconnected_because: null, disconnected_by_hand: false, on_business_app: false },
  })
  const { body: listed, text: details } = await ofOwn('GET', '/channels/details')
  expect(listed.data).toMatchObject([{ id: body.channel.id, phone_number_id: number.phoneNumberId }])
  expect(details).not.toContain(number.token)
})

test('the step that failed is told with its reason, and nothing is stored', async () => {
  const [one, two] = [newNumber(), newNumber()]
  const rest = ['registration not_done', 'first_notice not_done']
  const steps = async (body: object) => {
    const answer = await connect(body)
    expect([answer.status, answer.body.channel]).toEqual([200, null])
    expect(answer.body.steps.find((each: { outcome: string }) => each.outcome === 'failed').message).not.toBe('')
    expect(answer.text).not.toContain(one.token)
    return shown(answer.body.steps)
  }
  expect(await steps({ ...bodyOf(one), token: 'EAAwrong' })).toEqual([
    ...['token failed token_invalid', 'number not_done', 'waba not_done', 'subscription not_done'],
    ...rest,
  ])
  expect(await steps({ ...bodyOf(one), phone_number_id: two.phoneNumberId })).toEqual([
    ...['token ok', 'number failed refused', 'waba not_done', 'subscription not_done'],
    ...rest,
  ])
  gateway.simulator.addNumber({ ...one, phoneNumberId: `${one.phoneNumberId}9`, displayDigits: '551140009998', wabaId: '7770099' })
  expect(await steps({ ...bodyOf(one), waba_id: '7770099' })).toEqual([
    ...['token ok', 'number ok', 'waba failed not_in_waba', 'subscription not_done'],
    ...rest,
  ])
  expect((await call('GET', '/channels/details')).body.data).toHaveLength(1)
})

test('400 for what cannot be right, 409 for the number of another account', async () => {
  expect((await connect({ ...bodyOf(newNumber()), phone_number_id: '+55 11' })).body.error.details[0].field).toBe('phone_number_id')
  expect((await connect({ ...bodyOf(newNumber()), pin: '12' })).body.error.details[0].field).toBe('pin')
  const { phoneNumberId, wabaId, token } = account.channel
  const taken = await connect({ phone_number_id: phoneNumberId, waba_id: wabaId, token }, ofOther)
  expect([taken.status, taken.body.error.code]).toEqual([409, 'conflict'])
})

test('a number is checked, loses its token, gets a new one, and is disconnected', async () => {
  const own = await gateway.account()
  const ofOwn = await memberOf(gateway, own)
  const { id, phoneNumberId } = own.channel
  const check = async () => (await ofOwn('POST', `/channels/${id}/check`)).body
  const good = ['token ok', 'number ok', 'registration ok', 'subscription ok', 'first_notice waiting']
  expect(shown((await check()).steps)).toEqual(good)

  gateway.simulator.changeNumber(phoneNumberId, { token: 'EAAsecond' })
  const lost = await check()
  expect(shown(lost.steps)[0]).toBe('token failed token_invalid')
  expect(lost.channel).toMatchObject({ status: 'disconnected', disconnected_by_hand: false, disconnected_because: lost.steps[0].message })

  const wrong = await ofOwn('POST', `/channels/${id}/token`, { body: { token: 'EAAthird' } })
  expect([wrong.status, wrong.body.channel, shown(wrong.body.steps)[0]]).toEqual([200, null, 'token failed token_invalid'])
  const right = await ofOwn('POST', `/channels/${id}/token`, { body: { token: 'EAAsecond' } })
  expect([right.body.channel.id, right.body.channel.status]).toEqual([id, 'connected'])
  expect(right.text).not.toContain('EAAsecond')

  const gone = await ofOwn('DELETE', `/channels/${id}`)
  expect([gone.status, gone.body.status, gone.body.disconnected_by_hand]).toEqual([200, 'disconnected', true])
  expect(shown((await check()).steps)[0]).toBe('token failed no_token')
})

test('the facts for Meta name the address of the notices and the word', async () => {
  const { body } = await call('GET', '/channels/connection-facts')
  expect(body).toEqual({
    object: 'connection_facts',
    notices_url: `${gateway.config.publicUrl}/upstream/notices`,
    verify_token: 'verify-token-of-the-tests',
    app_id: null,
  })
})

test('404 for the channel of another account, on every route', async () => {
  const { id } = account.channel
  expect((await ofOther('GET', '/channels/details')).body.data).toEqual([])
  expect((await ofOther('POST', `/channels/${id}/token`, { body: { token: 'EAAx' } })).status).toBe(404)
  expect((await ofOther('POST', `/channels/${id}/check`)).status).toBe(404)
  expect((await ofOther('DELETE', `/channels/${id}`)).status).toBe(404)
  expect((await call('GET', '/channels/details')).body.data[0].status).toBe('connected')
})

test('403 without the right, and in test mode', async () => {
  const agent = await memberOf(gateway, account, 'viewer')
  expect((await agent('GET', '/channels/details')).status).toBe(200)
  const { id } = account.channel
  const writes = [
    () => agent('GET', '/channels/connection-facts'),
    () => connect(bodyOf(newNumber()), agent),
    () => agent('POST', `/channels/${id}/token`, { body: { token: 'EAAx' } }),
    () => agent('POST', `/channels/${id}/check`),
    () => agent('DELETE', `/channels/${id}`),
    () => call('DELETE', `/channels/${id}`, { headers: { 'pombo-mode': 'test' } }),
  ]
  for (const each of writes) expect((await each()).status).toBe(403)
})

// rule: inbox 3
test('the audit log tells a connection that came to nothing as failed, with the number and the step', async () => {
  const own = await gateway.account({ channels: 0 })
  const ofOwn = await memberOf(gateway, own)
  const number = newNumber()
  await connect({ ...bodyOf(number), token: 'EAAwrong' }, ofOwn)
  const right = await connect(bodyOf(number), ofOwn)
  await ofOwn('POST', `/channels/${right.body.channel.id}/token`, { body: { token: 'EAAthird' } })
  await ofOwn('DELETE', `/channels/${right.body.channel.id}`)
  const { body } = await ofOwn('GET', '/audit-log')
  const told = body.data.map((each: { operation: string; failed: boolean; about: object }) => [each.operation, each.failed, each.about])
  expect(told).toEqual([
    ['disconnectChannel', false, { number: number.displayDigits }],
    ['setChannelToken', true, { number: number.displayDigits, step: 'token' }],
    ['connectChannel', false, { number: number.displayDigits }],
    ['connectChannel', true, { number: number.phoneNumberId, step: 'token' }],
  ])
})
