import { describe, expect, test } from 'vitest'
import { checkSend, readReceiptRefusal } from './check-send.ts'
import { createRandom } from './random.ts'
import { createTemplateShelf } from './templates.ts'
import { alwaysThere } from './templates-always-there.ts'

const shelf = createTemplateShelf(createRandom(1), [...alwaysThere, { name: 'resting', language: 'en_US', status: 'PAUSED' }])
const templates = shelf.lookup('204817396550128')
const link = 'https://example.com/a.png'
const reply = (id: string, title: string) => ({ type: 'reply', reply: { id, title } })
const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `r${i}`, title: `Row ${i}` }))
const named = (name: string, code: string, parameters: object[] = []) => ({
  name,
  language: { code },
  components: parameters.length === 0 ? [] : [{ type: 'body', parameters }],
})
const interactive = (type: string, action: object, rest: object = {}) => ({
  interactive: { type, body: { text: 'Choose' }, action, ...rest },
})

const products = (count: number) => ({
  title: 'All',
  product_items: Array.from({ length: count }, (_, i) => ({ product_retailer_id: `p${i}` })),
})
const card = (more: object = {}) => ({
  card_index: 0,
  type: 'cta_url',
  header: { type: 'image', image: { link } },
  action: { name: 'cta_url', parameters: { display_text: 'Go', url: link } },
  ...more,
})

function check(kind: string, content: object, rest: object = {}): number | string {
  const checked = checkSend({ messaging_product: 'whatsapp', to: '+15550107712', type: kind, ...content, ...rest }, templates)
  return 'status' in checked ? checked.code : checked.kind
}

describe('a send that the platform would take', () => {
  test.each([
    ['text', { text: { body: 'Oi', preview_url: true } }],
    ['image', { image: { link, caption: 'A' } }],
    ['audio', { audio: { id: '123', voice: true } }],
    ['video', { video: { id: '123' } }],
    ['document', { document: { link, filename: 'a.pdf', caption: 'A' } }],
    ['sticker', { sticker: { id: '123' } }],
    ['location', { location: { latitude: -23.5, longitude: '-46.6', name: 'Here' } }],
    ['contacts', { contacts: [{ name: { formatted_name: 'Ana', first_name: 'Ana' } }] }],
    ['reaction', { reaction: { message_id: 'wamid.A', emoji: '' } }],
    ['template', { template: named('hello_world', 'en_US') }],
    ['template', { template: named('order_update', 'pt_BR', [{ type: 'text', text: 'Ana' }, { type: 'text', text: '7' }]) }], // biome-ignore format: a row
    [
      'interactive',
      interactive('button', { buttons: [reply('y', 'Yes'), reply('n', 'No')] }, { header: { type: 'image', image: { link } } }),
    ],
    ['interactive', interactive('list', { button: 'Open', sections: [{ rows: rows(10) }] })],
    ['interactive', interactive('cta_url', { name: 'cta_url', parameters: { display_text: 'Go', url: link } })],
    ['interactive', interactive('location_request_message', { name: 'send_location' })],
    ['interactive', interactive('flow', { name: 'flow', parameters: { flow_id: '1', flow_cta: 'Start' } })],
    ['interactive', { interactive: { type: 'product', action: { catalog_id: '1', product_retailer_id: 'fern' } } }],
    [
      'interactive',
      interactive('product_list', { catalog_id: '1', sections: [products(30)] }, { header: { type: 'text', text: 'Plants' } }),
    ],
    ['interactive', interactive('catalog_message', { name: 'catalog_message' })],
    ['interactive', interactive('address_message', { name: 'address_message', parameters: { country: 'IN' } })],
    ['interactive', interactive('carousel', { cards: [card(), card()] })],
    ['interactive', interactive('order_details', { name: 'review_and_pay', parameters: { reference_id: '1' } })],
    ['interactive', interactive('order_status', { name: 'review_order', parameters: { reference_id: '1' } })],
    ['interactive', interactive('call_permission_request', { name: 'call_permission_request' })],
    ['interactive', interactive('request_contact_info', { name: 'request_contact_info' })],
    ['interactive', interactive('list', { button: 'x'.repeat(20), sections: [{ rows: rows(1) }] }, { body: { text: 'x'.repeat(4096) } })],
    ['interactive', interactive('button', { buttons: [reply('a'.repeat(256), 'x'.repeat(20))] }, { body: { text: 'x'.repeat(1024) } })],
    ['text', { text: { body: 'x'.repeat(4096) } }],
    ['image', { image: { link, caption: 'x'.repeat(1024) } }],
    ['reaction', { reaction: { message_id: 'wamid.A', emoji: '👩🏽‍🚀' } }],
    ['reaction', { reaction: { message_id: 'wamid.A', emoji: '🇧🇷' } }],
    ['reaction', { reaction: { message_id: 'wamid.A', emoji: '1️⃣' } }],
  ])('%s %j', (kind, content) => {
    expect(check(kind, content)).toBe(kind)
  })

  test('a quote, callback data of 512 characters and a written number with brackets are taken', () => {
    const rest = { context: { message_id: 'wamid.A' }, biz_opaque_callback_data: 'x'.repeat(512), to: '+1 (555) 010-7712' }
    expect(check('text', { text: { body: 'Oi' } }, rest)).toBe('text')
  })
})

