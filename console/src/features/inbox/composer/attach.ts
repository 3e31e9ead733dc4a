import { useMemo } from 'react'
import { useAccount } from '../../../api/account.ts'
import { ApiError } from '../../../api/client.ts'
import { uploadFile } from '../../../api/upload.ts'
import type { DraftFile, DraftHandle } from './drafts.ts'

/** So many files may wait in one draft. */
export const filesMax = 10
/** The largest upload of any kind; what is larger is not even begun. */
const bytesMax = 50 * 1024 * 1024

type Held = { file: File; url: string; abort: AbortController }
/** What the browser holds of files that were chosen in this page. */
const held = new Map<string, Held>()
let uploads: Promise<unknown> = Promise.resolve()
let last = 0

/** An address of the file that this page may show, whether it was uploaded or not. Null: the browser has it no more. */
export function addressOfFile({ id, media }: DraftFile): string | null {
  return media?.url ?? held.get(id)?.url ?? null
}

export type Attach = { add(files: readonly File[]): void; again(id: string): void; remove(id: string): void }

/** Puts files into a draft and uploads them, one after another. They go on when another conversation is opened meanwhile. */
export function useAttach(draft: DraftHandle): Attach {
  const { id: accountId } = useAccount()
  return useMemo(() => {
    const begin = (id: string) => {
      draft.changeFile(id, { progress: 0, error: null })
      uploads = uploads.then(() => carry(draft, accountId, id))
    }
    return {
      add(files) {
        const room = Math.max(0, filesMax - draft.now().files.length)
        const added = files.slice(0, room).map(hold)
        draft.change({ files: [...draft.now().files, ...added] })
        for (const { id, error } of added) if (error === null) begin(id)
      },
      again: begin,
      remove(id) {
        held.get(id)?.abort.abort()
        release(id)
        draft.change({ files: draft.now().files.filter((each) => each.id !== id) })
      },
    }
  }, [draft, accountId])
}

/** Lets go of what the browser holds of a file. */
export function release(id: string): void {
  const known = held.get(id)
  if (known !== undefined) URL.revokeObjectURL(known.url)
  held.delete(id)
}

function hold(file: File): DraftFile {
  last += 1
  const id = `${Date.now()}-${last}`
  held.set(id, { file, url: URL.createObjectURL(file), abort: new AbortController() })
  const error = file.size > bytesMax ? new ApiError({ status: 413, code: 'file_too_large', message: '' }) : null
  return { id, name: file.name, caption: '', mimeType: file.type, progress: 0, media: null, error }
}

async function carry(draft: DraftHandle, accountId: string, id: string): Promise<void> {
  const known = held.get(id)
  if (known === undefined) return
  const onProgress = (progress: number) => draft.changeFile(id, { progress })
  try {
    const media = await uploadFile(known.file, { accountId, signal: known.abort.signal, onProgress })
    draft.changeFile(id, { media, progress: 1 })
  } catch (error) {
    const words = error instanceof ApiError ? error : new ApiError({ status: 0, code: 'internal_error', message: '' })
    draft.changeFile(id, { error: words })
  }
}
