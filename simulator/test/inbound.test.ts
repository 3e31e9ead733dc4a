import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { InboundContent } from '../src/simulator.ts'
import { fetchFile, number, type Stage, setStage } from './stage.ts'

const from = '15550107712'

let stage: Stage
beforeEach(async () => {
  stage = await setStage()
})
afterEach(() => stage.close())

/** The value of the one notice that was received, and the message in it. */
const received = () => {
  const body = JSON.parse(stage.callback.received.at(-1)?.bytes.toString('utf8') ?? '') as { entry: { changes: { value: Value }[] }[] }
  const value = body.entry[0]?.changes[0]?.value
  return { value, message: value?.messages?.[0] }
}
type Value = { contacts?: object[]; messages?: { [key: string]: unknown }[] }

describe('what a person can do', () => {
  test.each<[InboundContent, object]>([
    [
      { type: 'text', body: 'Oi' },
      { type: 'text', text: { body: 'Oi' } },
    ],
    [
      { type: 'location', latitude: 37.4, longitude: -122.1, name: 'Cafe' },
      { type: 'location', location: { latitude: 37.4, longitude: -122.1, name: 'Cafe' } },
    ],
    [
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana' } }], origin: 'other' },
      { type: 'contacts', origin: 'other', contacts: [{ name: { formatted_name: 'Ana' } }] },
    ],
    [
      { type: 'button_reply', id: 'yes', title: 'Yes' },
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } } },
    ],
    [
      { type: 'list_reply', id: 'r1', title: 'Row', description: 'More' },
      { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: 'r1', title: 'Row', description: 'More' } } },
    ],
    [
      { type: 'nfm_reply', response: { flow_token: 't' } },
      {
        type: 'interactive',
        interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"flow_token":"t"}' } },
      },
    ],
    [
      { type: 'nfm_reply', response: '{"a": 1}', name: 'address_message', body: 'Home' },
      { interactive: { nfm_reply: { name: 'address_message', body: 'Home', response_json: '{"a": 1}' } } },
    ],
    [
      { type: 'button', text: 'Cancel', payload: 'order:cancel' },
      { type: 'button', button: { text: 'Cancel', payload: 'order:cancel' } },
    ],
    [
      { type: 'button', text: 'Cancel' },
      { type: 'button', button: { text: 'Cancel', payload: 'Cancel' } },
    ],
    [
      { type: 'order', catalog_id: '9', product_items: [{ product_retailer_id: 'fern' }], text: 'Gift' },
      { type: 'order', order: { catalog_id: '9', product_items: [{ product_retailer_id: 'fern' }], text: 'Gift' } },
    ],
    [
      { type: 'reaction', message_id: 'wamid.A', emoji: '👍🏽' },
      { type: 'reaction', reaction: { message_id: 'wamid.A', emoji: '👍🏽' } },
    ],
    [
      { type: 'edit', original_message_id: 'wamid.A', content: { type: 'text', body: 'New' } },
      { type: 'edit', edit: { original_message_id: 'wamid.A', message: { context: { id: 'M0' }, type: 'text', text: { body: 'New' } } } },
    ],
    [
      { type: 'revoke', original_message_id: 'wamid.A' },
      { type: 'revoke', revoke: { original_message_id: 'wamid.A' } },
    ],
    [
      { type: 'unsupported', of: 'poll_creation' },
      { type: 'unsupported', errors: [{ code: 131051 }], unsupported: { type: 'poll_creation' } },
    ],
    [
      { type: 'unsupported', code: 131060 },
      { type: 'unsupported', errors: [{ code: 131060, title: 'This message is unavailable' }] },
    ],
    [{ type: 'request_welcome' }, { type: 'request_welcome' }],
    [
      { type: 'other', name: 'pin', content: { of: 'wamid.A' } },
      { type: 'pin', pin: { of: 'wamid.A' } },
    ],
  ])('%j', async (content, expected) => {
    const { wamid, status } = await stage.simulator.inbound({ from, content })
    expect(status).toBe(200)
    expect(received().message).toMatchObject({ ...expected, id: wamid, from, timestamp: expect.stringMatching(/^\d{10}$/) })
    expect(received().value?.contacts).toMatchObject([{ wa_id: from }])
  })

  test('taking a reaction back tells no emoji at all', async () => {
    await stage.simulator.inbound({ from, content: { type: 'reaction', message_id: 'wamid.A' } })
    expect(received().message?.reaction).toEqual({ message_id: 'wamid.A' })
  })

  test('a change of number comes without contacts', async () => {
    const system = { body: 'changed', wa_id: '15550107799', type: 'user_changed_number' }
    await stage.simulator.inbound({ from, content: { type: 'system', system } })
    expect(received().message).toMatchObject({ type: 'system', system, from })
    expect(received().value).not.toHaveProperty('contacts')
  })
})

