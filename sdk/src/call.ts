import { type RawAnswer, type ResponseInfo, readAnswer } from './answer.ts'
import { PomboError } from './error.ts'
import type { Answer, Input, OperationName } from './operations.ts'
import { checkedBaseUrl, type Parts, type PreparedRequest, requestOf } from './request.ts'
import { retryDelayMs } from './retry.ts'

export type PomboOptions = {
  /** `svc_live_…` or `svc_test_…`. */
  apiKey: string
  /** The gateway's address, which ends in `/v1`. Left out: the sandbox on this machine. */
  baseUrl?: string
  /** Instead of the runtime's own. */
  fetch?: typeof globalThis.fetch
  /** For each call, all its attempts and waits together; 60,000 unless said otherwise, and 300,000 for an upload. */
  timeoutMs?: number
  /** How many attempts may follow the first, 0 to 10, where repeating is safe; 2 unless said otherwise. */
  retries?: number
}

export type CallOptions = {
  /** Ends the call early; it then rejects with the signal's reason. */
  signal?: AbortSignal
  /** Instead of the client's own, for this call. */
  timeoutMs?: number
  /** Instead of the client's own, for this call. */
  retries?: number
}

/** What the client says of a call, beside what its user says. */
type Settings = CallOptions & {
  /** Making it twice does what making it once does. GETs always are. */
  repeatable?: boolean
  idempotencyKey?: string
  form?: FormData
}

export type Call = <Name extends OperationName>(name: Name, input: Input<Name>, settings?: Settings) => Promise<Answer<Name>>

/** Everything that is not the same at every run. */
export type Machine = { nowMs(): number; random(): number; wait(ms: number, signal: AbortSignal | undefined): Promise<void> }

const defaultUrl = 'http://localhost:8080/v1'
const defaultTimeoutMs = 60_000
const uploadTimeoutMs = 300_000
/** The longest that a timer can be set to: beyond it, it would go off at once. */
const timeoutMsMax = 2 ** 31 - 1
const defaultRetries = 2
const retriesMax = 10

type Policy = { timeoutMs: number; retries: number; repeatable: boolean; signal: AbortSignal | undefined }

/** How all operations are called, and what came beside their answers. */
export function createCaller(options: PomboOptions, machine: Machine) {
  const { apiKey } = options
  if (typeof apiKey !== 'string' || apiKey === '')
    throw new TypeError('apiKey is missing: an API key of the gateway, svc_live_… or svc_test_….')
  checkBounds(options)
  const baseUrl = checkedBaseUrl(options.baseUrl ?? defaultUrl)
  // Called by name: some runtimes refuse a `fetch` that is called as the method of another object.
  const fetchNow: typeof fetch = options.fetch ?? ((url, init) => fetch(url, init))
  const infos = new WeakMap<object, ResponseInfo>()
  const call: Call = async (name, input, settings = {}) => {
    const { form, idempotencyKey = null } = settings
    const request = requestOf(baseUrl, name, { ...(input as Parts), ...(form === undefined ? {} : { form }) })
    // Throws here, and not as a failed connection, for what no header can hold.
    request.headers.set('Authorization', `Bearer ${apiKey}`)
    if (idempotencyKey !== null) request.headers.set('Idempotency-Key', idempotencyKey)
    const policy = policyOf(options, settings, request)
    const attempt = async (ms: number) => {
      const raw = await post(fetchNow, request, { ms, signal: policy.signal, idempotencyKey })
      return raw instanceof PomboError ? raw : readAnswer(raw, idempotencyKey)
    }
    const { body, info } = await attempts(attempt, policy, machine)
    infos.set(body, info)
    return body as Answer<typeof name>
  }
  return { call, responseOf: (answer: object): ResponseInfo | null => infos.get(answer) ?? null }
}

function policyOf(options: PomboOptions, settings: Settings, request: PreparedRequest): Policy {
  const ownMs = settings.form === undefined ? defaultTimeoutMs : uploadTimeoutMs
  const timeoutMs = settings.timeoutMs ?? options.timeoutMs ?? ownMs
  const retries = settings.retries ?? options.retries ?? defaultRetries
  checkBounds({ timeoutMs, retries })
  return { timeoutMs, retries, repeatable: settings.repeatable ?? request.method === 'GET', signal: settings.signal }
}

function checkBounds({ timeoutMs = defaultTimeoutMs, retries = defaultRetries }: CallOptions): void {
  if (!(timeoutMs > 0 && timeoutMs <= timeoutMsMax))
    throw new TypeError(`timeoutMs is a number of milliseconds above 0, at most ${timeoutMsMax}; it is ${timeoutMs}.`)
  if (!Number.isInteger(retries) || retries < 0 || retries > retriesMax)
    throw new TypeError(`retries is a whole number from 0 to ${retriesMax}; it is ${retries}.`)
}

/**
 * Attempts until one succeeds, until none may follow, or until the call's time is over. Where an attempt may be repeated it gets an equal
 * share of the time: on a connection that has gone silent it would otherwise wait for nothing until the end.
 */
async function attempts<Value>(attempt: (ms: number) => Promise<Value | PomboError>, policy: Policy, machine: Machine): Promise<Value> {
  const { timeoutMs, retries, repeatable, signal } = policy
  const endsAtMs = machine.nowMs() + timeoutMs
  const shareMs = repeatable ? timeoutMs / (retries + 1) : timeoutMs
  for (let made = 1; ; made += 1) {
    const outcome = await attempt(Math.min(shareMs, endsAtMs - machine.nowMs()))
    if (!(outcome instanceof PomboError)) return outcome
    const facts = { attempts: made, retries, repeatable, remainingMs: endsAtMs - machine.nowMs(), random: machine.random() }
    const delayMs = retryDelayMs(outcome, facts)
    if (delayMs === null) throw outcome
    await machine.wait(delayMs, signal)
  }
}

type Bounds = { ms: number; signal: AbortSignal | undefined; idempotencyKey: string | null }

/** One attempt, its answer read to the end. Throws only when the user's own signal ends it. */
async function post(
  fetchNow: typeof fetch,
  request: PreparedRequest,
  { ms, signal, idempotencyKey }: Bounds,
): Promise<RawAnswer | PomboError> {
  signal?.throwIfAborted()
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), Math.max(0, ms))
  try {
    const { url, method, headers, body } = request
    const both = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal])
    // Not followed: a redirect would carry the key, or a send as a GET, to where nobody asked for it.
    const response = await fetchNow(url, { method, headers, body, signal: both, redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    const facts = { status: null, requestId: null, details: [], retryAfter: null, idempotencyKey }
    if (deadline.signal.aborted) return new PomboError('The gateway did not answer in time.', { ...facts, code: 'timeout' }, { cause })
    const words = 'The gateway could not be reached, or its answer broke off.'
    return new PomboError(words, { ...facts, code: 'connection_failed' }, { cause })
  } finally {
    clearTimeout(timer)
  }
}

/** The time and chance of the runtime. */
export const runtimeMachine: Machine = {
  nowMs: () => performance.now(),
  random: () => Math.random(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        if (signal?.aborted) reject(signal.reason)
        else resolve()
      }
      const timer = setTimeout(end, ms)
      signal?.addEventListener('abort', end)
      if (signal?.aborted) end()
    }),
}
