import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { number, type Stage, setStage, upload } from './stage.ts'

const second = { ...number, phoneNumberId: '118350927764888', displayDigits: '15550104466' }
const person = '+15550107712'
const dayMs = 24 * 60 * 60 * 1000
const startMs = 1_793_000_000_000
let nowMs = startMs
const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }

let stage: Stage
beforeEach(async () => {
  nowMs = startMs
  stage = await setStage({ clock, numbers: [{ ...number, subscribed: true }, second] })
})
afterEach(() => stage.close())

const sendImage = (image: object) => stage.send(person, { type: 'image', text: undefined, image })
const react = (message_id: string, emoji = '👍', to = person) =>
  stage.send(to, { type: 'reaction', text: undefined, reaction: { message_id, emoji } })
const statuses = async () => {
  await stage.simulator.settled()
  return stage.callback.statuses()
}

describe('a file in a send', () => {
  test('is one that the number uploaded', async () => {
    const { id } = (await upload(stage)).json
    expect((await sendImage({ id })).status).toBe(200)
    expect((await statuses()).map((each) => each.status)).toEqual(['sent', 'delivered', 'read'])
  })

  test('may be one that a person sent to the number', async () => {
    const { id } = stage.simulator.putMedia({ bytes: Buffer.from('a picture'), mimeType: 'image/png' })
    expect((await sendImage({ id })).status).toBe(200)
  })

  test('of an id that never was, of another number, deleted or too old is refused, and nothing is accepted', async () => {
    const other = (await upload(stage, {}, second)).json.id
    const deleted = (await upload(stage)).json.id
    await stage.call('DELETE', `/v24.0/${deleted}`)
    const old = (await upload(stage)).json.id
    nowMs += 30 * dayMs
    for (const id of ['1037543291543636', other, deleted, old]) {
      const answer = await sendImage({ id })
      expect(answer).toMatchObject({
        status: 400,
        json: { error: { code: 100, message: expect.stringContaining(`${id} is not a valid`) } },
      })
    }
    expect(stage.simulator.accepted).toEqual([])
  })

  test.each([
    [
      'in the header of buttons',
      {
        type: 'button',
        header: { type: 'image', image: { id: '77' } },
        action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'A' } }] },
      },
    ],
    [
      'in a card',
      {
        type: 'carousel',
        action: {
          cards: [0, 1].map((card_index) => ({
            card_index,
            type: 'cta_url',
            header: { type: 'image', image: { id: '77' } },
            action: { name: 'cta_url', parameters: { display_text: 'Go', url: 'https://example.com' } },
          })),
        },
      },
    ],
  ])('%s is looked at as well', async (_where, interactive) => {
    const content = { type: 'interactive', text: undefined, interactive: { body: { text: 'Choose' }, ...interactive } }
    expect(await stage.send(person, content)).toMatchObject({ status: 400, json: { error: { code: 100 } } })
  })

  test('of another kind is accepted and then fails with 131053, without ever being sent', async () => {
    const { id } = (await upload(stage, { mimeType: 'video/mp4', fileName: 'a.mp4' })).json
    expect((await sendImage({ id })).status).toBe(200)
    expect(await statuses()).toMatchObject([
      { status: 'failed', errors: [{ code: 131053, error_data: { details: expect.stringContaining('video/mp4') } }] },
    ])
  })

  test('that was uploaded under the name of another type fails in the same way', async () => {
    const { id } = (await upload(stage, { mimeType: 'audio/ogg', fileName: 'voice.mp4' })).json
    await stage.send(person, { type: 'audio', text: undefined, audio: { id, voice: true } })
    expect(await statuses()).toMatchObject([{ status: 'failed', errors: [{ code: 131053 }] }])
  })

  test('by a link is believed, unless the link is one of those that cannot be fetched', async () => {
    stage.simulator.change({ brokenLinks: ['broken.example'] })
    expect((await sendImage({ link: 'https://example.com/a.png' })).status).toBe(200)
    expect((await statuses()).map((each) => each.status)).toEqual(['sent', 'delivered', 'read'])
    expect((await sendImage({ link: 'https://broken.example/a.png' })).status).toBe(200)
    expect((await statuses())[3]).toMatchObject({ status: 'failed', errors: [{ code: 131053 }] })
  })
})

