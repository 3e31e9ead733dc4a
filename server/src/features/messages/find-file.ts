import { isObject, type JsonText, parseAnyJson } from '../../base/json.ts'
import { because, invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import { findMedia, type Media, mediaUrl, type WantedMedia } from '../media/public.ts'
import { type NestedFile, withOurIds } from './nested-files.ts'
import type { AskedFile } from './read-file.ts'
import type { ReadSend } from './read-send.ts'
import type { Send, SendFile } from './send-request.ts'

type Deps = { database: Database; filesUrl: string }

/**
 * Finds the files of a send that are ours, and checks that each can be sent as what it is to be sent as. One that the account does not have is
 * told later, in the order of the contract's checks.
 */
export async function findFile(deps: Deps, { nested, ...read }: ReadSend): Promise<Result<Send, Refusal>> {
  const { file } = read
  if (file?.kind === 'ours') {
    const found = await ourFile(deps, read, file)
    return found.ok ? ok({ ...read, file: found.value }) : found
  }
  const send = { ...read, file }
  return nested.length === 0 ? ok(send) : withNestedFiles(deps, send, nested)
}

async function ourFile(
  deps: Deps,
  { accountId, kind }: Pick<Send, 'accountId' | 'kind'>,
  { field, named }: Extract<AskedFile, { kind: 'ours' }>,
): Promise<Result<SendFile, Refusal>> {
  const media = named === null ? null : (await findMedia(deps.database, [{ accountId, ...named }]))[0]
  if (!media) return ok({ kind: 'missing', field })
  const wrong = wrongKind(media, kind, field)
  return wrong === null ? ok({ kind: 'ours', mediaId: media.id, media: shown(deps, media) }) : refused(wrong)
}

// rule: send 10. Upstream judges a file by its kind, and would refuse it after the 202.
function wrongKind(media: Media, kind: string, field: string): Refusal | null {
  if (media.kind === kind) return null
  const words = `This file is of the kind ${media.kind} (${media.mimeType}): send it as ${media.kind}.`
  return invalidField(field, because('file_other_kind', words))
}

/** The send with our own ids of the files inside its content; upstream's take their place when it leaves. */
async function withNestedFiles({ database }: Deps, send: Send, nested: readonly NestedFile[]): Promise<Result<Send, Refusal>> {
  const wanted = nested.map(({ named }): WantedMedia => ({ accountId: send.accountId, ...(named ?? { token: '' }) }))
  const found = await findMedia(database, wanted)
  const media = new Map<string, Media>()
  for (const [i, { kind, field }] of nested.entries()) {
    const each = found[i]
    if (!each) return ok({ ...send, file: { kind: 'missing', field } })
    const wrong = wrongKind(each, kind, field)
    if (wrong !== null) return refused(wrong)
    media.set(field, each)
  }
  const words = parseAnyJson(send.content)
  if (!isObject(words)) return ok(send)
  const content = { ...words, [send.kind]: withOurIds(send.kind, words[send.kind] ?? null, media) }
  return ok({ ...send, content: JSON.stringify(content) as JsonText })
}

/** What a message shows of a file. */
function shown({ filesUrl }: Deps, media: Media): JsonText {
  const { mimeType, fileName, sizeBytes } = media
  return JSON.stringify({ url: mediaUrl(filesUrl, media), mime_type: mimeType, file_name: fileName, size_bytes: sizeBytes }) as JsonText
}
