import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { number, type Stage, setStage } from './stage.ts'

const other = { phoneNumberId: '118350927764999', wabaId: '304817396550129', displayDigits: '5511999998888', token: 'token-two' }
const messages = `/v24.0/${number.phoneNumberId}/messages`

describe('tokens and ids', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage({ numbers: [{ ...number, subscribed: true }, other] })
  })
  afterEach(() => stage.close())

  test('a token that nobody has is 401 with code 190', async () => {
    const answer = await stage.call('POST', messages, {}, 'nobody')
    expect(answer).toMatchObject({ status: 401, json: { error: { code: 190, type: 'OAuthException' } } })
  })

  test('a revoked token is 401 with code 190', async () => {
    stage.simulator.changeNumber(number.phoneNumberId, { tokenRevoked: true })
    expect(await stage.send('+15550107712')).toMatchObject({ status: 401, json: { error: { code: 190 } } })
  })

  test.each(['99', other.phoneNumberId])('the id %s, unknown or of another token, is 400 with code 100 and subcode 33', async (id) => {
    const answer = await stage.call('POST', `/v24.0/${id}/messages`, {})
    expect(answer).toMatchObject({ status: 400, json: { error: { code: 100, error_subcode: 33, type: 'GraphMethodException' } } })
  })

  test('a path without a version is no path', async () => {
    expect(await stage.call('POST', `/${number.phoneNumberId}/messages`, {})).toMatchObject({
      status: 400,
      json: { error: { code: 2500 } },
    })
  })

  test.each([
    [{ status: 'BANNED' }, 131031],
    [{ status: 'DISCONNECTED' }, 133010],
    [{ registered: false }, 133010],
  ])('a number with %o cannot send: %i', async (changes, code) => {
    stage.simulator.changeNumber(number.phoneNumberId, changes)
    expect(await stage.send('+15550107712')).toMatchObject({ json: { error: { code } } })
  })
})

describe('the node of a number', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage({
      numbers: [number, { ...other, wabaId: number.wabaId, token: number.token, isOnBizApp: true, qualityRating: 'RED' }],
    })
  })
  afterEach(() => stage.close())

  test('has a few fields by itself and the others by name, always with its id', async () => {
    expect((await stage.call('GET', `/v24.0/${number.phoneNumberId}`)).json).toEqual({
      verified_name: 'Pombo Simulator',
      code_verification_status: 'VERIFIED',
      display_phone_number: '+1 555-010-4477',
      quality_rating: 'GREEN',
      id: number.phoneNumberId,
    })
    const fields = 'status,throughput,whatsapp_business_manager_messaging_limit,is_on_biz_app,platform_type'
    expect((await stage.call('GET', `/v24.0/${other.phoneNumberId}?fields=${fields}`)).json).toEqual({
      status: 'CONNECTED',
      throughput: { level: 'STANDARD' },
      whatsapp_business_manager_messaging_limit: 'TIER_2K',
      is_on_biz_app: true,
      platform_type: 'CLOUD_API',
      id: other.phoneNumberId,
    })
  })

  test('refuses a field that it does not have', async () => {
    expect(await stage.call('GET', `/v24.0/${number.phoneNumberId}?fields=colour`)).toMatchObject({
      status: 400,
      json: { error: { code: 100 } },
    })
  })

  test('is listed by its WABA, page by page', async () => {
    const path = `/v24.0/${number.wabaId}/phone_numbers?fields=quality_rating&limit=1`
    const first = await stage.call('GET', path)
    expect(first.json.data).toEqual([{ quality_rating: 'GREEN', id: number.phoneNumberId }])
    expect(first.json.paging.next).toContain('after=')
    const second = await stage.call('GET', `${path}&after=${first.json.paging.cursors.after}`)
    expect(second.json.data).toEqual([{ quality_rating: 'RED', id: other.phoneNumberId }])
    expect(second.json.paging).not.toHaveProperty('next')
    expect(await stage.call('GET', `${path}&after=stale`)).toMatchObject({ json: { error: { code: 131059 } } })
  })

  test('is registered with a PIN that must stay the same', async () => {
    stage.simulator.changeNumber(number.phoneNumberId, { registered: false })
    const path = `/v24.0/${number.phoneNumberId}/register`
    expect(await stage.call('POST', path, { messaging_product: 'whatsapp', pin: '12345' })).toMatchObject({
      json: { error: { code: 100 } },
    })
    expect((await stage.call('POST', path, { messaging_product: 'whatsapp', pin: '123456' })).json).toEqual({ success: true })
    expect(await stage.call('POST', path, { messaging_product: 'whatsapp', pin: '654321' })).toMatchObject({
      json: { error: { code: 133005 } },
    })
    expect((await stage.send('+15550107712')).status).toBe(200)
  })

  test('has a WABA that starts unsubscribed and tells what it is', async () => {
    const path = `/v24.0/${number.wabaId}/subscribed_apps`
    expect((await stage.call('GET', path)).json).toEqual({ data: [] })
    expect((await stage.call('POST', path)).json).toEqual({ success: true })
    expect((await stage.call('GET', path)).json.data).toMatchObject([{ whatsapp_business_api_data: { name: 'Simulated app' } }])
    expect((await stage.call('DELETE', path)).json).toEqual({ success: true })
    expect((await stage.call('GET', path)).json).toEqual({ data: [] })
    expect(await stage.call('POST', '/v24.0/1/subscribed_apps')).toMatchObject({ status: 400, json: { error: { error_subcode: 33 } } })
  })
})

describe('limits over HTTP', () => {
  let stage: Stage
  afterEach(() => stage.close())

  test('a number refuses with 130429 what is more than its throughput, and takes it a second later', async () => {
    let nowMs = 0
    const clock = { nowMs: () => 1_793_000_000_000 + nowMs, monotonicMs: () => nowMs }
    stage = await setStage({ throughputPerSecond: 2, clock })
    const codes = async () => (await stage.send('+15550107712')).json.error?.code ?? null
    expect([await codes(), await codes(), await codes()]).toEqual([null, null, 130429])
    nowMs = 1000
    expect([await codes(), await codes(), await codes()]).toEqual([null, null, 130429])
  })

  test('the pair limit holds back one person and no other', async () => {
    stage = await setStage({ pairLimit: { perMessageMs: 6000, burst: 2 } })
    const codes = async (to: string) => (await stage.send(to)).json.error?.code ?? null
    expect([await codes('+15550107712'), await codes('+15550107712'), await codes('+15550107712')]).toEqual([null, null, 131056])
    expect(await codes('+15550107713')).toBeNull()
  })

  test('without a pair limit one person gets everything', async () => {
    stage = await setStage()
    for (let i = 0; i < 60; i += 1) expect((await stage.send('+15550107712')).status).toBe(200)
  })
})
