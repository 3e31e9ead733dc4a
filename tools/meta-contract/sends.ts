/** A kind of send by a name, with its content as it stands beside the common fields. */
export type NamedContent = { name: string; content: { type: string; [key: string]: unknown } }

const link = 'https://example.com/files/'
const reply = (id: string, title: string) => ({ type: 'reply', reply: { id, title } })
const body = { text: 'Choose' }
const footer = { text: 'Verde Viva' }
const openLink = { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://example.com' } }

/** Every kind of message but a reaction, with all that a gateway is likely to send of it. `mediaId` is a picture that was uploaded before. */
export function everyKind(mediaId: string | null): NamedContent[] {
  const byId = mediaId === null ? [] : [named('image by id', 'image', { id: mediaId, caption: 'A' })]
  return [
    named('text', 'text', { body: 'Hi https://example.com', preview_url: true }),
    ...byId,
    named('image', 'image', { link: `${link}a.png`, caption: 'A' }),
    named('audio', 'audio', { link: `${link}a.ogg` }),
    named('voice', 'audio', { link: `${link}a.ogg`, voice: true }),
    named('video', 'video', { link: `${link}a.mp4`, caption: 'A' }),
    named('document', 'document', { link: `${link}a.pdf`, filename: 'Invoice 7.pdf', caption: 'A' }),
    named('sticker', 'sticker', { link: `${link}a.webp` }),
    named('location', 'location', { latitude: 37.44, longitude: -122.16, name: 'Cafe', address: '12 Fake Street' }),
    { name: 'contacts', content: { type: 'contacts', contacts: [card] } },
    ...interactives(),
    named('template', 'template', { name: 'hello_world', language: { code: 'en_US' } }),
    named('template with parameters', 'template', {
      name: 'order_update',
      language: { code: 'en_US' },
      components: [{ type: 'body', parameters: ['Ana', '4711'].map((text) => ({ type: 'text', text })) }],
    }),
  ]
}

const card = {
  name: { formatted_name: 'Ines Prado', first_name: 'Ines', last_name: 'Prado' },
  phones: [{ phone: '+15550108833', type: 'CELL', wa_id: '15550108833' }],
  emails: [{ email: 'ines@example.com', type: 'WORK' }],
  addresses: [{ street: '1 Road', city: 'Town', state: 'ST', zip: '12345', country: 'United States', country_code: 'us', type: 'HOME' }],
  org: { company: 'Verde Viva', department: 'Sales', title: 'Head' },
  urls: [{ url: 'https://example.com', type: 'WORK' }],
  birthday: '1990-04-09',
}

function interactives(): NamedContent[] {
  const header = { type: 'text', text: 'Plants' }
  const rows = [{ id: 'r1', title: 'Row', description: 'More' }]
  const products = [{ title: 'All', product_items: [{ product_retailer_id: 'fern' }] }]
  const product = { catalog_id: '901100220033004', product_retailer_id: 'fern' }
  const image = { type: 'image', image: { link: `${link}a.png` } }
  const cards = [0, 1].map((card_index) => ({ card_index, type: 'cta_url', header: image, body: { text: 'A' }, action: openLink }))
  const flow = {
    flow_message_version: '3',
    flow_id: '1',
    flow_cta: 'Start',
    flow_token: 't',
    flow_action: 'navigate',
    flow_action_payload: { screen: 'FIRST' },
  }
  const list: { type: string; [key: string]: unknown }[] = [
    { type: 'button', header: image, body, footer, action: { buttons: [reply('yes', 'Yes'), reply('no', 'No')] } },
    { type: 'list', header, body, footer, action: { button: 'Open', sections: [{ title: 'A', rows }] } },
    { type: 'cta_url', header, body, footer, action: openLink },
    { type: 'location_request_message', body, action: { name: 'send_location' } },
    { type: 'flow', header, body, footer, action: { name: 'flow', parameters: flow } },
    { type: 'product', body, footer, action: product },
    { type: 'product_list', header, body, footer, action: { catalog_id: '901100220033004', sections: products } },
    { type: 'catalog_message', body, footer, action: { name: 'catalog_message', parameters: { thumbnail_product_retailer_id: 'fern' } } },
    { type: 'address_message', body, action: { name: 'address_message', parameters: { country: 'IN' } } },
    { type: 'carousel', body, action: { cards } },
    { type: 'order_details', body, action: { name: 'review_and_pay', parameters: { reference_id: '1' } } },
    { type: 'order_status', body, action: { name: 'review_order', parameters: { reference_id: '1' } } },
    { type: 'call_permission_request', body, action: { name: 'call_permission_request' } },
    { type: 'request_contact_info', body, action: { name: 'request_contact_info' } },
  ]
  return list.map((interactive) => named(`interactive ${interactive.type}`, 'interactive', interactive))
}

function named(name: string, type: string, content: object): NamedContent {
  return { name, content: { type, [type]: content } }
}
