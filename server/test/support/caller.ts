import { Pool } from 'undici'
import { type Contract, createContract } from './contract.ts'
import { noteReached } from './reached.ts'

export type CallOptions = {
  /** The API key; null or left out: no Authorization header. */
  key?: string | null
  /** A text or bytes go as they are; anything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
  query?: Record<string, string | number>
}

export type Answer = {
  status: number
  headers: Record<string, string | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any
  /** The bytes of the body, as text. */
  text: string
  bytes: Buffer
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'HEAD' | 'OPTIONS'

/** Calls a path such as `/v1/messages` over real HTTP. Throws when the answer is not what the contract says. */
export type Call = (method: Method, path: string, options?: CallOptions) => Promise<Answer>

export type TestCaller = { call: Call; contract: Contract; close(): Promise<void> }

const connections = 64

/** `sent` is told of every body, so that what must not be logged is known. */
export async function createCaller(url: string, sent: (body: unknown) => void): Promise<TestCaller> {
  const pool = new Pool(url, { connections, pipelining: 1, allowH2: false })
  const raw: Call = async (method, path, options = {}) => {
    const { statusCode, headers, body } = await pool.request({ method, ...requestOf(path, options) })
    const bytes = Buffer.from(await body.arrayBuffer())
    const text = bytes.toString('utf8')
    return { status: statusCode, headers: headers as Answer['headers'], text, bytes, body: parsed(text) }
  }
  const contract = createContract((await raw('GET', '/openapi.json')).body)
  return {
    contract,
    async call(method, path, options) {
      sent(options?.body)
      const answer = await raw(method, path, options)
      checkHead(path, answer)
      if (path.startsWith('/v1/') && method !== 'HEAD') {
        const reached = contract.check({ method, path: path.split('?')[0] ?? '', ...answer })
        if (reached !== null) noteReached(reached)
      }
      return answer
    },
    close: () => pool.close(),
  }
}

function requestOf(path: string, { key = null, body, headers = {}, query = {} }: CallOptions) {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  return {
    path: search === '' ? path : `${path}?${search}`,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : isRaw ? body : JSON.stringify(body),
  }
}

/** What holds for every answer, whatever the operation. */
function checkHead(path: string, { status, headers, body }: Answer): void {
  const problem = (what: string) => new Error(`the answer ${status} of ${path} ${what}`)
  if (!/^req_[0-9a-f]{32}$/.test(headers['request-id'] ?? '')) throw problem('has no Request-Id')
  if (status >= 400 && body?.error && body.error.request_id !== headers['request-id'])
    throw problem('names another request than its header')
  if (path.startsWith('/console/api/') && status >= 400 && !hasReason(body?.error))
    throw problem(`says "${body?.error?.message}" without a reason`)
  if (!path.startsWith('/v1/')) return
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
    if (!/^[0-9]+$/.test(headers[name] ?? '')) throw problem(`lacks ${name}`)
}

/** What the console says by the code alone. */
const saidByCode = new Set(['unauthorized', 'account_suspended', 'rate_limited', 'internal_error'])

/** Without one the console could not say in its reader's language why something was refused. */
function hasReason(error: { code: string; reason?: unknown; details?: readonly { reason?: unknown }[] } | undefined): boolean {
  if (error === undefined || saidByCode.has(error.code) || error.reason !== undefined) return true
  return error.details !== undefined && error.details.length > 0 && error.details.every(({ reason }) => reason !== undefined)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
