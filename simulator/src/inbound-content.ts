import { codeFactsOrPlain } from './codes.ts'
import type { MediaFile } from './media-store.ts'

/** A file that a person sends: `bytes` (a Buffer, or base64 in JSON), or the `media_id` of one that is already there. Its notice carries a link unless `with_url` is false. */
export type InboundFile = {
  type: 'image' | 'video' | 'audio' | 'document' | 'sticker'
  bytes?: Buffer | string
  media_id?: string
  mime_type?: string
  caption?: string
  filename?: string
  voice?: boolean
  animated?: boolean
  with_url?: boolean
}

/** What a person does, by the platform's words. `other` is a message of any further type, with its content as it is given. */
export type InboundContent =
  | { type: 'text'; body: string }
  | InboundFile
  | { type: 'location'; latitude: number; longitude: number; name?: string; address?: string; url?: string }
  | { type: 'contacts'; contacts: readonly object[]; origin?: string }
  | { type: 'button_reply'; id: string; title: string }
  | { type: 'list_reply'; id: string; title: string; description?: string }
  /** A finished flow; `response` is an object, or its JSON text. */
  | { type: 'nfm_reply'; response: object | string; name?: string; body?: string }
  /** A quick reply of a template. Without a payload that is its label. */
  | { type: 'button'; text: string; payload?: string }
  | { type: 'order'; catalog_id: string; product_items: readonly object[]; text?: string }
  /** Without an emoji the reaction is taken back. */
  | { type: 'reaction'; message_id: string; emoji?: string }
  | { type: 'edit'; original_message_id: string; content: { type: 'text'; body: string } | InboundFile }
  | { type: 'revoke'; original_message_id: string }
  | { type: 'system'; system: object }
  /** `code` is 131051 unless given; `of` is the platform's name of what was not shown. */
  | { type: 'unsupported'; code?: number; of?: string }
  | { type: 'request_welcome' }
  | { type: 'other'; name: string; content?: object }

/** Finds or keeps the file of a content, and makes the link that its notice carries. */
export type FileSource = (content: InboundFile) => { file: MediaFile; url: string }

/** The part of a message in a notice that its kind decides, `type` included. */
export function contentOf(content: InboundContent, fileOf: FileSource): { type: string; [key: string]: unknown } {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: { body: content.body } }
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return fileContent(content, fileOf)
    case 'button_reply':
    case 'list_reply': {
      const { type, ...reply } = content
      return { type: 'interactive', interactive: { type, [type]: reply } }
    }
    case 'nfm_reply':
      return { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: flowReply(content) } }
    case 'contacts':
      return { type: 'contacts', ...(content.origin === undefined ? {} : { origin: content.origin }), contacts: content.contacts }
    case 'button':
      return { type: 'button', button: { payload: content.payload ?? content.text, text: content.text } }
    case 'edit': {
      const { original_message_id, content: edited } = content
      return { type: 'edit', edit: { original_message_id, message: { context: { id: 'M0' }, ...contentOf(edited, fileOf) } } }
    }
    case 'system':
      return { type: 'system', system: content.system }
    case 'unsupported':
      return unsupported(content)
    case 'request_welcome':
      return { type: 'request_welcome' }
    case 'other':
      return { type: content.name, ...(content.content === undefined ? {} : { [content.name]: content.content }) }
    case 'location':
    case 'order':
    case 'reaction':
    case 'revoke': {
      const { type, ...rest } = content
      return { type, [type]: rest }
    }
  }
}

function fileContent(content: InboundFile, fileOf: FileSource): { type: string; [key: string]: unknown } {
  const { type, caption, filename, voice = false, animated = false, with_url = true } = content
  const { file, url } = fileOf(content)
  const told = {
    ...(caption === undefined ? {} : { caption }),
    ...(type === 'document' && filename !== undefined ? { filename } : {}),
    mime_type: file.mimeType,
    // Notices carry the hash in base64, though a look-up tells it in hex.
    sha256: Buffer.from(file.sha256, 'hex').toString('base64'),
    id: file.id,
    ...(with_url ? { url } : {}),
    ...(type === 'audio' ? { voice } : {}),
    ...(type === 'sticker' ? { animated } : {}),
  }
  return { type, [type]: told }
}

function flowReply({ name = 'flow', body = 'Sent', response }: InboundContent & { type: 'nfm_reply' }): object {
  return { name, body, response_json: typeof response === 'string' ? response : JSON.stringify(response) }
}

function unsupported({ code = 131051, of }: InboundContent & { type: 'unsupported' }): { type: string; [key: string]: unknown } {
  const { title, details } = codeFactsOrPlain(code)
  const errors = [{ code, title, message: title, error_data: { details } }]
  return { errors, type: 'unsupported', ...(of === undefined ? {} : { unsupported: { type: of } }) }
}
