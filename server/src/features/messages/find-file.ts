import type { JsonText } from '../../base/json.ts'
import { because, invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import { findMedia, type Media, mediaUrl } from '../media/public.ts'
import type { AskedFile } from './read-file.ts'
import type { ReadSend } from './read-send.ts'
import type { Send, SendFile } from './send-request.ts'

type Deps = { database: Database; filesUrl: string }

/**
 * Finds the file of a send when it is one of ours, and checks that it can be sent as what it is to be sent as. One that the account does not
 * have is told later, in the order of the contract's checks.
 */
export async function findFile(deps: Deps, read: ReadSend): Promise<Result<Send, Refusal>> {
  const { file } = read
  if (file?.kind !== 'ours') return ok({ ...read, file })
  const found = await ourFile(deps, read, file)
  return found.ok ? ok({ ...read, file: found.value }) : found
}

async function ourFile(
  deps: Deps,
  { accountId, kind }: ReadSend,
  { field, named }: Extract<AskedFile, { kind: 'ours' }>,
): Promise<Result<SendFile, Refusal>> {
  const media = named === null ? null : (await findMedia(deps.database, [{ accountId, ...named }]))[0]
  if (!media) return ok({ kind: 'missing', field })
  // rule: send 10. Upstream judges a file by its kind, and would refuse it after the 202.
  if (media.kind !== kind)
    return refused(
      invalidField(
        field,
        because('file_other_kind', `This file is of the kind ${media.kind} (${media.mimeType}): send it as ${media.kind}.`),
      ),
    )
  return ok({ kind: 'ours', mediaId: media.id, media: shown(deps, media) })
}

/** What a message shows of a file. */
function shown({ filesUrl }: Deps, media: Media): JsonText {
  const { mimeType, fileName, sizeBytes } = media
  return JSON.stringify({ url: mediaUrl(filesUrl, media), mime_type: mimeType, file_name: fileName, size_bytes: sizeBytes }) as JsonText
}
