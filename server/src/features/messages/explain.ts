import { because, invalidField, type Refusal, type RefusalCode, refusal, type Sentence } from '../../base/refusal.ts'
import type { Missing } from './rules.ts'

const words: { readonly [Code in RefusalCode]?: Sentence } = {
  account_suspended: because('suspended', 'The account is suspended; nothing is sent.'),
  channel_ambiguous: because('channel_ambiguous', 'The account has more than one number: name one by channel_id.'),
  channel_not_connected: because('number_not_connected', 'The number is not connected to the official API now.'),
  outside_customer_service_window: because(
    'window_closed',
    'More than 24 hours have passed since the person last wrote: only a template is accepted.',
  ),
  recipient_opted_out: because(
    'opted_out',
    'This person does not want marketing messages; utility and authentication templates may still be sent.',
  ),
}

const missingWords: { readonly [What in Exclude<Missing['what'], 'words'>]: Sentence } = {
  message: because('no_message', 'There is no message with this id.'),
  person: because('no_person', 'There is no person with this user id.'),
  channel: because('no_channel', 'There is no channel with this id.'),
  file: because('no_file', 'There is no file of this account behind this.'),
}

/** What a field that names a message may hold. */
export const namedWords = because('malformed', 'This must be the id of a message (msg_…) or a wamid.')

/** The refusal in words for the caller; where something is missing, with the field that names it. */
export function explain(code: RefusalCode, missing: Missing | null): Refusal {
  if (missing?.what === 'words') return invalidField(missing.field, namedWords)
  if (code !== 'not_found' || missing === null) return refusal(code, words[code] ?? code)
  const why = missingWords[missing.what]
  return refusal(code, why, [{ field: missing.field, message: why.words, reason: why.reason }])
}
