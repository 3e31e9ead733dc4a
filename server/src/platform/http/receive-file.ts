import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { because, invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'

/** A file that was read from a form, whole, on this disk. */
export type ReceivedFile = {
  path: string
  sizeBytes: number
  sha256: Buffer
  /** As the caller named it, without directories; null: it did not. */
  fileName: string | null
}

export type ReceiveOptions = {
  /** The one part that the form may have. */
  field: string
  /** Where the bytes go: nothing is there yet. Whoever calls deletes it, whatever the outcome. */
  path: string
  bytesMax: number
  /** What a larger file is told. */
  tooLarge: Refusal
}

/** Boundaries and headers of the form around the file. */
const aroundBytesMax = 64 * 1024
const partsMax = 10
/** How many times the largest file may still come after it was refused. */
const passedOverTimes = 3

/** How much of a form is in memory while it streams through, whatever its length: the buffers between socket and disk. */
export const formBytesHeld = 256 * 1024

/** In this scope a body is a form, which `receiveFile` reads; any other is refused. */
export async function readForms(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, { throwFileSizeLimit: false })
}

/**
 * Reads a form that has one file and nothing else, straight to the disk. Refused: every other form, and one that ends too early. What the
 * disk cannot take is thrown.
 */
export async function receiveFile(request: FastifyRequest, options: ReceiveOptions): Promise<Result<ReceivedFile, Refusal>> {
  const reading: Reading = { isOver: false, part: null }
  try {
    if (!request.isMultipart())
      return refused(
        refusal('invalid_request', because('file_form', 'The body must be a form: Content-Type multipart/form-data with a boundary.')),
      )
    const bytesMax = options.bytesMax + aroundBytesMax
    if (Number(request.headers['content-length'] ?? 0) > bytesMax) return refused(options.tooLarge)
    const past = pastBytes(request.raw, bytesMax).then(() => refused(options.tooLarge))
    return await Promise.race([readForm(request, options, reading), past])
  } finally {
    if (!request.raw.readableEnded) giveUp(request.raw, reading, passedOverTimes * options.bytesMax)
  }
}

/** What is under way with a form, so that it can be given up from outside. */
type Reading = { isOver: boolean; part: Readable | null }

/** A caller that still writes would lose the answer if its connection were closed now: what it sends is passed over, up to a bound. */
function giveUp(message: IncomingMessage, reading: Reading, bytesMax: number): void {
  message.unpipe()
  // Nothing more comes to whoever waits for the rest of a part, and a file would stay open.
  reading.isOver = true
  reading.part?.destroy()
  let bytes = 0
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bytesMax) message.destroy()
  })
  message.resume()
}

/** Resolves when more than so many bytes have come, which a form that does not tell its length can bring. */
function pastBytes(message: IncomingMessage, bytesMax: number): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0
    // The form's own reader starts in the same turn, so that it misses nothing of what this lets flow.
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bytesMax) resolve()
    })
  })
}

async function readForm(request: FastifyRequest, options: ReceiveOptions, reading: Reading): Promise<Result<ReceivedFile, Refusal>> {
  const limits = { fileSize: options.bytesMax, fieldSize: 1024, parts: partsMax, headerPairs: 50 }
  let received: ReceivedFile | null = null
  let wrong: Refusal | null = null
  try {
    for await (const part of request.parts({ limits })) {
      if (reading.isOver) return refused(options.tooLarge)
      const refusedPart = partRefusal(part.type, part.fieldname, received !== null, options.field)
      wrong ??= refusedPart
      // What is refused is still read, so that the caller hears why.
      if (part.type === 'field') continue
      reading.part = part.file
      if (wrong !== null) part.file.resume()
      else received = await spool(part, options.path)
      if (part.file.truncated) return refused(options.tooLarge)
    }
  } catch (error) {
    if (isOfDisk(error)) throw error
    return refused(wrong ?? refusal('invalid_request', wordsOf(error)))
  }
  if (wrong !== null) return refused(wrong)
  return received === null
    ? refused(invalidField(options.field, because('file_form', `The form has no file named ${options.field}.`)))
    : ok(received)
}

function partRefusal(type: 'file' | 'field', name: string, isSecond: boolean, field: string): Refusal | null {
  if (name !== field)
    return invalidField(
      name,
      because('file_form', `The form may have only the file ${field}; it has ${JSON.stringify(name.slice(0, 100))} too.`),
    )
  if (type === 'field') return invalidField(field, because('file_form', `${field} must be sent as a file: its part needs a filename.`))
  return isSecond ? invalidField(field, because('file_form', `The form may have only one file ${field}.`)) : null
}

async function spool(part: MultipartFile, path: string): Promise<ReceivedFile> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      hash.update(chunk)
      sizeBytes += chunk.length
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
  return { path, sizeBytes, sha256: hash.digest(), fileName: part.filename ? part.filename : null }
}

/** Errors of the connection and of the form itself are the caller's; those of the disk are an outage. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && ['open', 'write', 'close'].includes(String(error.syscall))
}

function wordsOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'FST_PARTS_LIMIT') return 'The form has too many parts.'
  if (error instanceof Error && /boundary/i.test(error.message)) return 'The Content-Type of the form lacks its boundary.'
  return 'The form could not be read to its end: it is broken off, or not multipart/form-data.'
}
