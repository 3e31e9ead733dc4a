import { createReadStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadBucketCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { Clock } from '../../base/clock.ts'
import type { Bucket, ByteRange, Storage, StorageKey } from './storage.ts'

const connectMsMax = 5_000
/** Without a byte in either direction for this long a connection is given up. */
const idleMsMax = 60_000
/** For a whole upload of at most 100 MB; the answer to anything else begins sooner. */
const putMsMax = 120_000
const answerMsMax = 20_000
const putTriesMax = 3
const socketsMax = 256

/** Files as objects of one bucket. */
export function openS3Storage({ clock }: { clock: Clock }, { bucket, prefix, endpoint, region }: Bucket): Storage {
  const client = new S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    // Stores that are not Amazon's take any, but the client insists on one.
    ...(region === null ? (endpoint === null ? {} : { region: 'us-east-1' }) : { region }),
    // What it would write to the console by itself is thrown as well, and told where it is caught.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
    forcePathStyle: true,
    // By default the client appends a checksum in a framing of its own, which stores that do not know it keep as part of the file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectMsMax,
      socketTimeout: idleMsMax,
      httpAgent: { maxSockets: socketsMax },
      httpsAgent: { maxSockets: socketsMax },
    },
  })
  const objectOf = (key: StorageKey) => ({ Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` })
  return {
    async put(key, path, sizeBytes) {
      const putOnce = (abortSignal: AbortSignal) =>
        client.send(new PutObjectCommand({ ...objectOf(key), Body: createReadStream(path), ContentLength: sizeBytes }), { abortSignal })
      for (let tries = 1; ; tries += 1) {
        try {
          await within(clock, putMsMax, putOnce)
          return
        } catch (error) {
          // The client does not repeat what it streams, and a file can be read anew.
          if (tries === putTriesMax || isRefusal(error)) throw error
        }
      }
    },
    async read(key, range) {
      const command = new GetObjectCommand({
        ...objectOf(key),
        ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }),
      })
      const answer = await within(clock, answerMsMax, (abortSignal) => client.send(command, { abortSignal }))
      return bytesOf(answer, range)
    },
    async delete(key) {
      await within(clock, answerMsMax, (abortSignal) => client.send(new DeleteObjectCommand(objectOf(key)), { abortSignal }))
    },
    async check() {
      await within(clock, answerMsMax, (abortSignal) => client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal }))
    },
    close: () => client.destroy(),
  }
}

async function within<Value>(clock: Clock, ms: number, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const abort = new AbortController()
  const cancel = clock.after(ms, () => abort.abort())
  try {
    return await work(abort.signal)
  } finally {
    cancel()
  }
}

/** Wrong credentials, no such bucket: the same again would be refused too. */
function isRefusal(error: unknown): boolean {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429
}

function bytesOf({ Body, ContentLength, $metadata }: GetObjectCommandOutput, range: ByteRange | undefined): Readable {
  if (!(Body instanceof Readable)) throw new Error('the store answered without a body')
  if (range === undefined) return Body
  const length = range.end - range.start + 1
  if ($metadata.httpStatusCode === 206 && ContentLength === length) return Body
  // A store may pass over a range and answer the whole; anything else it must not.
  if ($metadata.httpStatusCode === 200 || range.start === 0) return cut(Body, range.start, length)
  Body.destroy()
  throw new Error('the store answered another range than it was asked for')
}

/** The bytes after the first `skip` ones, `length` of them. */
function cut(source: Readable, skip: number, length: number): Readable {
  let [before, left] = [skip, length]
  const cutting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const part = chunk.subarray(Math.min(before, chunk.length)).subarray(0, left)
      before -= Math.min(before, chunk.length)
      left -= part.length
      done(null, part)
      if (left === 0) source.unpipe(cutting).destroy()
      if (left === 0) cutting.end()
    },
  })
  source.on('error', (error) => left > 0 && cutting.destroy(error))
  cutting.on('close', () => source.destroy())
  return source.pipe(cutting)
}