describe('a file that a person sends', () => {
  const bytes = Buffer.from('the bytes of a picture')

  test('is named with its hash in base64 and a link by which it is fetched', async () => {
    await stage.simulator.inbound({ from, content: { type: 'image', bytes, mime_type: 'image/png', caption: 'My pot' } })
    const image = received().message?.image as { id: string; url: string; sha256: string }
    expect(image).toMatchObject({ caption: 'My pot', mime_type: 'image/png', id: expect.stringMatching(/^\d{16}$/) })
    expect(image.sha256).toBe(createHash('sha256').update(bytes).digest('base64'))
    expect(await fetchFile(image.url)).toMatchObject({ status: 200, type: 'image/png', bytes })
    expect((await stage.call('GET', `/v24.0/${image.id}`)).json).toMatchObject({ sha256: createHash('sha256').update(bytes).digest('hex') })
  })

  test.each<[InboundContent, object]>([
    [
      { type: 'audio', voice: true },
      { mime_type: 'audio/ogg; codecs=opus', voice: true },
    ],
    [
      { type: 'audio', mime_type: 'audio/mpeg' },
      { mime_type: 'audio/mpeg', voice: false },
    ],
    [
      { type: 'sticker', animated: true },
      { mime_type: 'image/webp', animated: true },
    ],
    [
      { type: 'video', caption: 'A' },
      { mime_type: 'video/mp4', caption: 'A' },
    ],
    [
      { type: 'document', filename: 'Größe 2.pdf' },
      { mime_type: 'application/pdf', filename: 'Größe 2.pdf' },
    ],
  ])('%j', async (content, expected) => {
    await stage.simulator.inbound({ from, content })
    expect(received().message?.[content.type]).toMatchObject(expected)
  })

  test('can come without a link, or be one that was put before', async () => {
    const { id } = stage.simulator.putMedia({ bytes, mimeType: 'image/jpeg' })
    await stage.simulator.inbound({ from, content: { type: 'image', media_id: id, with_url: false } })
    expect(received().message?.image).toMatchObject({ id, mime_type: 'image/jpeg' })
    expect(received().message?.image).not.toHaveProperty('url')
  })
})

describe('who writes', () => {
  test('came from an advertisement, quotes, or passes something on', async () => {
    const referral = { source_type: 'ad', source_id: '12', headline: 'Plants' }
    await stage.simulator.inbound({ from, text: 'Oi', referral, context: 'wamid.A' })
    expect(received().message).toMatchObject({ referral, context: { from: number.displayDigits, id: 'wamid.A' } })
    await stage.simulator.inbound({ from, text: 'Oi', forwarded: 'once' })
    expect(received().message?.context).toEqual({ forwarded: true })
    await stage.simulator.inbound({ from, text: 'Oi', forwarded: 'often' })
    expect(received().message?.context).toEqual({ frequently_forwarded: true })
  })

  test('may be known by a user id alone', async () => {
    await stage.simulator.inbound({ from, text: 'Oi', user_id_only: true })
    const { message, value } = received()
    expect(message).toMatchObject({ from_user_id: expect.stringMatching(/^US\.7/) })
    expect(message).not.toHaveProperty('from')
    expect(value?.contacts).toMatchObject([{ user_id: message?.from_user_id, profile: { username: expect.stringMatching(/^@/) } }])
    expect(value?.contacts?.[0]).not.toHaveProperty('wa_id')
  })
})

describe('statuses by hand', () => {
  test('are of any kind, at any time, of any shape', async () => {
    stage.simulator.change({ statusHold: true })
    const wamid = (await stage.send('+15550107712')).json.messages[0].id
    await stage.simulator.settled()
    await stage.simulator.status({ wamid, status: 'read', timestamp: '1793000000' })
    await stage.simulator.status({ wamid, status: 'played', extra: { conversation: { id: 'c' } } })
    await stage.simulator.status({ wamid, status: 'failed', code: 131053, details: 'Not found' })
    expect(stage.callback.statuses()).toMatchObject([
      { id: wamid, status: 'read', timestamp: '1793000000', biz_opaque_callback_data: 'message.1', recipient_id: '15550107712' },
      { status: 'played', conversation: { id: 'c' } },
      { status: 'failed', errors: [{ code: 131053, error_data: { details: 'Not found' } }] },
    ])
    expect(stage.callback.statuses()[0]).not.toHaveProperty('pricing')
    await expect(stage.simulator.status({ wamid: 'wamid.NONE', status: 'read' })).rejects.toThrow('accepted no such message')
  })
})

