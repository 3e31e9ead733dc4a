import { isObject, type Json, type JsonObject, textOrDigits } from '../../base/json.ts'
import { fileNameOf } from './file-name.ts'
import { isMediaKind, textOfKind } from './kinds.ts'
import type { MediaKind, MessageType } from './message.ts'
import { stringAt } from './string-at.ts'

/** A file that came with a message, as upstream describes it. */
export type InboundFile = {
  kind: MediaKind
  upstreamId: string
  mimeType: string | null
  /** Of the bytes, in base64 as in the notice. */
  sha256: string | null
  /** Cleaned (rule: receive 18). */
  fileName: string | null
}

/** What a message of a notice says. */
export type InboundContent = {
  type: MessageType
  /** What upstream calls it. */
  kind: string
  text: string | null
  buttonReplyId: string | null
  file: InboundFile | null
}

/** Where upstream's sample leaves the type out, the content has its name. */
const namedByContent = ['interactive', 'button', 'text', 'image', 'audio', 'video', 'document', 'sticker', 'location', 'contacts', 'order']

/** What upstream calls the kind of a message; null where nothing tells. */
export const kindOf = (item: JsonObject): string | null => stringAt(item, 'type') ?? namedByContent.find((name) => name in item) ?? null

const othersKnown = ['template', 'system', 'unsupported', 'reaction', 'edit', 'revoke', 'request_welcome']
const known: ReadonlySet<string> = new Set([...namedByContent, ...othersKnown])

/** Whether we know what such a message says; null and kinds to come: no. */
export const isKnownKind = (kind: string | null): boolean => kind !== null && known.has(kind)

/**
 * rule: receive 10. What people chose or wrote is a text, what no type of the contract fits is of type system, and both have words that
 * can be read. Null for a text without its words. Pure.
 */
export function readContent(item: JsonObject): InboundContent | null {
  const kind = kindOf(item) ?? 'unknown'
  const content = item[kind]
  const plain = (type: MessageType, text: string | null): InboundContent => ({ type, kind, text, buttonReplyId: null, file: null })
  if (isMediaKind(kind)) return { ...plain(kind, textOfKind(kind, content)), ...fileOf(kind, content) }
  switch (kind) {
    case 'text': {
      const body = isObject(content) ? content.body : undefined
      return typeof body === 'string' ? plain('text', body) : null
    }
    case 'location':
      return plain('location', textOfKind(kind, content))
    case 'contacts':
      return plain('contact', textOfKind(kind, content))
    case 'template':
      return plain('template', textOfKind(kind, content) ?? wordsOfKind(kind))
    case 'interactive':
      return { ...plain('text', null), ...interactiveWords(content) }
    case 'button':
      return {
        ...plain('text', stringAt(content, 'text') ?? stringAt(content, 'payload') ?? wordsOfKind(kind)),
        buttonReplyId: stringAt(content, 'payload'),
      }
    case 'order':
      return plain('text', orderText(content))
    case 'system':
      return plain('system', stringAt(content, 'body') ?? wordsOfKind(stringAt(content, 'type') ?? kind))
    case 'unsupported':
      return plain('system', unsupportedText(item, content))
    default:
      return plain('system', wordsOfKind(kind))
  }
}

function fileOf(kind: MediaKind, content: Json | undefined): { file: InboundFile | null; text?: string } {
  const upstreamId = textOrDigits(isObject(content) ? content.id : undefined)
  if (upstreamId === null) {
    const caption = textOfKind(kind, content)
    const words = `(${kind} without a file)`
    return { file: null, text: caption === null ? words : `${caption}\n${words}` }
  }
  return {
    file: {
      kind,
      upstreamId,
      mimeType: stringAt(content, 'mime_type'),
      sha256: stringAt(content, 'sha256'),
      fileName: fileNameOf(stringAt(content, 'filename') ?? ''),
    },
  }
}

/** What was tapped, filled in or answered; of the app of a business's own, its body. */
function interactiveWords(content: Json | undefined): Pick<InboundContent, 'text' | 'buttonReplyId'> {
  const kind = stringAt(content, 'type') ?? (isObject(content) ? Object.keys(content).find((key) => key.endsWith('_reply')) : undefined)
  const reply = isObject(content) && kind !== undefined ? content[kind] : undefined
  const words = stringAt(reply, 'title') ?? stringAt(reply, 'body') ?? textOfKind('interactive', content)
  switch (kind) {
    case 'button_reply':
    case 'list_reply':
      return { text: words ?? stringAt(reply, 'id') ?? wordsOfKind(kind), buttonReplyId: stringAt(reply, 'id') }
    case 'call_permission_reply':
      return { text: `Permission to call: ${stringAt(reply, 'response') ?? 'unknown'}`, buttonReplyId: null }
    case 'nfm_reply':
      return { text: words ?? stringAt(reply, 'name') ?? wordsOfKind(kind), buttonReplyId: null }
    default:
      return { text: words ?? wordsOfKind(kind ?? 'interactive'), buttonReplyId: null }
  }
}

/** `Please gift wrap (2 × fern-small à 30 USD, 1 × pot-blue à 12.5 USD)`. */
function orderText(order: Json | undefined): string {
  const items = isObject(order) && Array.isArray(order.product_items) ? order.product_items.filter(isObject) : []
  const listed = items.map(
    (each) =>
      `${digits(each.quantity)} × ${stringAt(each, 'product_retailer_id') ?? '?'} à ${digits(each.item_price)} ${stringAt(each, 'currency') ?? ''}`,
  )
  const words = stringAt(order, 'text')
  const cart = listed.length === 0 ? 'An order' : listed.map((each) => each.trimEnd()).join(', ')
  return words === null ? cart : `${words} (${cart})`
}

/** A number as it came, however large; anything else is not told. */
const digits = (value: Json | undefined): string => (value === undefined || value === null ? '?' : JSON.stringify(value))

function unsupportedText(item: JsonObject, content: Json | undefined): string {
  const kind = stringAt(content, 'type')
  if (kind === 'edit') return 'An earlier message was edited; the platform does not say which, nor how.'
  if (kind !== null) return wordsOfKind(kind)
  const [error] = Array.isArray(item.errors) ? item.errors : []
  const details = stringAt(isObject(error) ? error.error_data : undefined, 'details')
  return details ?? stringAt(error, 'message') ?? stringAt(error, 'title') ?? wordsOfKind('unsupported')
}

/** `A message of the kind "poll_creation", which the platform does not pass on in full.` */
const wordsOfKind = (kind: string): string => `A message of the kind "${kind}", whose content cannot be shown here.`
