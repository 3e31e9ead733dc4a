import type { Operations } from './generated/operations.ts'

/** Every operation of the console's interface, by method and path; those on an account begin with `/account`. */
export type Operation = keyof Operations
export type Answer<Name extends Operation> = Operations[Name]['answer']

type Given<Name extends Operation> = Omit<Operations[Name], 'answer'>
/** What an operation takes: `path`, `query` and `body`, as far as it has them. */
export type Input<Name extends Operation> = Given<Name>

/** Live, or the test mode of keys: its own messages, people and conversations. */
export type Mode = 'live' | 'test'

export type CallOptions = {
  /** The account of an operation on one. */
  accountId?: string | undefined
  mode?: Mode
  signal?: AbortSignal | undefined
  /** Of a send: the same key again gives the same answer, and never a second message. */
  idempotencyKey?: string | undefined
}

/** Why something was refused, as this page words it. */
export type Reason = { code: string; params: Readonly<Record<string, string | number>> }
export type Detail = { message: string; field?: string; code?: string | number; reason?: Reason }

/** Why a call was not done: the gateway's error, or `unreachable` when none came. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly reason: Reason | null
  readonly details: readonly Detail[]
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(given: {
    status: number
    code: string
    message: string
    reason?: Reason | null
    details?: readonly Detail[]
    requestId?: string | null
    retryAfterSeconds?: number | null
  }) {
    super(given.message)
    this.status = given.status
    this.code = given.code
    this.reason = given.reason ?? null
    this.details = given.details ?? []
    this.requestId = given.requestId ?? null
    this.retryAfterSeconds = given.retryAfterSeconds ?? null
  }
}

const callMsMax = 30_000

/** Calls an operation. Throws `ApiError`, and what `signal` was aborted with. */
export async function call<Name extends Operation>(name: Name, input: Input<Name>, options: CallOptions = {}): Promise<Answer<Name>> {
  const { path, query, body } = input as { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
  const [method = 'GET', pattern = ''] = name.split(' ')
  const headers: Record<string, string> = options.mode === 'test' ? { 'pombo-mode': 'test' } : {}
  if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey
  const isForm = body instanceof FormData
  // Null: an operation whose body may be left out. The word `null` would be taken for a wrong body.
  const isEmpty = body === undefined || body === null
  if (!isEmpty && !isForm) headers['content-type'] = 'application/json'
  const sent: RequestInit = { method, headers, credentials: 'same-origin', signal: bounded(options.signal, isForm) }
  if (!isEmpty) sent.body = isForm ? body : JSON.stringify(body)
  const answer = await reach(addressOf(pattern, { accountId: options.accountId, path, query }), sent)
  if (!answer.ok) throw await errorOf(answer)
  return (answer.status === 204 ? null : await answer.json()) as Answer<Name>
}

/** An upload may take long on a slow line; anything else that takes this long hangs. */
function bounded(signal: AbortSignal | undefined, isForm: boolean): AbortSignal {
  const limit = AbortSignal.timeout(isForm ? callMsMax * 20 : callMsMax)
  return signal === undefined ? limit : AbortSignal.any([signal, limit])
}

type Place = { accountId?: string | undefined; path?: Record<string, string> | undefined; query?: Record<string, unknown> | undefined }

/** The address of an operation, also for what is not read by `call`: streams and downloads. */
export function addressOf(pattern: string, { accountId, path = {}, query = {} }: Place): string {
  const filled = pattern
    .replace(/^\/account(?=\/|$)/, `/accounts/${encodeURIComponent(accountId ?? '')}`)
    .replaceAll(/\{(\w+)\}/g, (_whole, field: string) => encodeURIComponent(path[field] ?? ''))
  const asked = new URLSearchParams()
  for (const [field, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') asked.set(field, String(value))
  const text = asked.toString()
  return `/console/api${filled}${text === '' ? '' : `?${text}`}`
}

async function reach(address: string, sent: RequestInit): Promise<Response> {
  try {
    return await fetch(address, sent)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError({ status: 0, code: 'unreachable', message: 'The gateway could not be reached.' })
  }
}

/** The error that an answer tells, whatever called for it. */
export async function errorOf(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => null)) as {
    error?: { code: string; message: string; reason?: Reason; details?: Detail[]; request_id?: string }
  } | null
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new ApiError({
    status: answer.status,
    code: body?.error?.code ?? 'internal_error',
    message: body?.error?.message ?? answer.statusText,
    reason: body?.error?.reason ?? null,
    details: body?.error?.details ?? [],
    requestId: body?.error?.request_id ?? answer.headers.get('request-id'),
    retryAfterSeconds: Number.isNaN(retryAfter) ? null : retryAfter,
  })
}
