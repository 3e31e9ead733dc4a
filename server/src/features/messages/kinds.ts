import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { MediaKind, MessageType } from './message.ts'
import type { SendKind } from './send-wire.ts'

export const isMediaKind = (kind: string): kind is MediaKind =>
  kind === 'image' || kind === 'audio' || kind === 'video' || kind === 'document' || kind === 'sticker'

/** The kinds that become a message; a reaction does not. */
export type MessageKind = Exclude<SendKind, 'reaction'>

/** What a message of this kind is called in the contract. */
export function typeOfKind(kind: MessageKind): MessageType {
  switch (kind) {
    case 'contacts':
      return 'contact'
    case 'interactive':
      return 'text'
    default:
      return kind
  }
}

/** The `text` of a message: what was written, the caption, or a summary that a person can read. Null for a file without a caption. */
export function textOfKind(kind: MessageKind, content: Json | undefined): string | null {
  switch (kind) {
    case 'text':
      return stringAt(content, 'body')
    case 'image':
    case 'video':
    case 'document':
      return stringAt(content, 'caption')
    case 'audio':
    case 'sticker':
      return null
    case 'location':
      return locationText(content)
    case 'contacts':
      return cardsText(content)
    case 'interactive':
      return stringAt(isObject(content) ? content.body : undefined, 'text')
    case 'template':
      return templateText(content)
  }
}

/** `Padaria Aurora, Av. Paulista 1578 (-23.5614, -46.6559)`. */
function locationText(location: Json | undefined): string | null {
  if (!isObject(location)) return null
  const words = [stringAt(location, 'name'), stringAt(location, 'address')].filter((each) => each !== null)
  const place = [location.latitude, location.longitude].map(wordOf).join(', ')
  return words.length === 0 ? place : `${words.join(', ')} (${place})`
}

/** A text as it is, everything else as JSON has it: a number of many digits is no plain number. */
const wordOf = (value: Json | undefined): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'))

/** `Ana Lima (+55 11 98765-4321); Bia Souza`. */
function cardsText(cards: Json | undefined): string | null {
  if (!Array.isArray(cards)) return null
  return cards.map(cardText).join('; ')
}

function cardText(card: Json): string {
  if (!isObject(card)) return ''
  const [phone] = Array.isArray(card.phones) ? card.phones : []
  const number = stringAt(phone, 'phone')
  return `${stringAt(card.name, 'formatted_name') ?? ''}${number === null ? '' : ` (${number})`}`
}

/** `pedido_enviado (pt_BR): Maria, 4711`, with the texts that its places are filled with. */
function templateText(template: Json | undefined): string | null {
  if (!isObject(template)) return null
  const components = Array.isArray(template.components) ? template.components : []
  const texts = components
    .flatMap((each) => (isObject(each) && Array.isArray(each.parameters) ? each.parameters : []))
    .map((each) => stringAt(each, 'text'))
    .filter((each) => each !== null)
  return `${stringAt(template, 'name') ?? ''} (${languageOf(template)})${texts.length === 0 ? '' : `: ${texts.join(', ')}`}`
}

/** The code of a template's language, however it was given. */
export function languageOf(template: JsonObject): string {
  return typeof template.language === 'string' ? template.language : (stringAt(template.language, 'code') ?? '')
}

/** What goes upstream of a kind: the caller's words, in upstream's own form. */
export function upstreamContent(kind: MessageKind, content: Json | undefined): Json {
  if (kind !== 'template' || !isObject(content)) return content ?? null
  return typeof content.language === 'string' ? { ...content, language: { code: content.language } } : content
}

/** The text under this key; null for none, for an empty one and for anything else. */
export function stringAt(value: Json | undefined, key: string): string | null {
  const found = isObject(value) ? value[key] : undefined
  return typeof found === 'string' && found !== '' ? found : null
}
