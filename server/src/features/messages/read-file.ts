import { parseId, type Uuid } from '../../base/id.ts'
import { isObject, type Json } from '../../base/json.ts'
import { because, invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { isUri } from '../../base/uri.ts'
import { parseMediaReference } from '../media/public.ts'
import type { MediaKind } from './message.ts'
import type { SendFile } from './send-request.ts'

/** How a send names a file of ours: by the token of its url, or by its id. */
export type NamedFile = { token: string } | { id: Uuid }

/** The file of a send as it was asked for; one of ours is named, and still to be found. */
export type AskedFile =
  | Extract<SendFile, { kind: 'link' | 'upstream' }>
  /** `named` is null where it is at one of our addresses and cannot be a file. */
  | { kind: 'ours'; field: string; named: NamedFile | null }

/** Reads which file a send carries: exactly one of `link` and `id` (rule: send 10). Pure. */
export function readFile(kind: MediaKind, content: Json | undefined, ourAddresses: readonly string[]): Result<AskedFile, Refusal> {
  const { link, id } = isObject(content) ? content : {}
  if (typeof link === 'string' && typeof id === 'string')
    return refused(invalidField(`${kind}.id`, because('malformed', `${exactlyOne}, not both.`)))
  if (typeof link === 'string') return readLink(`${kind}.link`, link, ourAddresses)
  if (typeof id !== 'string') return refused(invalidField(`${kind}.link`, because('malformed', `${exactlyOne}.`)))
  const ours = parseId('med', id)
  return ok(ours === null ? { kind: 'upstream', id } : { kind: 'ours', field: `${kind}.id`, named: { id: ours } })
}

/** What is said of a file that is named twice, or not at all. */
export const exactlyOne = 'A file is named by exactly one of `link` and `id`'

function readLink(field: string, link: string, ourAddresses: readonly string[]): Result<AskedFile, Refusal> {
  const ours = parseMediaReference(link, ourAddresses)
  if (ours !== null) return ok({ kind: 'ours', field, named: ours.token === null ? null : { token: ours.token } })
  // rule: send 15. What reads a link more kindly than upstream does would find a file that upstream does not.
  if (!isUri(link)) return refused(invalidField(field, notUriWords))
  const url = URL.parse(link)
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return refused(invalidField(field, because('malformed', 'This must be a public https URL, without a name and password inside.')))
  return ok({ kind: 'link', url: link })
}

const notUriWords =
  'This must be a complete https URL by RFC 3986: blanks, line ends, backslashes, braces, accents and a lone % are written percent-encoded.'

/** The content without the words that name a file of ours: upstream's own id of it takes their place when the send leaves. */
export function withoutFile(content: Json): Json {
  if (!isObject(content)) return content
  const { link: _link, id: _id, ...rest } = content
  return rest
}
