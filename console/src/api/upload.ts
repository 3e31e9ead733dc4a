import { ApiError, addressOf, errorOf } from './client.ts'
import type { Media } from './generated/operations.ts'

type Options = { accountId: string; signal: AbortSignal; onProgress: (share: number) => void }

const uploadMsMax = 600_000

/** Uploads a file by `POST /account/media` and tells how much of it has left, from 0 to 1. Throws `ApiError`; an abort is `unreachable` too. */
export function uploadFile(file: File, { accountId, signal, onProgress }: Options): Promise<Media> {
  const { promise, resolve, reject } = Promise.withResolvers<Media>()
  // The one thing that `fetch` does not tell is how far an upload is.
  const request = new XMLHttpRequest()
  request.open('POST', addressOf('/account/media', { accountId }))
  request.timeout = uploadMsMax
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
  const lost = () => reject(new ApiError({ status: 0, code: 'unreachable', message: 'The gateway could not be reached.' }))
  request.onerror = lost
  request.ontimeout = lost
  request.onabort = lost
  request.onload = () => {
    if (request.status === 201) resolve(JSON.parse(request.responseText) as Media)
    else void errorOf(responseOf(request)).then(reject)
  }
  const abort = () => request.abort()
  signal.addEventListener('abort', abort)
  request.onloadend = () => signal.removeEventListener('abort', abort)
  const form = new FormData()
  form.append('file', file, file.name)
  request.send(form)
  return promise
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const name of ['retry-after', 'request-id']) {
    const value = request.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(request.responseText, { status: request.status, headers })
}
