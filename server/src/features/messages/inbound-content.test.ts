import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../base/json.ts'
import { kindOf, readContent } from './inbound-content.ts'

const read = (item: object) => readContent(item as JsonObject)
const file = { id: '77', mime_type: 'image/png', sha256: 'c2hh' }

// rule: receive 10
describe('what a message of a notice says', () => {
  test.each<[what: string, item: object, expected: object]>([
    ['a text', { type: 'text', text: { body: 'Oi' } }, { type: 'text', kind: 'text', text: 'Oi' }],
    ['an empty text', { type: 'text', text: { body: '' } }, { type: 'text', text: '' }],
    ['a location', { type: 'location', location: { latitude: 1.5, longitude: -2 } }, { type: 'location', text: '1.5, -2' }],
    ['a location without anything', { type: 'location' }, { type: 'location', text: '(location without a place)' }],
    ['a location of null', { type: 'location', location: null }, { type: 'location', text: '(location without a place)' }],
    ['cards of nothing', { type: 'contacts', contacts: [] }, { type: 'contact', text: '(contact without a name)' }],
    ['cards that are not there', { type: 'contacts' }, { type: 'contact', text: '(contact without a name)' }],
    ['a template without its name', { type: 'template', template: {} }, { type: 'template', text: /"template"/ }],
    [
      'a contact',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana' } }] },
      { type: 'contact', kind: 'contacts', text: 'Ana' },
    ],
    [
      'a button without a payload',
      { type: 'button', button: { text: 'Sim' } },
      { type: 'text', kind: 'button', text: 'Sim', buttonReplyId: null },
    ],
    [
      'a tapped button',
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'a', title: 'Sim' } } },
      { type: 'text', kind: 'interactive', text: 'Sim', buttonReplyId: 'a' },
    ],
    [
      'a permission to call, as the sample has it without a type',
      { interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'reject' } } },
      { type: 'text', kind: 'interactive', text: 'Permission to call: reject', buttonReplyId: null },
    ],
    [
      'a form of which only the answers came',
      { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', response_json: '{}' } } },
      { type: 'text', text: 'flow', buttonReplyId: null },
    ],
    [
      'an answer of a kind to come',
      { type: 'interactive', interactive: { type: 'slider_reply', slider_reply: { title: '7 of 10' } } },
      { type: 'text', text: '7 of 10', buttonReplyId: null },
    ],
    [
      'what the business sent in its app with buttons',
      { type: 'interactive', interactive: { type: 'button', body: { text: 'Quer?' } } },
      { type: 'text', text: 'Quer?' },
    ],
    [
      'an order without words',
      { type: 'order', order: { product_items: [{ product_retailer_id: 'p', quantity: 1, item_price: 2.5, currency: 'BRL' }] } },
      { type: 'text', kind: 'order', text: '1 × p à 2.5 BRL' },
    ],
    ['an order of nothing', { type: 'order' }, { type: 'text', text: 'An order' }],
    [
      'what upstream does not pass on, with its own words',
      { type: 'unsupported', errors: [{ code: 131060, message: 'This message is unavailable' }] },
      { type: 'system', kind: 'unsupported', text: 'This message is unavailable' },
    ],
    [
      'a system message without words',
      { type: 'system', system: { type: 'user_changed_number' } },
      { type: 'system', text: /user_changed_number/ },
    ],
    ['a kind to come', { type: 'hologram', hologram: { id: 1 } }, { type: 'system', kind: 'hologram', text: /"hologram"/ }],
    ['nothing at all', { id: 'wamid.A' }, { type: 'system', kind: 'unknown', text: /"unknown"/ }],
  ])('%s', (_what, item, { text, ...expected }: { text?: string | RegExp | null }) => {
    const words = text instanceof RegExp ? expect.stringMatching(text) : text
    expect(read(item)).toMatchObject({ ...expected, text: words, file: null })
  })

  test.each(['image', 'audio', 'video', 'document', 'sticker'])('%s with its file', (kind) => {
    const item = { type: kind, [kind]: { ...file, filename: 'a.pdf', caption: 'um' } }
    const captioned = kind !== 'audio' && kind !== 'sticker'
    expect(read(item)).toEqual({
      ...{ type: kind, kind, text: captioned ? 'um' : null, buttonReplyId: null },
      file: { kind, upstreamId: '77', mimeType: 'image/png', sha256: 'c2hh', fileName: 'a.pdf' },
    })
  })

  test('a file that upstream does not name is told of in words', () => {
    expect(read({ type: 'image', image: { caption: 'um' } })).toMatchObject({
      type: 'image',
      text: 'um\n(image without a file)',
      file: null,
    })
    expect(read({ type: 'audio' })).toMatchObject({ type: 'audio', text: '(audio without a file)', file: null })
  })

  test('a text without its words says nothing', () => {
    for (const text of [undefined, null, 'Oi', {}, { body: 7 }]) expect(read({ type: 'text', text })).toBeNull()
  })

  test('the kind is what upstream says, else what the content is called', () => {
    expect(kindOf({ type: 'text', image: {} })).toBe('text')
    expect(kindOf({ image: {} })).toBe('image')
    expect(kindOf({ type: '', id: 'x' })).toBeNull()
  })
})
