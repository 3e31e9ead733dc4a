import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { cardsText, placeText } from './card-words.ts'
import type { MediaKind, MessageType } from './message.ts'
import type { SendKind } from './send-wire.ts'
import { stringAt } from './string-at.ts'

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
      return placeText(content)
    case 'contacts':
      return cardsText(content)
    case 'interactive':
      return stringAt(isObject(content) ? content.body : undefined, 'text')
    case 'template':
      return templateText(content)
  }
}

/** `pedido_enviado (pt_BR): Maria, 4711`, with the texts that its places are filled with. */
function templateText(template: Json | undefined): string | null {
  const name = stringAt(template, 'name')
  if (!isObject(template) || name === null) return null
  const components = Array.isArray(template.components) ? template.components : []
  const texts = components
    .flatMap((each) => (isObject(each) && Array.isArray(each.parameters) ? each.parameters : []))
    .map((each) => stringAt(each, 'text'))
    .filter((each) => each !== null)
  return `${name} (${languageOf(template)})${texts.length === 0 ? '' : `: ${texts.join(', ')}`}`
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