describe('a send that the platform refuses', () => {
  test.each([
    [100, 'text', { messaging_product: undefined, text: { body: 'Oi' } }],
    [100, 'text', { to: undefined, text: { body: 'Oi' } }],
    [131009, 'text', { to: 'BR.7123', text: { body: 'Oi' } }],
    [131009, 'text', { to: undefined, recipient: 'nobody', text: { body: 'Oi' } }],
    [100, 'text', { text: { body: 'Oi' }, biz_opaque_callback_data: 'x'.repeat(513) }],
    [131009, 'text', { text: { body: 'Oi' }, context: {} }],
    [100, 'poem', { poem: {} }],
    [100, 'text', {}],
    [100, 'text', { text: { body: '' } }],
    [100, 'text', { text: { body: 'x'.repeat(4097) } }],
    [131008, 'image', { image: { caption: 'A' } }],
    [131009, 'image', { image: { link, id: '1' } }],
    [131009, 'image', { image: { link: 'ftp://example.com/a' } }],
    [131009, 'video', { video: { id: 'not-an-id' } }],
    [100, 'audio', { audio: { id: '1', caption: 'A' } }],
    [100, 'document', { document: { id: '1', caption: 'x'.repeat(1025) } }],
    [100, 'image', { image: { link, filename: 'a.png' } }],
    [100, 'sticker', { sticker: { link, caption: 'A' } }],
    [100, 'video', { video: { link, voice: true } }],
    [100, 'audio', { audio: { id: '1', voice: 'yes' } }],
    [100, 'document', { document: { id: '1', filename: '' } }],
    [131008, 'location', { location: { latitude: 1 } }],
    [100, 'location', { location: { latitude: 1, longitude: 1, name: 7 } }],
    [100, 'contacts', { contacts: [{ name: { formatted_name: 'Ana', first_name: 'Ana' }, phones: {} }] }],
    [131009, 'contacts', { contacts: [{ name: { formatted_name: 'Ana', first_name: 'Ana' }, birthday: '9 April' }] }],
    [131009, 'contacts', { contacts: Array.from({ length: 258 }, () => ({ name: { formatted_name: 'Ana', first_name: 'Ana' } })) }],
    [131009, 'reaction', { reaction: { message_id: 'wamid.A', emoji: 'yes' } }],
    [131009, 'reaction', { reaction: { message_id: 'wamid.A', emoji: '👍👍' } }],
    [131009, 'location', { location: { latitude: 91, longitude: 0 } }],
    [131008, 'contacts', { contacts: [] }],
    [131008, 'contacts', { contacts: [{ name: { first_name: 'Ana' } }] }],
    [131009, 'contacts', { contacts: [{ name: { formatted_name: 'Ana' } }] }],
    [131008, 'reaction', { reaction: { emoji: '👍' } }],
    [131009, 'reaction', { reaction: { message_id: 'wamid.A', emoji: '👍' }, context: { message_id: 'wamid.B' } }],
    [131008, 'template', { template: { name: 'hello_world' } }],
    [132001, 'template', { template: named('hello_world', 'en') }],
    [132001, 'template', { template: named('nothing', 'en_US') }],
    [132015, 'template', { template: named('resting', 'en_US') }],
    [132000, 'template', { template: named('order_update', 'en_US', [{ type: 'text', text: 'Ana' }]) }],
    [131008, 'template', { template: named('order_update', 'en_US', [{ type: 'text', text: '' }]) }],
    [131062, 'template', { template: named('login_code', 'en_US', [{ type: 'text', text: '1' }]), to: undefined, recipient: 'BR.7123' }],
    [131008, 'interactive', { interactive: { body: { text: 'A' } } }],
    [131009, 'interactive', interactive('poem', {})],
    [131009, 'interactive', interactive('button', { buttons: [reply('a', 'x'.repeat(21))] })],
    [131009, 'interactive', interactive('button', { buttons: [reply('a', 'A'), reply('a', 'B')] })],
    [131009, 'interactive', interactive('button', { buttons: ['a', 'b', 'c', 'd'].map((id) => reply(id, id)) })],
    [131009, 'interactive', interactive('list', { button: 'Open', sections: [{ rows: rows(11) }] })],
    [131009, 'interactive', interactive('list', { button: 'Open', sections: [{ rows: rows(1) }, { rows: rows(1) }] })],
    [
      131009,
      'interactive',
      interactive('list', { button: 'Open', sections: [{ rows: rows(1) }] }, { header: { type: 'image', image: { link } } }),
    ],
    [131009, 'interactive', interactive('cta_url', { name: 'cta_url', parameters: { display_text: 'Go', url: 'nowhere' } })],
    [131008, 'interactive', { interactive: { type: 'button', body: { text: 'A' } } }],
    [131009, 'interactive', interactive('button', { buttons: [reply('a', 'A')] }, { body: { text: 'x'.repeat(1025) } })],
    [131009, 'interactive', interactive('button', { buttons: [{ ...reply('a', 'A'), type: 'url' }] })],
    [131008, 'interactive', interactive('button', { buttons: [reply('a', 'A')] }, { header: { type: 'image', image: {} } })],
    [131009, 'interactive', interactive('button', { buttons: [reply('a', 'A')] }, { header: { type: 'sticker', sticker: { link } } })],
    [131009, 'interactive', interactive('button', { buttons: [reply('a', 'A')] }, { header: { type: 'text', text: 'x'.repeat(61) } })],
    [131009, 'interactive', interactive('location_request_message', { name: 'send_location' }, { footer: { text: 'A' } })],
    [131009, 'interactive', interactive('location_request_message', { name: 'send_location' }, { header: { type: 'text', text: 'A' } })],
    [131009, 'interactive', interactive('location_request_message', { name: 'send' })],
    [131008, 'interactive', interactive('product', { catalog_id: '1' })],
    [131008, 'interactive', interactive('product_list', { catalog_id: '1', sections: [products(1)] })],
    [
      131009,
      'interactive',
      interactive('product_list', { catalog_id: '1', sections: [products(31)] }, { header: { type: 'text', text: 'A' } }),
    ],
    [
      131009,
      'interactive',
      interactive(
        'product_list',
        { catalog_id: '1', sections: [{ ...products(1), title: '' }, products(1)] },
        { header: { type: 'text', text: 'A' } },
      ),
    ],
    [131008, 'interactive', interactive('address_message', { name: 'address_message' })],
    [131009, 'interactive', interactive('carousel', { cards: [card()] })],
    [131008, 'interactive', interactive('carousel', { cards: [card(), card({ header: undefined })] })],
    [131009, 'interactive', interactive('carousel', { cards: [card(), card({ body: { text: 'x'.repeat(161) } })] })],
    [131009, 'interactive', interactive('carousel', { cards: [card(), card()] }, { header: { type: 'text', text: 'A' } })],
    [131008, 'interactive', interactive('order_details', { name: 'review_and_pay' })],
    [131009, 'interactive', interactive('flow', { name: 'flow', parameters: { flow_id: '1', flow_cta: 'Start 🚀' } })],
    [131009, 'interactive', interactive('flow', { name: 'flow', parameters: { flow_id: '1', flow_cta: 'Start', flow_action: 'jump' } })],
    [131008, 'interactive', interactive('flow', { name: 'flow', parameters: { flow_cta: 'Start' } })],
    [131009, 'interactive', interactive('button', { buttons: [reply('a', 'A')] }, { footer: { text: 'x'.repeat(61) } })],
  ])('%i for %s %j', (code, kind, content) => {
    expect(check(kind, content)).toBe(code)
  })

  test('an unknown template is 404, the others are 400', () => {
    const refusal = checkSend(
      { messaging_product: 'whatsapp', to: '+15550107712', type: 'template', template: named('nothing', 'en_US') },
      templates,
    )
    expect(refusal).toMatchObject({ status: 404, code: 132001 })
  })
})

test('a read receipt needs a message id, and typing is of type text', () => {
  const receipt = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.A' }
  expect(readReceiptRefusal(receipt)).toBeNull()
  expect(readReceiptRefusal({ ...receipt, message_id: undefined })).toMatchObject({ code: 100 })
  expect(readReceiptRefusal({ ...receipt, typing_indicator: { type: 'audio' } })).toMatchObject({ code: 131009 })
})
