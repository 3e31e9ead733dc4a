import { Readable } from 'node:stream'
import type { Clock } from '../../base/clock.ts'
import { newUuid } from '../../base/id.ts'
import type { Json } from '../../base/json.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { type Graph, memberOf, parsed } from './graph.ts'
import { askUpstream, type UpstreamFailure } from './manage.ts'
import { type Brake, classify } from './send.ts'

/** What became of an upload to upstream. */
export type UploadOutcome =
  /** Upstream's id of the file, which works from that number for 30 days. */
  | { kind: 'uploaded'; upstreamId: string }
  /** This file is refused; the same again would be too. */
  | { kind: 'refused'; code: number | null; message: string }
  /** Not now: upstream is away, busy, or the number is not served. Uploading again harms nobody. */
  | { kind: 'unavailable'; brake: Brake; code: number | null; message: string }

export type UpstreamUpload = {
  token: string
  phoneNumberId: string
  mimeType: string
  /** Its extension must fit: upstream decides by type and name together. ASCII without quotes. */
  fileName: string
  sizeBytes: number
  bytes: Readable
}

/** 50 MB over a line of 5 Mbit/s take 80 s. */
const uploadMsMax = 180_000

/** Gives a file to one of our numbers. Streams, at most 3 minutes. Never throws for what the network or the bytes' stream does. */
export async function uploadMedia({ graph, clock }: { graph: Graph; clock: Clock }, upload: UpstreamUpload): Promise<UploadOutcome> {
  // Once the call has ended nobody listens to it any more, and a late error must not end the process.
  upload.bytes.on('error', () => {})
  const boundary = `pombo-${newUuid(clock.now())}`
  const field = (name: string, value: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${upload.fileName}"\r\ncontent-type: ${upload.mimeType}\r\n\r\n`
  const head = Buffer.from(field('messaging_product', 'whatsapp') + field('type', upload.mimeType) + file)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const answer = await graph.call({
    method: 'POST',
    path: `/${encodeURIComponent(upload.phoneNumberId)}/media`,
    token: upload.token,
    deadlineMs: uploadMsMax,
    streamed: {
      contentType: `multipart/form-data; boundary=${boundary}`,
      bytes: head.length + upload.sizeBytes + tail.length,
      stream: Readable.from(joined(head, upload.bytes, tail), { objectMode: false }),
    },
  })
  upload.bytes.destroy()
  const id = answer.kind === 'answer' && answer.statusCode < 300 ? memberOf(parsed(answer.body), 'id') : undefined
  if (typeof id === 'string' && id !== '') return { kind: 'uploaded', upstreamId: id }
  const outcome = classify(answer)
  if (outcome.kind === 'refused') return { kind: 'refused', code: outcome.code, message: outcome.message }
  if (outcome.kind === 'not_accepted') return { kind: 'unavailable', brake: outcome.brake, code: outcome.code, message: outcome.message }
  return {
    kind: 'unavailable',
    brake: 'lane',
    code: outcome.kind === 'unknown' ? outcome.code : null,
    message: outcome.kind === 'unknown' ? outcome.because : 'unreadable answer',
  }
}

async function* joined(head: Buffer, bytes: Readable, tail: Buffer): AsyncGenerator<Buffer> {
  yield head
  yield* bytes as AsyncIterable<Buffer>
  yield tail
}

/** A file of upstream's, as it says; null: not told. Its url lives 5 minutes. */
export type UpstreamFile = { url: string; mimeType: string | null; sha256: Buffer | null; sizeBytes: number | null }

export type MediaCall = { token: string; phoneNumberId: string; mediaId: string }

/** Asks upstream where one of its files is and what it is. */
export async function readUpstreamMedia(graph: Graph, call: MediaCall): Promise<Result<UpstreamFile, UpstreamFailure>> {
  const path = `/${encodeURIComponent(call.mediaId)}?phone_number_id=${encodeURIComponent(call.phoneNumberId)}`
  const answer = await askUpstream(graph, { method: 'GET', path, token: call.token })
  if (!answer.ok) return answer
  const { url, mime_type: mimeType, sha256, file_size: size } = answer.value
  if (typeof url !== 'string') return refused({ reached: true, code: null, message: 'It answered without a url.' })
  return ok({ url, mimeType: typeof mimeType === 'string' ? mimeType : null, sha256: digestOf(sha256), sizeBytes: sizeOf(size) })
}

/** Upstream writes it as hex in the look-up, and as base64 in notices. */
export function digestOf(text: Json | undefined): Buffer | null {
  if (typeof text !== 'string') return null
  const bytes = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64')
  return bytes.length === 32 ? bytes : null
}

/** A number in real answers, a text in its documents. */
function sizeOf(value: Json | undefined): number | null {
  const size = Number(typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? value : typeof value === 'number' ? value : Number.NaN)
  return Number.isSafeInteger(size) ? size : null
}
