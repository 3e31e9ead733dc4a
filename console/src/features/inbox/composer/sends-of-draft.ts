import type { Media, SendMessageRequest } from '../../../api/generated/operations.ts'
import type { NewSend } from '../pending.ts'
import { addresseeOf, type ComposedConversation } from './conversation.ts'
import type { Draft, DraftFile } from './drafts.ts'

/**
 * The messages that a draft becomes, in their order: its text, then its files. The first of them quotes. Empty: there is nothing to send. Files that
 * are not uploaded are left out.
 */
export function sendsOfDraft(draft: Pick<Draft, 'text' | 'files'>, conversation: ComposedConversation, replyTo: string | null): NewSend[] {
  const text = draft.text.trim()
  const to = addresseeOf(conversation)
  const written: NewSend[] =
    text === ''
      ? []
      : [{ body: { ...to, type: 'text', text: { body: text, preview_url: true } }, shown: { text, file: null, replyTo: null } }]
  const files = draft.files.flatMap((each): NewSend[] => {
    const send = sendOfFile(each, to)
    return send === null ? [] : [send]
  })
  const [first, ...rest] = [...written, ...files]
  if (first === undefined || replyTo === null) return first === undefined ? [] : [first, ...rest]
  return [{ body: { ...first.body, reply_to: replyTo }, shown: { ...first.shown, replyTo } }, ...rest]
}

function sendOfFile({ media, name, caption }: DraftFile, to: { to: string; channel_id: string }): NewSend | null {
  if (media === null) return null
  const words = caption.trim()
  const captioned = words === '' ? {} : { caption: words }
  return {
    body: bodyOf(media, name, captioned, to),
    shown: { text: words || null, file: { url: media.url, name, kind: media.suggested_type }, replyTo: null },
  }
}

function bodyOf(
  { id, suggested_type }: Media,
  name: string,
  captioned: { caption?: string },
  to: { to: string; channel_id: string },
): SendMessageRequest {
  switch (suggested_type) {
    case 'image':
      return { ...to, type: 'image', image: { id, ...captioned } }
    case 'video':
      return { ...to, type: 'video', video: { id, ...captioned } }
    case 'audio':
      return { ...to, type: 'audio', audio: { id } }
    case 'sticker':
      return { ...to, type: 'sticker', sticker: { id } }
    case 'document':
      return { ...to, type: 'document', document: { id, filename: name.slice(0, filenameCharsMax), ...captioned } }
  }
}

const filenameCharsMax = 240