describe('a notice that was written elsewhere', () => {
  test('goes out with other ids in place of its own, and everything else as it was', async () => {
    const body = '{"entry":[{"id":"204817396550128","time":1793000500,"text":"204817396550128 stays","big":13873723567266681234}],"n":12}'
    const replace = { '204817396550128': number.wabaId, '1793000500': '1793000501', n: 'wamid.HBg+/=' }
    await stage.simulator.postNotice(body, { replace, escape: false })
    expect(stage.callback.received[0]?.bytes.toString()).toBe(
      `{"entry":[{"id":"${number.wabaId}","time":1793000501,"text":"204817396550128 stays","big":13873723567266681234}],"wamid.HBg+/=":12}`,
    )
  })
})

describe('the same over HTTP', () => {
  test('a person sends a file, and the business marks it as read', async () => {
    const content = { type: 'image', bytes: Buffer.from('abc').toString('base64'), caption: 'A' }
    const { wamid } = (await stage.call('POST', '/_sim/inbound', { from, content })).json
    const image = received().message?.image as { url: string }
    expect((await fetchFile(image.url)).bytes.toString()).toBe('abc')
    await stage.call('POST', `/v24.0/${number.phoneNumberId}/messages`, {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: wamid,
    })
    expect((await stage.call('GET', '/_sim/reads')).json.data).toMatchObject([{ messageId: wamid, typing: false }])
    expect((await stage.call('GET', '/_sim/calls')).json.data).toMatchObject([{ call: 'media-download' }])
  })

  test.each([
    [{ from }, '"text" or "content"'],
    [{ from, text: 'Oi', content: { type: 'text', body: 'Oi' } }, 'only one of'],
    [{ from, content: { type: 'poem' } }, '"content.type" must be one of'],
    [{ from, content: { type: 'button_reply', id: 'a' } }, '"content.title" must be a text'],
    [{ from, content: { type: 'revoke', original_message_id: 'a', colour: 1 } }, '"content.colour" is not a key'],
    [{ from, content: { type: 'location', latitude: '1', longitude: 2 } }, 'A location has numbers'],
    [{ from, content: { type: 'edit', original_message_id: 'a', content: { type: 'edit' } } }, 'what it is now'],
    [{ from, text: 'Oi', forwarded: 'twice' }, '"forwarded"'],
    [{ from, text: 'Oi', colour: 'red' }, '"colour" is not known'],
  ])('%j is refused', async (body, sentence) => {
    const answer = await stage.call('POST', '/_sim/inbound', body)
    expect(answer.status).toBe(400)
    expect(answer.json.error).toContain(sentence)
  })

  test('a file is put, shown, fetched and let die', async () => {
    const put = (await stage.call('POST', '/_sim/media', { bytes: Buffer.from('abc').toString('base64'), mimeType: 'image/png', id: '42' }))
      .json
    expect(put).toMatchObject({ id: '42', origin: 'inbound', fileSize: 3, url: expect.stringContaining('mid=42') })
    expect((await stage.call('GET', '/_sim/media')).json.data).toMatchObject([{ id: '42', mimeType: 'image/png' }])
    expect((await stage.call('GET', '/_sim/media/42')).text).toBe('abc')
    await stage.call('POST', '/_sim/media/42/expire', { what: 'urls' })
    expect((await fetchFile(put.url)).status).toBe(404)
    expect((await stage.call('GET', '/v24.0/42')).status).toBe(200)
    await stage.call('POST', '/_sim/media/42/expire', {})
    expect((await stage.call('GET', '/v24.0/42')).status).toBe(400)
    expect((await stage.call('POST', '/_sim/media/42/expire', {})).status).toBe(404)
    expect((await stage.call('POST', '/_sim/media', { mimeType: 'image/png' })).status).toBe(400)
  })

  test('a status is posted, and a notice with other ids', async () => {
    const wamid = (await stage.send('+15550000001')).json.messages[0].id
    await stage.simulator.settled()
    expect((await stage.call('POST', '/_sim/statuses', { wamid, status: 'failed', code: 131026 })).json).toEqual({
      status: 200,
      error: null,
    })
    expect(stage.callback.statuses()[1]).toMatchObject({ status: 'failed', errors: [{ code: 131026 }] })
    expect((await stage.call('POST', '/_sim/statuses', { wamid: 'wamid.NONE', status: 'read' })).status).toBe(404)
    await stage.call('POST', `/_sim/notices?replace=a:${encodeURIComponent('wamid.+/=')}&replace=b:c`, { x: 'a', y: 'b' })
    expect(JSON.parse(stage.callback.received.at(-1)?.bytes.toString() ?? '')).toEqual({ x: 'wamid.+/=', y: 'c' })
    expect((await stage.call('POST', '/_sim/notices?replace=a', {})).status).toBe(400)
  })
})
