import type { Readable } from 'node:stream'
import { type Dispatcher, Pool } from 'undici'
import type { Clock } from '../../base/clock.ts'
import { crashpoint } from '../../base/crashpoint.ts'
import { isObject, type Json, type JsonObject, parseJson, storableOf, wholeNumber } from '../../base/json.ts'

export type GraphRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below the version, with its query: `/118350927764405/messages`. */
  path: string
  token: string
  /** Instead of `Bearer`; only what is resumed asks for it. */
  authorization?: 'OAuth'
  /** Headers that only this call has. */
  headers?: Readonly<Record<string, string>>
  /** JSON text. */
  body?: string
  /** Bytes that stream through, instead of it. */
  streamed?: StreamedBody
  /** Monotonic milliseconds by which the first byte must leave; later it is not written at all. */
  startBy?: number
  /** For the whole call; left out: 30 s. */
  deadlineMs?: number
}

/** Exactly `bytes` of them. The stream is read or destroyed, whatever becomes of the call. */
export type StreamedBody = { contentType: string; bytes: number; stream: Readable }

/** What is known of a call afterwards. Only `not_sent` says that upstream cannot have acted on it. */
export type GraphAnswer =
  | { kind: 'answer'; statusCode: number; body: string }
  /** No byte was written: DNS, connect or TLS failed, or the time to start had passed. */
  | { kind: 'not_sent'; because: string }
  /** Bytes were written and no whole answer came: upstream may have acted. */
  | { kind: 'no_answer'; because: string }

export type Graph = {
  /** One call, at most 30 s in all where it does not say otherwise. Never throws for what the network does. */
  call(request: GraphRequest): Promise<GraphAnswer>
  /** How many calls can be under way at once; more would wait behind them. */
  readonly concurrentMax: number
  close(): Promise<void>
}

export type GraphOptions = { clock: Clock; baseUrl: string; version: string; deadlineMs?: number; concurrentMax?: number }

const connectTimeoutMs = 5_000
const callDeadlineMs = 30_000
const answerBytesMax = 1024 * 1024

/** The Graph API over HTTP/1.1, so that one connection carries one call and its fate is known. */
export function createGraph(options: GraphOptions): Graph {
  const base = new URL(options.baseUrl)
  const prefix = `${base.pathname.replace(/\/$/, '')}/${options.version}`
  const concurrentMax = options.concurrentMax ?? 256
  const pool = new Pool(base.origin, {
    allowH2: false,
    connect: { timeout: connectTimeoutMs },
    connections: concurrentMax,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    // Ours is the deadline: undici's own timers would start anew with each chunk.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    concurrentMax,
    call: async (request) => {
      request.streamed?.stream.on('error', () => {})
      const answer = await dispatch(
        pool,
        options.clock,
        { ...request, path: prefix + request.path },
        request.deadlineMs ?? options.deadlineMs ?? callDeadlineMs,
      )
      // A call that was never sent has not touched it.
      request.streamed?.stream.destroy()
      return answer
    },
    close: () => pool.destroy(),
  }
}

function dispatch(pool: Pool, clock: Clock, request: GraphRequest, deadlineMs: number): Promise<GraphAnswer> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null
    let statusCode = 0
    let bytes = 0
    const chunks: Buffer[] = []
    let done = false

    const finish = (answer: GraphAnswer) => {
      if (done) return
      done = true
      cancelDeadline()
      resolve(answer)
    }
    const giveUp = (because: string) => {
      const started = controller !== null
      finish({ kind: started ? 'no_answer' : 'not_sent', because })
      controller?.abort(new Error(because))
    }
    const cancelDeadline = clock.after(deadlineMs, () => giveUp('timeout'))

    pool.dispatch(
      {
        method: request.method,
        path: request.path,
        headers: {
          authorization: `${request.authorization ?? 'Bearer'} ${request.token}`,
          'user-agent': 'Pombo',
          ...headersOf(request),
          ...request.headers,
        },
        body: request.streamed?.stream ?? request.body ?? null,
      },
      {
        // The last moment before the first byte: whoever aborts here knows that nothing was written.
        onRequestStart(started) {
          const late = request.startBy !== undefined && clock.monotonicMs() > request.startBy
          if (late) finish({ kind: 'not_sent', because: 'late' })
          if (done) started.abort(new Error('not started'))
          else controller = started
        },
        onRequestSent() {
          if (request.method === 'POST') crashpoint('after_bytes')
        },
        onResponseStart(_controller, code) {
          statusCode = code
        },
        onResponseData(_controller, chunk) {
          bytes += chunk.length
          if (bytes > answerBytesMax) giveUp('answer too large')
          else chunks.push(chunk)
        },
        onResponseEnd() {
          finish({ kind: 'answer', statusCode, body: Buffer.concat(chunks).toString('utf8') })
        },
        onResponseError(_controller, error) {
          finish({ kind: controller === null ? 'not_sent' : 'no_answer', because: reasonOf(error) })
        },
      },
    )
  })
}

function headersOf({ body, streamed }: GraphRequest): Record<string, string> {
  if (streamed !== undefined) return { 'content-type': streamed.contentType, 'content-length': String(streamed.bytes) }
  return body === undefined ? {} : { 'content-type': 'application/json' }
}

function reasonOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** `explained` is what the platform would show to people, in the language of their account; null where it gives nothing. */
export type GraphError = { code: number | null; message: string; explained: { subcode: number | null; message: string } | null }

/**
 * The error inside an answer, or null when the body says none: HTML of a proxy, nothing at all, an object without code and words. Its code may be
 * a text of digits, and it may stand in a list.
 */
export function readGraphError(body: string): GraphError | null {
  const error = errorIn(firstOf(parsed(body)))
  if (error === null) return null
  const explained = explanationOf(error)
  const words = [memberOf(error.error_data, 'details'), error.message, explained?.message].find(
    (each) => typeof each === 'string' && each !== '',
  )
  if (words === undefined && (error.code ?? null) === null) return null
  return { code: wholeNumber(error.code), message: typeof words === 'string' ? words : 'the platform gave no reason', explained }
}

function errorIn(value: Json): JsonObject | null {
  const error = firstOf(memberOf(value, 'error') ?? memberOf(value, 'errors') ?? null)
  return isObject(error) ? error : null
}

const firstOf = (value: Json): Json => (Array.isArray(value) ? (value[0] ?? null) : value)

function explanationOf({ error_user_title: title, error_user_msg: message, error_subcode: subcode }: JsonObject): GraphError['explained'] {
  const words = [title, message].filter((each) => typeof each === 'string' && each !== '')
  return words.length === 0 ? null : { subcode: typeof subcode === 'number' ? subcode : null, message: words.join(': ') }
}

/** The parsed body with texts that can be stored, or null when it is not JSON. */
export function parsed(body: string): Json {
  try {
    return storableOf(body, parseJson(body))
  } catch {
    return null
  }
}

export function memberOf(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) ? value[key] : undefined
}
