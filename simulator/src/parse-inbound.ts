import type { InboundInput } from './inbound.ts'
import { isFilled, isObject, type JsonObject } from './json-value.ts'

const HEAD_TEXTS = ['from', 'name', 'phone_number_id', 'wamid', 'timestamp', 'context', 'text']
const FILE = { texts: [], may: ['bytes', 'media_id', 'mime_type', 'caption', 'filename', 'voice', 'animated', 'with_url'] } as const

/** For each kind of content the texts that it must have, and what else it may have. */
const CONTENTS: { readonly [type: string]: { texts: readonly string[]; may: readonly string[] } } = {
  text: { texts: ['body'], may: [] },
  ...{ image: FILE, video: FILE, audio: FILE, document: FILE, sticker: FILE },
  location: { texts: [], may: ['latitude', 'longitude', 'name', 'address', 'url'] },
  contacts: { texts: [], may: ['contacts', 'origin'] },
  button_reply: { texts: ['id', 'title'], may: [] },
  list_reply: { texts: ['id', 'title'], may: ['description'] },
  nfm_reply: { texts: [], may: ['response', 'name', 'body'] },
  button: { texts: ['text'], may: ['payload'] },
  order: { texts: ['catalog_id'], may: ['product_items', 'text'] },
  reaction: { texts: ['message_id'], may: ['emoji'] },
  edit: { texts: ['original_message_id'], may: ['content'] },
  revoke: { texts: ['original_message_id'], may: [] },
  system: { texts: [], may: ['system'] },
  unsupported: { texts: [], may: ['code', 'of'] },
  request_welcome: { texts: [], may: [] },
  other: { texts: ['name'], may: ['content'] },
}

/** Reads what a person is to do. A text in its place is the sentence that says what is wrong. */
export function parseInbound(value: unknown): InboundInput | string {
  if (!isObject(value) || !isFilled(value.from)) return 'Give "from", and "text" or "content".'
  const { referral, forwarded, user_id_only, content, ...texts } = value
  const strange = Object.keys(texts).find((key) => !HEAD_TEXTS.includes(key) || typeof texts[key] !== 'string')
  if (strange !== undefined) return `"${strange}" is not known or not a text.`
  if (referral !== undefined && !isObject(referral)) return '"referral" must be an object.'
  if (forwarded !== undefined && forwarded !== 'once' && forwarded !== 'often') return '"forwarded" is once or often.'
  if (user_id_only !== undefined && typeof user_id_only !== 'boolean') return '"user_id_only" is true or false.'
  if (content === undefined) return isFilled(value.text) ? (value as InboundInput) : 'Give "text" or "content".'
  if (value.text !== undefined) return 'Give only one of "text" and "content".'
  return wrongContent(content) ?? (value as InboundInput) // every key was just looked at
}

function wrongContent(content: unknown): string | null {
  if (!isObject(content)) return '"content" must be an object.'
  const type = String(content.type)
  const known = Object.hasOwn(CONTENTS, type) ? CONTENTS[type] : undefined
  if (known === undefined) return `"content.type" must be one of ${Object.keys(CONTENTS).join(', ')}.`
  const absent = known.texts.find((key) => !isFilled(content[key]))
  if (absent !== undefined) return `"content.${absent}" must be a text.`
  const strange = Object.keys(content).find((key) => key !== 'type' && !known.texts.includes(key) && !known.may.includes(key))
  if (strange !== undefined) return `"content.${strange}" is not a key of ${type}.`
  return wrongPart(type, content)
}

/** What is neither a text nor left to the caller's taste. */
function wrongPart(type: string, content: JsonObject): string | null {
  switch (type) {
    case 'location':
      return typeof content.latitude === 'number' && typeof content.longitude === 'number' ? null : 'A location has numbers.'
    case 'contacts':
      return Array.isArray(content.contacts) ? null : '"content.contacts" must be a list.'
    case 'order':
      return Array.isArray(content.product_items) ? null : '"content.product_items" must be a list.'
    case 'system':
      return isObject(content.system) ? null : '"content.system" must be an object.'
    case 'nfm_reply':
      return isObject(content.response) || isFilled(content.response) ? null : '"content.response" must be an object or its JSON text.'
    case 'edit':
      return isObject(content.content) && content.content.type !== 'edit'
        ? wrongContent(content.content)
        : '"content.content" is what it is now.'
    default:
      return content.bytes === undefined || isFilled(content.bytes) ? null : '"content.bytes" is base64.'
  }
}
