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

  test('is registered no more than ten times in 72 hours, deregistering counted in', async () => {
    let nowMs = 1_793_000_000_000
    await stage.close()
    stage = await setStage({ clock: { nowMs: () => nowMs, monotonicMs: () => nowMs } })
    const call = async (what: string) => {
      const answer = await stage.call('POST', `/v24.0/${number.phoneNumberId}/${what}`, { messaging_product: 'whatsapp', pin: '123456' })
      return answer.json.error?.code ?? answer.status
    }
    for (let i = 0; i < 5; i += 1) expect([await call('register'), await call('deregister')]).toEqual([200, 200])
    expect(await call('register')).toBe(133016)
    nowMs += 72 * 60 * 60 * 1000 - 1
    expect(await call('register')).toBe(133016)
    nowMs += 1
    expect(await call('register')).toBe(200)
  })

  test('cannot send once it is deregistered, and cannot be deregistered twice', async () => {
    const path = `/v24.0/${number.phoneNumberId}/deregister`
    expect((await stage.call('POST', path)).json).toEqual({ success: true })
    expect(await stage.send('+15550107712')).toMatchObject({ json: { error: { code: 133010 } } })
    expect((await stage.call('GET', `/v24.0/${number.phoneNumberId}?fields=platform_type`)).json.platform_type).toBe('NOT_APPLICABLE')
    expect(await stage.call('POST', path)).toMatchObject({ json: { error: { code: 133010 } } })
  })

  test('is neither registered nor deregistered while it lives in the Business app too', async () => {
    const body = { messaging_product: 'whatsapp', pin: '123456' }
    for (const what of ['register', 'deregister'])
      expect(await stage.call('POST', `/v24.0/${other.phoneNumberId}/${what}`, body)).toMatchObject({ json: { error: { code: 100 } } })
  })

  test('must have been proven before it is registered', async () => {
    stage.simulator.changeNumber(number.phoneNumberId, { codeVerificationStatus: 'NOT_VERIFIED' })
    const body = { messaging_product: 'whatsapp', pin: '123456' }
    expect(await stage.call('POST', `/v24.0/${number.phoneNumberId}/register`, body)).toMatchObject({ json: { error: { code: 133006 } } })
  })

  test('fails on command, done or not', async () => {
    stage.simulator.addFaults({ match: { call: 'number-deregister' }, fault: { kind: 'html', status: 502, accepted: true } })
    expect((await stage.call('POST', `/v24.0/${number.phoneNumberId}/deregister`)).status).toBe(502)
    stage.simulator.addFaults({ match: { call: 'number-read', id: number.phoneNumberId }, fault: { kind: 'graph-error', code: 80008 } })
    expect(await stage.call('GET', `/v24.0/${number.phoneNumberId}`)).toMatchObject({ status: 400, json: { error: { code: 80008 } } })
    expect((await stage.call('GET', `/v24.0/${number.phoneNumberId}?fields=platform_type`)).json.platform_type).toBe('NOT_APPLICABLE')
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

describe('a WABA', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage({ numbers: [number, other] })
  })
  afterEach(() => stage.close())

  test('has a few fields by itself and the others by name, always with its id', async () => {
    expect((await stage.call('GET', `/v24.0/${number.wabaId}`)).json).toEqual({
      name: 'Simulated business',
      currency: 'USD',
      timezone_id: '1',
      message_template_namespace: `namespace_${number.wabaId}`,
      id: number.wabaId,
    })
    await stage.call('POST', `/_sim/wabas/${number.wabaId}`, { accountReviewStatus: 'REJECTED' })
    const path = `/v24.0/${number.wabaId}?fields=account_review_status,id`
    expect((await stage.call('GET', path)).json).toEqual({ account_review_status: 'REJECTED', id: number.wabaId })
    expect(await stage.call('GET', `/v24.0/${number.wabaId}?fields=colour`)).toMatchObject({ status: 400, json: { error: { code: 100 } } })
  })

  test('is not seen with the token of another one', async () => {
    expect(await stage.call('GET', `/v24.0/${number.wabaId}`, undefined, other.token)).toMatchObject({
      json: { error: { error_subcode: 33 } },
    })
    expect(await stage.call('GET', `/v24.0/${number.wabaId}`, undefined, 'nobody')).toMatchObject({ status: 401 })
  })

  test('keeps what is known of it when it is subscribed, and takes no other callback', async () => {
    stage.simulator.changeWaba(number.wabaId, { name: 'Verde Viva' })
    await stage.call('POST', `/v24.0/${number.wabaId}/subscribed_apps`)
    expect((await stage.call('GET', `/v24.0/${number.wabaId}`)).json.name).toBe('Verde Viva')
    const override = { override_callback_uri: 'https://example.com/notices', verify_token: 'x' }
    expect(await stage.call('POST', `/v24.0/${number.wabaId}/subscribed_apps`, override)).toMatchObject({ json: { error: { code: 100 } } })
  })

  test('is changed only in what it has', async () => {
    expect((await stage.call('POST', `/_sim/wabas/${number.wabaId}`, { colour: 'red' })).status).toBe(400)
    expect((await stage.call('POST', `/_sim/wabas/${number.wabaId}`, { subscribed: 'yes' })).status).toBe(400)
    expect((await stage.call('POST', '/_sim/wabas/1', { name: 'A' })).status).toBe(404)
  })
})

describe('the numbers of a WABA', () => {
  test('are listed in pages that follow one another in both directions, 100 at most', async () => {
    const numbers = Array.from({ length: 130 }, (_, i) => ({ ...number, phoneNumberId: String(1000 + i) }))
    const stage = await setStage({ numbers })
    const path = `/v24.0/${number.wabaId}/phone_numbers`
    const ids = (answer: { json: { data: { id: string }[] } }) => answer.json.data.map((each) => each.id)
    const follow = (link: string) => stage.call('GET', link.replace(stage.simulator.url, ''))
    expect((await stage.call('GET', path)).json.data).toHaveLength(25)
    const first = await stage.call('GET', `${path}?limit=500&fields=id`)
    expect(ids(first)).toEqual(numbers.slice(0, 100).map((each) => each.phoneNumberId))
    expect(first.json.paging).not.toHaveProperty('previous')
    const last = await follow(first.json.paging.next)
    expect(ids(last)).toEqual(numbers.slice(100).map((each) => each.phoneNumberId))
    expect(last.json.paging).not.toHaveProperty('next')
    expect(ids(await follow(last.json.paging.previous))).toEqual(ids(first))
    expect(await stage.call('GET', `${path}?limit=0`)).toMatchObject({ status: 400, json: { error: { code: 100 } } })
    await stage.close()
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
