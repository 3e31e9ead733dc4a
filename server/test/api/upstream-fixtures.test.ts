import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import {
  bruno,
  type FixturePerson,
  type FixtureSend,
  type FixtureWorld,
  fixtureFileBytes,
  lucia,
  maya,
  nils,
  postFixture,
} from '../support/fixture-world.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ simulator: { statusDrop: ['sent', 'delivered', 'read', 'failed'] } })
})
afterAll(() => gateway.close())

const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-f]{32}$`))
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const shown = ({ phone, name, userId }: FixturePerson) => ({ phone, name, user_id: userId })

type Value = JsonObject & { messages?: JsonObject[]; contacts?: JsonObject[]; statuses?: JsonObject[] }
/** The value of the n-th change of what was posted. */
const value = (world: FixtureWorld, n = 0): Value => {
  const entries = world.body.entry as unknown as { changes: { value: Value }[] }[]
  const found = entries.flatMap((entry) => entry.changes)[n]?.value
  if (found === undefined) throw new Error('no such change')
  return (found.standby ?? found) as Value
}
const item = (world: FixtureWorld, n = 0, change = 0): JsonObject => {
  const found = value(world, change).messages?.[n]
  if (found === undefined) throw new Error('no such message')
  return found
}
const contactIn = (world: FixtureWorld, userId: string, change = 0) =>
  value(world, change).contacts?.find((each) => each.user_id === userId)

const plain = (world: FixtureWorld) => ({
  id: id('msg'),
  object: 'message',
  channel_id: world.account.channel.id,
  contact: shown(maya),
  type: 'text',
  media: null,
  reply_to: null,
  button_reply_id: null,
  client_reference: null,
  pricing: null,
  error: null,
  created_at: moment,
  sent_at: null,
  delivered_at: null,
  read_at: null,
})

/** A message that a person sent: all of it, with its original and nothing else of the notice. */
const received = (world: FixtureWorld, more: object, { n = 0, change = 0, from = maya } = {}) => {
  const original = item(world, n, change)
  const contact = contactIn(world, from.userId, change)
  return {
    type: 'message.received',
    data: {
      ...plain(world),
      contact: shown(from),
      direction: 'inbound',
      status: 'received',
      source: 'chat',
      wamid: original.id,
      meta: contact === undefined ? original : { ...original, contact },
      ...more,
    },
  }
}

/** One whose original never came. */
const placeholder = (world: FixtureWorld, target: unknown) => ({
  ...plain(world),
  direction: 'inbound',
  type: 'system',
  status: 'received',
  text: null,
  source: 'chat',
  wamid: target,
})

/** Our message of the fixture after what its notice told. */
const sent = (world: FixtureWorld, wamid: string, to: FixturePerson, more: object) => {
  const ours = world.sent.get(wamid)
  return {
    ...plain(world),
    id: ours?.id,
    contact: shown(to),
    direction: 'outbound',
    status: 'sent',
    text: 'Olá!',
    client_reference: 'of the fixture',
    source: 'api',
    wamid: ours?.wamid,
    sent_at: moment,
    ...more,
  }
}

const media = (mimeType: string, fileName: string | null = null) => ({
  url: expect.stringMatching(/^http:\/\/localhost:\d+\/files\/[\w-]{43}\/.+$/),
  mime_type: mimeType,
  file_name: fileName,
  size_bytes: fixtureFileBytes(mimeType),
})

const quotedWamid = 'wamid.HBgLMTU1NTAxMDc3MTIVAgARGBJGODAyOUI4RTEyN0ZFRjMyQjcA'
const quoted: FixtureSend[] = [{ wamid: quotedWamid, to: maya }]
const quotes = (world: FixtureWorld) => ({ reply_to: world.sent.get(quotedWamid)?.id })
const failed = (wamid: string, to: FixturePerson, code: number, message: string): Row => ({
  sends: [{ wamid, to }],
  events: (world) => [{ type: 'message.failed', data: sent(world, wamid, to, { status: 'failed', error: { code, message } }) }],
})
const reaction = (emoji: string, seconds: number): Row => ({
  sends: quoted,
  events: (world) => [
    {
      type: 'message.reaction',
      data: {
        ...sent(world, quotedWamid, maya, {}),
        reaction: { emoji, message_id: world.sent.get(quotedWamid)?.id, contact: shown(maya), created_at: world.at(seconds) },
      },
    },
  ],
  holds: async (world) => expect(await world.isOpenFor(maya)).toBe(true),
})
const isOpen = async (world: FixtureWorld) => expect(await world.isOpenFor(maya)).toBe(true)
const isShut = async (world: FixtureWorld) => expect(await world.isOpenFor(maya)).toBe(false)
const one = (more: object, from = maya): Row => ({ events: (world) => [received(world, more, { from })], holds: isOpenIf(from) })
const isOpenIf = (from: FixturePerson) => async (world: FixtureWorld) => {
  if (from.phone !== '') expect(await world.isOpenFor(from)).toBe(true)
}
const reply = (more: object): Row => ({ sends: quoted, events: (world) => [received(world, { ...quotes(world), ...more })] })
const nothing = (more: Omit<Row, 'events'> = {}): Row => ({ events: () => [], ...more })

type Row = {
  sends?: readonly FixtureSend[]
  /** All of them, in the order in which they are made, with everything that the customer gets but the id and the moment of the event. */
  events: (world: FixtureWorld) => { type: string; data: object }[]
  /** What else is so afterwards. */
  holds?: (world: FixtureWorld) => Promise<unknown>
}

/** What the list of messages shows, without what each of them has. */
const listed = async (world: FixtureWorld) =>
  (await world.get('/v1/messages?limit=100')).data.map(({ direction, status, type, text, source, wamid, sent_at, created_at }) => ({
    ...{ direction, status, type, text, source, wamid, sent_at, created_at },
  }))

const rows: Readonly<Record<string, Row>> = {
  'message-text': one({ text: 'Olá! 👋 Is the café open on Sunday? <b>&"quotes"</b> C:\\temp https://example.com/menu' }),
  'message-text-identity-hash': one({ text: 'Oi, recebi sim.' }, bruno),
  'message-text-reply': reply({ text: 'Yes, that one please' }),
  'message-text-forwarded': {
    events: (world) => [received(world, { text: 'Someone sent me this' }), received(world, { text: 'Chain letter' }, { n: 1 })],
  },
  'message-text-ad-referral': one({ text: '¿Puedo obtener más información?' }, lucia),
  'message-text-product-inquiry': one({ text: 'Is this still available?' }),
  'message-text-username-only': one({ text: 'Hallo, ich bin hier nur mit Username' }, nils),
  'message-image': one({ type: 'image', text: 'My broken pot', media: media('image/jpeg') }),
  'message-image-minimal': one({ type: 'image', text: null, media: media('image/png') }),
  'message-audio-voice': one({ type: 'audio', text: null, media: media('audio/ogg; codecs=opus') }),
  'message-audio-file': one({ type: 'audio', text: null, media: media('audio/mpeg') }),
  'message-video': one({ type: 'video', text: 'Watering timelapse', media: media('video/mp4') }),
  'message-document': one({ type: 'document', text: 'Signed order', media: media('application/pdf', 'Bestellung Größe 2.pdf') }),
  'message-sticker': one({ type: 'sticker', text: null, media: media('image/webp') }),
  'message-location': one({ type: 'location', text: 'Cafe Imaginario, 12 Fake Street, Springfield (37.4421988, -122.1616599)' }),
  'message-location-minimal': one({ type: 'location', text: '-23.55052, -46.633308' }),
  'message-contacts': one({ type: 'contact', text: 'Dr. Ines M. Prado Jr. (+1 (555) 010-8833); Plumber (555 0109)' }),
  'message-contacts-shared-phone': one({ type: 'contact', text: 'Nils Verde (+4915000000003)' }, nils),
  'message-interactive-button-reply': reply({ text: 'Confirm', button_reply_id: 'confirm_4711' }),
  'message-interactive-list-reply': reply({ text: '09:30', button_reply_id: 'slot_0930' }),
  'message-interactive-flow-reply': reply({ text: 'Sent' }),
  'message-interactive-address-reply': reply({ text: 'Maya\n 400000, 1 Fake Road, Mumbai' }),
  'message-interactive-call-permission': reply({ text: 'Permission to call: accept' }),
  'message-button-template-reply': reply({ text: 'Cancel order', button_reply_id: 'order-4711:cancel' }),
  'message-order': one({ text: 'Please gift wrap (2 × fern-small à 30 USD, 1 × pot-blue à 12.5 USD)' }),
  'message-reaction': reaction('👍🏽', 1_793_000_160),
  'message-reaction-removed': reaction('', 1_793_000_161),
  'message-edit-text': {
    events: (world) => [
      {
        type: 'message.edited',
        data: {
          ...placeholder(world, 'wamid.HBgLMTU1NTAxMDc3MTIVAgASGBQzQTFDQjI1MUVDMEQ1NjhERTZBOQA='),
          text: 'Is the café open on Saturday?',
        },
      },
    ],
    holds: isShut,
  },
  'message-edit-image-caption': {
    events: (world) => [
      {
        type: 'message.edited',
        data: {
          ...placeholder(world, 'wamid.HBgLMTU1NTAxMDc3MTIVAgASGBQzQUI3OThBQkU2RTFCMTMxOEVFMwA='),
          text: 'My broken blue pot',
        },
      },
    ],
    holds: isShut,
  },
  'message-revoke': {
    events: (world) => [
      { type: 'message.deleted', data: placeholder(world, 'wamid.HBgLMTU1NTAxMDc3MTIVAgASGBQzQTFDQjI1MUVDMEQ1NjhERTZBOQA=') },
    ],
    holds: isShut,
  },
  'message-unsupported-edit': one({ type: 'system', text: 'An earlier message was edited; the platform does not say which, nor how.' }),
  'message-unsupported-poll': one({
    type: 'system',
    text: 'A message of the kind "poll_creation", whose content cannot be shown here.',
  }),
  'message-unsupported-unavailable': one({ type: 'system', text: 'This message is currently unavailable.' }),
  'message-system-number-changed': {
    events: (world) => [
      received(world, {
        type: 'system',
        // The notice names nobody but by number.
        contact: { phone: expect.stringMatching(/^155501077(12|99)$/), name: null },
        text: 'User Maya Okafor changed from 15550107712 to 15550107799',
      }),
    ],
    holds: isShut,
  },
  'message-system-user-id-changed': {
    events: (world) => [
      received(world, {
        type: 'system',
        contact: { phone: expect.stringMatching(/^155501077(12|99)$/), name: null, user_id: expect.stringMatching(/^US\./) },
        text: 'User Maya Okafor changed from US.48120773650912 to US.99030011745208',
      }),
    ],
    holds: isShut,
  },
  'message-request-welcome': nothing({ holds: isOpen }),
  'message-group-text': nothing({ holds: isShut }),
  'messages-value-errors': nothing({
    holds: async () =>
      expect(gateway.observations.all.find((each) => each.kind === 'notices.errors_told')).toMatchObject({ codes: [130429] }),
  }),
  'status-sent-v23-conversation': {
    ...nothing({ sends: quoted }),
    holds: async (world) =>
      expect(await world.get(`/v1/messages/${world.sent.get(quotedWamid)?.id}`)).toMatchObject({
        status: 'sent',
        pricing: { category: 'marketing', billable: true },
      }),
  },
  'status-sent': {
    ...nothing({ sends: quoted }),
    holds: async (world) =>
      expect(await world.get(`/v1/messages/${world.sent.get(quotedWamid)?.id}`)).toMatchObject({
        pricing: { category: 'utility', billable: true },
      }),
  },
  'status-sent-free-entry-point': nothing({
    sends: [{ wamid: 'wamid.HBgNNTIxNTUwMDAwMDAwMhUCABEYEjk3MTRFNzE5QURDNkY1RTQ0NwA=', to: { ...lucia, phone: '5215500000002' } }],
    holds: async (world) =>
      expect((await world.get('/v1/messages?direction=outbound')).data).toMatchObject([
        { contact: { phone: lucia.phone }, pricing: { category: 'referral_conversion', billable: false } },
      ]),
  }),
  'status-delivered': {
    sends: quoted,
    events: (world) => [
      {
        type: 'message.delivered',
        data: sent(world, quotedWamid, maya, {
          status: 'delivered',
          delivered_at: moment,
          pricing: { category: 'service', billable: false },
        }),
      },
    ],
  },
  'status-delivered-username-only': {
    sends: [{ wamid: 'wamid.HBgRREUuMjA1OTMzMTg4NDc3MTYVAgARGBJBNDZDODA1Rjk1MzcwNzdGMTEA', to: nils }],
    events: (world) => [
      {
        type: 'message.delivered',
        data: sent(world, 'wamid.HBgRREUuMjA1OTMzMTg4NDc3MTYVAgARGBJBNDZDODA1Rjk1MzcwNzdGMTEA', nils, {
          status: 'delivered',
          delivered_at: moment,
          pricing: { category: 'marketing', billable: true },
        }),
      },
    ],
  },
  'status-read': {
    sends: quoted,
    events: (world) => [{ type: 'message.read', data: sent(world, quotedWamid, maya, { status: 'read', read_at: moment }) }],
  },
  'status-played': nothing({
    sends: [{ wamid: 'wamid.HBgLMTU1NTAxMDc3MTIVAgARGBI0MzgxQTNGNjhEQ0YyNjc4RjIA', to: maya }],
    holds: async (world) => expect((await world.get('/v1/messages?direction=outbound')).data).toMatchObject([{ status: 'sent' }]),
  }),
  'status-failed-131026': failed('wamid.HBgMNTUxMTAwMDAwMDAxFQIAERgSREQ3MjRGM0QyMzJEMTQyNTdEAA==', bruno, 131026, 'Message Undeliverable.'),
  'status-failed-131047': failed(
    'wamid.HBgLMTU1NTAxMDc3MTIVAgARGBJCOUM0QzBFQzBBM0JDODg3MEEA',
    maya,
    131047,
    'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  ),
  'status-failed-131049': failed(
    'wamid.HBgLMTU1NTAxMDc3MTIVAgARGBJEQjhBQTg5QTU5ODQ3OThGMjUA',
    maya,
    131049,
    'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  ),
  'status-failed-131053': failed(
    'wamid.HBgLMTU1NTAxMDc3MTIVAgARGBIwQTBBMjU4NTU5QjNDNDQyRDMA',
    maya,
    131053,
    'Unsupported Audio mime type audio/opus. Please use one of audio/ogg; codecs=opus, audio/mpeg, audio/amr, audio/mp4, audio/aac.',
  ),
  'status-group-delivered': nothing({
    sends: [{ wamid: 'wamid.HBgeWTJGd2FWOW5jbTkxY0RveE5UVTFNREV3TkRRM056FQIAERgSMDEyMEE0RjkxOTZBNUY5RUI5AA==', to: maya }],
  }),
  'status-payment': nothing({
    sends: [{ wamid: 'wamid.HBgLMTU1NTAxMDc3MTIVAgARGBJCMDJBNDVBNTk2QkZCODZGRTIA', to: maya }],
    holds: async (world) => expect((await world.get('/v1/messages?direction=outbound')).data).toMatchObject([{ status: 'sent' }]),
  }),
  'batch-mixed': {
    sends: quoted,
    events: (world) => [
      received(world, { text: 'first' }),
      received(world, { text: 'otro número', channel_id: world.account.channels[1]?.id }, { change: 2, from: lucia }),
      {
        type: 'message.delivered',
        data: sent(world, quotedWamid, maya, { status: 'delivered', delivered_at: moment }),
      },
      { type: 'message.read', data: sent(world, quotedWamid, maya, { status: 'read', delivered_at: moment, read_at: moment }) },
      received(world, { type: 'image', text: null, media: media('image/jpeg') }, { n: 1, from: bruno }),
    ],
  },
  'smb-echo-text': nothing({
    holds: async (world) => {
      expect(await listed(world)).toEqual([
        {
          direction: 'outbound',
          status: 'sent',
          type: 'text',
          text: 'Sent from the phone app',
          source: 'chat',
          wamid: 'wamid.HBgLMTU1NTAxMDc3MTIVAgARGBIwNjYzMTYxNTFCMDAxM0RDOTgA',
          sent_at: world.at(1_793_000_700),
          created_at: moment,
        },
      ])
      await isShut(world)
      // What the business does to it afterwards, in the app too.
      await world.post('smb-echo-edit')
      expect(await listed(world)).toMatchObject([{ text: 'Sent from the phone app (fixed)' }])
      await world.post('smb-echo-revoke')
      expect(await listed(world)).toMatchObject([{ text: null, status: 'sent' }])
      await world.post('smb-echo-text')
      await world.post('smb-echo-edit')
      expect(await listed(world)).toMatchObject([{ text: null, status: 'sent' }])
      expect(await world.events()).toEqual([])
    },
  }),
  'smb-echo-image': nothing({
    holds: async (world) =>
      expect((await world.get('/v1/messages')).data).toMatchObject([{ direction: 'outbound', media: media('image/jpeg') }]),
  }),
  'smb-echo-revoke': nothing({
    holds: async (world) => {
      await world.post('smb-echo-text')
      expect(await listed(world)).toMatchObject([{ direction: 'outbound', type: 'text', text: null, status: 'sent' }])
    },
  }),
  'smb-echo-edit': nothing({
    holds: async (world) => {
      await world.post('smb-echo-text')
      expect(await listed(world)).toMatchObject([{ direction: 'outbound', type: 'text', text: 'Sent from the phone app (fixed)' }])
    },
  }),
  'history-chunk': nothing({
    holds: async (world) => {
      expect((await listed(world)).map(({ created_at, text, status, direction }) => ({ created_at, text, status, direction }))).toEqual([
        { created_at: world.at(1_780_000_030), text: 'Obrigado!', status: 'delivered', direction: 'outbound' },
        { created_at: world.at(1_780_000_020), text: 'Old answer', status: 'received', direction: 'inbound' },
        {
          created_at: world.at(1_780_000_010),
          text: 'A message of the kind "media_placeholder", whose content cannot be shown here.',
          status: 'read',
          direction: 'outbound',
        },
        { created_at: world.at(1_780_000_000), text: 'Old message from us', status: 'read', direction: 'outbound' },
      ])
      await isShut(world)
      await world.post('history-chunk')
      await world.post('history-media')
      expect(await world.events()).toEqual([])
      expect((await world.get('/v1/messages')).data[2]).toMatchObject({ type: 'image', text: 'Black echeveria', status: 'read' })
      expect(await listed(world)).toHaveLength(4)
    },
  }),
  'history-media': nothing({
    holds: async (world) =>
      expect((await world.get('/v1/messages')).data).toMatchObject([
        { type: 'image', created_at: world.at(1_780_000_010), media: media('image/jpeg') },
      ]),
  }),
  'history-declined': nothing(),
  'standby-message': { events: (world) => [received(world, { text: 'Seen while another app owns the chat' })], holds: isOpen },
  'standby-echo': nothing({ holds: async (world) => expect(await listed(world)).toEqual([]) }),
  'standby-status': nothing(),
  'calls-connect': nothing({ holds: isOpen }),
  'smb-app-state-sync': nothing(),
  'messaging-handovers': nothing(),
  'group-participants': nothing(),
  'group-lifecycle': nothing(),
  'payment-configuration': nothing(),
  'partner-solutions': nothing(),
  'business-username': nothing(),
  'security-pin': nothing(),
  'user-id-update': nothing(),
  'account-update-partner-added': nothing(),
}

/** What templates, numbers, accounts and preferences lead to is told by a table of its own. */
const changes: readonly string[] = [
  'account-alert',
  'account-review',
  'account-update-disabled',
  'account-update-partner-removed',
  'account-update-restriction',
  'account-update-verified',
  'account-update-violation',
  'business-capability',
  'phone-name-approved',
  'phone-name-rejected',
  'phone-quality-legacy-flagged',
  'phone-quality-throughput-upgrade',
  'template-category-completed',
  'template-category-impending',
  'template-components',
  'template-quality',
  'template-quality-mislabelled',
  'template-status-approved',
  'template-status-disabled',
  'template-status-paused',
  'template-status-pending-deletion',
  'template-status-rejected',
  'user-preferences-resume',
  'user-preferences-stop',
]

// rule: receive 2, receive 9, receive 10
describe('what upstream tells, as it writes it, leads to exactly these events:', () => {
  test.each(Object.entries(rows))('%s', async (name, { sends = [], events, holds }) => {
    const world = await postFixture(gateway, name, sends)
    const told = async () => (await world.events()).map(({ id: _id, created_at: _at, raw: _raw, signature: _signature, ...event }) => event)
    const expected = events(world).map((event) => ({ object: 'event', api_version: 'v1', livemode: true, ...event }))
    expect(await told()).toEqual(expected)
    await holds?.(world)
    // The same body again changes nothing and tells nothing.
    await world.post(name)
    expect((await told()).slice(0, expected.length)).toEqual(expected)
    expect((await world.events()).filter(({ type }) => type !== 'message.sent')).toHaveLength(expected.length)
  })

  test('and there is a row for each of them', () => {
    const folder = new URL('../fixtures/notices/', import.meta.url)
    const names = readdirSync(folder).map((name) => name.replace(/\.json$/, ''))
    expect([...Object.keys(rows), ...changes].toSorted()).toEqual(names.toSorted())
  })
})
