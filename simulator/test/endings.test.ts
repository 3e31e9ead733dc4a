import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Stage, setStage } from './stage.ts'

describe('the endings of a recipient', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage()
  })
  afterEach(() => stage.close())

  const courseOf = async (to: string, content: object = {}) => {
    const answer = await stage.send(to, content)
    await stage.simulator.settled()
    return { answer, statuses: stage.callback.statuses().map((each) => each.status) }
  }

  test('any number is sent, delivered and read, in this order, with the callback data and the price', async () => {
    const { answer, statuses } = await courseOf('+15550107712')
    expect(answer).toMatchObject({
      status: 200,
      json: { messaging_product: 'whatsapp', contacts: [{ input: '+15550107712', wa_id: '15550107712' }] },
    })
    expect(answer.json.messages[0]).not.toHaveProperty('message_status')
    expect(statuses).toEqual(['sent', 'delivered', 'read'])
    const first = stage.callback.statuses()[0]
    expect(first).toMatchObject({ id: answer.json.messages[0].id, recipient_id: '15550107712', biz_opaque_callback_data: 'message.1' })
    expect(first).toMatchObject({ pricing: { pricing_model: 'PMP', category: 'service' } })
    expect(first).not.toHaveProperty('conversation')
  })

  test('000001 stays sent', async () => {
    expect((await courseOf('+15550000001')).statuses).toEqual(['sent'])
  })

  test('000002 stays delivered', async () => {
    expect((await courseOf('+15550000002')).statuses).toEqual(['sent', 'delivered'])
  })

  test('000003 gets an answer from the person, which quotes the message', async () => {
    const { answer, statuses } = await courseOf('+15550000003')
    expect(statuses).toEqual(['sent', 'delivered', 'read'])
    const context = { from: '15550104477', id: answer.json.messages[0].id }
    expect(stage.callback.messages()).toMatchObject([{ from: '15550000003', type: 'text', context }])
  })

  test('000004 arrives out of order', async () => {
    expect((await courseOf('+15550000004')).statuses).toEqual(['delivered', 'sent', 'read'])
  })

  test('000005 has a closed window: accepted, then failed with 131047', async () => {
    const { answer, statuses } = await courseOf('+15550000005')
    expect(answer.status).toBe(200)
    expect(statuses).toEqual(['failed'])
    expect(stage.callback.statuses()).toMatchObject([{ errors: [{ code: 131047, title: 'Re-engagement message' }] }])
  })

  test('000005 lets a template pass, as a closed window does', async () => {
    const template = { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } }
    expect((await courseOf('+15550000005', template)).statuses).toEqual(['sent', 'delivered', 'read'])
  })

  test('000006 is a Brazilian account without the ninth digit, in the answer and in the statuses', async () => {
    const { answer } = await courseOf('+5511998000006')
    expect(answer.json.contacts).toEqual([{ input: '+5511998000006', wa_id: '551198000006' }])
    expect(stage.callback.statuses()[0]).toMatchObject({ recipient_id: '551198000006' })
  })

  test('000015 is never accepted: the pair limit, each time', async () => {
    expect((await courseOf('+15550000015')).answer).toMatchObject({ status: 400, json: { error: { code: 131056 } } })
    expect(stage.simulator.accepted).toEqual([])
  })

  test.each([131026, 130429, 131049, 131053, 131000, 131056])(
    '%i, which comes by notice, is accepted, sent and then failed',
    async (code) => {
      const { answer, statuses } = await courseOf(`+1555${code}`)
      expect(answer.status).toBe(200)
      expect(statuses).toEqual(['sent', 'failed'])
      expect(stage.callback.statuses()[1]).toMatchObject({ errors: [{ code }], biz_opaque_callback_data: 'message.1' })
    },
  )

  test.each([
    [131030, 400],
    [131005, 403],
    [132001, 404],
    [133010, 400],
    [133004, 503],
    [131060, 400],
  ])('%i, which comes only in the answer, is HTTP %i and nothing is accepted', async (code, status) => {
    const { answer, statuses } = await courseOf(`+1555${code}`)
    expect(answer).toMatchObject({
      status,
      json: { error: { code, type: 'OAuthException', error_data: { messaging_product: 'whatsapp' } } },
    })
    expect(statuses).toEqual([])
    expect(stage.simulator.sends).toMatchObject([{ outcome: 'refused', code, wamid: null }])
  })

  test('a user id reaches the same person, and no notice tells the phone', async () => {
    await courseOf('+15550000001')
    const userId = String(stage.callback.statuses()[0]?.recipient_user_id)
    const { answer } = await courseOf('', { to: undefined, recipient: userId })
    expect(answer.json.contacts).toEqual([{ input: userId, user_id: userId }])
    const last = stage.callback.statuses().at(-1)
    expect(last).toMatchObject({ status: 'sent', recipient_user_id: userId })
    expect(last).not.toHaveProperty('recipient_id')
  })
})
