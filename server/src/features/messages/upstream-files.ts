import { present } from '../../base/assert.ts'
import type { Uuid } from '../../base/id.ts'
import { isObject, type JsonText, parseAnyJson } from '../../base/json.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ChannelInUse } from '../channels/public.ts'
import { findMedia, knownUpstreamIds, type UpstreamMedia } from '../media/public.ts'
import { filesInside, withUpstreamIds } from './nested-files.ts'
import type { SendNeeds } from './send-queue.ts'

/** One of our files, as one number sends it: what upstream calls it belongs to the number that brought it. */
export type FileOnNumber = { accountId: Uuid; channelId: Uuid; mediaId: Uuid }

export type FileToUpload = FileOnNumber & { channel: ChannelInUse }

export type UploadOutcome =
  | { kind: 'uploaded' }
  /** Upstream does not want this file: the same again would be refused too. */
  | { kind: 'refused'; code: number | null; message: string }
  /** It may be tried again; `channelIsDead`: not before the number is mended. */
  | { kind: 'not_now'; code: number | null; message: string; channelIsDead: boolean }

/** Our files at upstream. */
export type UpstreamFiles = {
  /** What upstream calls those that it has and will keep for long enough, by `keyOfFile`. */
  known(wanted: readonly FileOnNumber[], now: Date): Promise<ReadonlyMap<string, string>>
  /** Brings a file there, once however often it is asked for at the same time. Never throws for what upstream or the network does. */
  upload(file: FileToUpload): Promise<UploadOutcome>
}

/** Our files at upstream, by way of what media knows of them. */
export function filesAtUpstream({ database, media }: { database: Database; media: UpstreamMedia }): UpstreamFiles {
  return {
    async known(wanted, now) {
      const ids = await knownUpstreamIds(database, wanted, now)
      return new Map(wanted.flatMap((each, i): [string, string][] => (ids[i] ? [[keyOfFile(each), ids[i]]] : [])))
    },
    async upload({ accountId, mediaId, channel }) {
      const [file] = await findMedia(database, [{ accountId, id: mediaId }])
      if (!file) return { kind: 'refused', code: null, message: 'The file is not there any more.' }
      const [outcome] = await media.ids([{ channel, media: file }])
      return outcome?.kind === 'unavailable'
        ? { kind: 'not_now', code: outcome.code, message: outcome.message, channelIsDead: outcome.brake === 'channel' }
        : present(outcome, 'one for each file')
    },
  }
}

/** The files of ours that upstream must have before this leaves: that of the message, or those inside of its content. */
export function filesOfSend({ kind, content, file }: SendNeeds): Uuid[] {
  if (file !== null) return [file.mediaId]
  // Cheap, for the many that have none.
  if (!content.includes('"med_')) return []
  const words = parseAnyJson(content)
  return filesInside(kind, isObject(words) ? words[kind] : undefined)
}

/** The words of a send with upstream's ids of its files. */
export function contentWithFiles(needs: SendNeeds, upstreamIds: ReadonlyMap<Uuid, string>): JsonText {
  const { kind, content, file } = needs
  if (upstreamIds.size === 0) return content
  const ofMessage = file === null ? undefined : upstreamIds.get(file.mediaId)
  if (ofMessage !== undefined) return contentWithFile(needs, ofMessage)
  const words = parseAnyJson(content)
  if (!isObject(words)) return content
  return JSON.stringify({ ...words, [kind]: withUpstreamIds(kind, words[kind] ?? null, upstreamIds) }) as JsonText
}

export const keyOfFile = ({ channelId, mediaId }: FileOnNumber): string => `${channelId} ${mediaId}`

/** The words of a send with upstream's id of its file; a document without a name gets the file's own (rule: send 10). */
function contentWithFile({ kind, content, file }: SendNeeds, fileId: string): JsonText {
  const words = parseAnyJson(content)
  const own = isObject(words) && isObject(words[kind]) ? words[kind] : {}
  const shown = file === null ? null : parseAnyJson(file.shown)
  const name = isObject(shown) ? shown.file_name : null
  const named = kind === 'document' && own.filename === undefined && typeof name === 'string' ? { filename: name } : {}
  return JSON.stringify({ ...(isObject(words) ? words : {}), [kind]: { id: fileId, ...named, ...own } }) as JsonText
}