describe('a reaction', () => {
  test('to a message of the chat, in either direction, is sent and nothing more is told of it', async () => {
    const { wamid } = await stage.simulator.inbound({ from: person, text: 'Oi' })
    const own = (await stage.send(person)).json.messages[0].id
    await stage.simulator.settled()
    const before = stage.callback.statuses().length
    const answers = [await react(wamid), await react(own), await react(own, '')]
    expect(answers.map((each) => each.status)).toEqual([200, 200, 200])
    expect((await statuses()).slice(before).map((each) => each.status)).toEqual(['sent', 'sent', 'sent'])
    expect(stage.simulator.reactions).toMatchObject([
      { messageId: wamid, emoji: '👍', to: person, phoneNumberId: number.phoneNumberId, wamid: answers[0]?.json.messages[0].id },
      { messageId: own, emoji: '👍' },
      { messageId: own, emoji: '' },
    ])
  })

  test('to nothing, to another chat, to a reaction, to what was deleted or is too old fails with 131009 by a notice', async () => {
    const inbound = (from: string, more: object = {}) => stage.simulator.inbound({ from, text: 'Oi', ...more })
    const strange = (await inbound('15550107799')).wamid
    const reaction = (await stage.simulator.inbound({ from: person, content: { type: 'reaction', message_id: 'wamid.A', emoji: '👍' } }))
      .wamid
    const deleted = (await inbound(person)).wamid
    await stage.simulator.inbound({ from: person, content: { type: 'revoke', original_message_id: deleted } })
    const old = (await inbound(person, { timestamp: String((startMs - 30 * dayMs) / 1000 - 1) })).wamid
    const targets = ['wamid.NONE', strange, reaction, deleted, old]
    for (const target of targets) expect((await react(target)).status).toBe(200)
    expect((await statuses()).map((each) => [each.status, (each.errors as { code: number }[])[0]?.code])).toEqual(
      targets.map(() => ['failed', 131009]),
    )
  })

  test('to a message of exactly thirty days ago is the last that passes', async () => {
    const { wamid } = await stage.simulator.inbound({ from: person, text: 'Oi', timestamp: String((startMs - 30 * dayMs) / 1000) })
    await react(wamid)
    expect(await statuses()).toMatchObject([{ status: 'sent' }])
  })
})

describe('marking as read', () => {
  const read = (message_id: string, more: object = {}, phoneNumberId = number.phoneNumberId) =>
    stage.call('POST', `/v24.0/${phoneNumberId}/messages`, { messaging_product: 'whatsapp', status: 'read', message_id, ...more })

  test('a message of a person is answered with success, makes no message, and is seen by tests', async () => {
    const { wamid } = await stage.simulator.inbound({ from: person, text: 'Oi' })
    expect(await read(wamid)).toMatchObject({ status: 200, json: { success: true } })
    expect((await read(wamid, { typing_indicator: { type: 'text' } })).json).toEqual({ success: true })
    expect(stage.simulator.reads).toMatchObject([
      { phoneNumberId: number.phoneNumberId, messageId: wamid, typing: false },
      { messageId: wamid, typing: true },
    ])
    expect(stage.simulator.accepted).toEqual([])
    expect(await statuses()).toEqual([])
  })

  test('a message of a notice that was written elsewhere is known too', async () => {
    const message = { from: '15550107712', id: 'wamid.ELSEWHERE', timestamp: String(startMs / 1000), type: 'text', text: { body: 'Oi' } }
    const value = { metadata: { phone_number_id: number.phoneNumberId }, messages: [message] }
    await stage.simulator.postNotice({ entry: [{ id: number.wabaId, changes: [{ field: 'messages', value }] }] })
    expect((await read('wamid.ELSEWHERE')).status).toBe(200)
  })

  test('what was never received, what the business sent itself and what another number received is refused with 100', async () => {
    const own = (await stage.send(person)).json.messages[0].id
    const { wamid } = await stage.simulator.inbound({ from: person, text: 'Oi', phone_number_id: second.phoneNumberId })
    for (const id of ['wamid.NONE', own, wamid]) expect(await read(id)).toMatchObject({ status: 400, json: { error: { code: 100 } } })
    expect((await read(wamid, {}, second.phoneNumberId)).status).toBe(200)
  })

  test('a message of more than thirty days ago is refused with 131009', async () => {
    const { wamid } = await stage.simulator.inbound({ from: person, text: 'Oi' })
    nowMs += 30 * dayMs
    expect((await read(wamid)).status).toBe(200)
    nowMs += 1
    expect(await read(wamid)).toMatchObject({ status: 400, json: { error: { code: 131009 } } })
  })

  test('typing is only of type text', async () => {
    const { wamid } = await stage.simulator.inbound({ from: person, text: 'Oi' })
    expect(await read(wamid, { typing_indicator: { type: 'audio' } })).toMatchObject({ status: 400, json: { error: { code: 131009 } } })
    expect(stage.simulator.reads).toEqual([])
  })
})
