import type { Uuid } from '../../base/id.ts'
import { isObject, type JsonText, parseAnyJson } from '../../base/json.ts'
import type { SendNeeds } from './send-queue.ts'

/** One of our files, as one number sends it: what upstream calls it belongs to the number that brought it. */
export type FileOnNumber = { accountId: Uuid; channelId: Uuid; mediaId: Uuid }

export type FileToUpload = FileOnNumber & { phoneNumberId: string; token: string }

export type UploadOutcome =
  | { kind: 'uploaded' }
  /** Upstream does not want this file: the same again would be refused too. */
  | { kind: 'refused'; code: number | null; message: string }
  /** It may be tried again. */
  | { kind: 'not_now'; code: number | null; message: string }

/** Our files at upstream. */
export type UpstreamFiles = {
  /** What upstream calls those that it has and will keep for long enough, by `keyOfFile`. */
  known(wanted: readonly FileOnNumber[], now: Date): Promise<ReadonlyMap<string, string>>
  /** Brings a file there, once however often it is asked for at the same time. Never throws for what upstream or the network does. */
  upload(file: FileToUpload): Promise<UploadOutcome>
}

export const keyOfFile = ({ channelId, mediaId }: FileOnNumber): string => `${channelId} ${mediaId}`

/** The words of a send with upstream's id of its file; a document without a name gets the file's own (rule: send 10). */
export function contentWithFile({ kind, content, file }: SendNeeds, fileId: string): JsonText {
  const words = parseAnyJson(content)
  const own = isObject(words) && isObject(words[kind]) ? words[kind] : {}
  const shown = file === null ? null : parseAnyJson(file.shown)
  const name = isObject(shown) ? shown.file_name : null
  const named = kind === 'document' && own.filename === undefined && typeof name === 'string' ? { filename: name } : {}
  return JSON.stringify({ ...(isObject(words) ? words : {}), [kind]: { id: fileId, ...named, ...own } }) as JsonText
}
