import { afterEach, describe, expect, test } from 'vitest'
import { createCaller, type Machine, type PomboOptions, runtimeMachine } from '../src/call.ts'
import { createPombo, PomboError } from '../src/index.ts'
import { type Reply, refusal, type StandIn, startStandIn } from './support/stand-in.ts'

const apiKey = 'svc_test_of-the-tests'
const text = { to: '+55 11 98765-4321', type: 'text', text: { body: 'Olá!' } } as const
const accepted: Reply = { status: 202, body: { id: 'msg_1', object: 'message', status: 'queued' } }
const hangUp: Reply = (response) => response.destroy()
const breakOff: Reply = (response) => {
  response.writeHead(202, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"id":', () => response.destroy())
}

let standIn: StandIn | null = null
afterEach(async () => {
  await standIn?.close()
  standIn = null
})

/** A client whose waits take no time and are told; its clock moves by what it waits. */
async function client(script: readonly Reply[], options: Partial<PomboOptions> = {}) {
  standIn = await startStandIn(...script)
  const { machine, waits } = virtualMachine()
  const { call, responseOf } = createCaller({ apiKey, baseUrl: standIn.url, ...options }, machine)
  const send = (idempotencyKey = 'order-4711') => call('POST /messages', { body: text }, { repeatable: true, idempotencyKey })
  return { call, responseOf, send, heard: standIn.heard, waits }
}

function virtualMachine() {
  const waits: number[] = []
  let nowMs = 0
  const machine: Machine = {
    nowMs: () => nowMs,
    random: () => 0,
    async wait(ms) {
      waits.push(ms)
      nowMs += ms
    },
  }
  return { machine, waits }
}

async function failureOf(work: Promise<unknown>): Promise<PomboError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(PomboError)
  return error as PomboError
}

describe('a send', () => {
  test.each([
    ['the connection breaks off', hangUp],
    ['the answer breaks off', breakOff],
    ['the gateway answers 500', refusal(500, 'internal_error')],
    ['a proxy answers 503', { status: 503, body: '<html>', headers: { 'content-type': 'text/html' } } satisfies Reply],
  ])('is repeated when %s, with the same key and the same bytes', async (_what, trouble) => {
    const { send, heard, waits } = await client([trouble, trouble, accepted])
    expect(await send()).toMatchObject({ id: 'msg_1' })
    expect(heard.map((each) => each.headers['idempotency-key'])).toEqual(['order-4711', 'order-4711', 'order-4711'])
    expect(new Set(heard.map((each) => each.body.toString())).size).toBe(1)
    expect(waits).toEqual([250, 500])
  })

  test('fails in the end with the key by which it can be sent again without being sent twice', async () => {
    const { send, heard } = await client([hangUp])
    const error = await failureOf(send())
    expect(error).toMatchObject({ code: 'connection_failed', status: null, requestId: null, idempotencyKey: 'order-4711' })
    expect(error.cause).toBeDefined()
    expect(heard).toHaveLength(3)
  })

  test('is not repeated when it was refused, and says everything that the gateway said', async () => {
    const details = [{ field: 'text.body', message: 'is too long', code: 'maxLength' }]
    const { send, heard } = await client([refusal(400, 'invalid_request', { details })])
    expect(await failureOf(send())).toMatchObject({
      ...{ name: 'PomboError', code: 'invalid_request', status: 400, message: 'refused: invalid_request' },
      ...{ requestId: 'req_stand-in', details, retryAfter: null, idempotencyKey: 'order-4711' },
    })
    expect(heard).toHaveLength(1)
  })

  test('waits as long as Retry-After says', async () => {
    const { send, waits } = await client([refusal(429, 'rate_limited', { headers: { 'retry-after': '7' } }), accepted])
    await send()
    expect(waits).toEqual([7000])
  })

  test('that would have to wait longer than a minute is told so at once', async () => {
    const { send, heard, waits } = await client([refusal(429, 'rate_limited', { headers: { 'retry-after': '3600' } })])
    expect(await failureOf(send())).toMatchObject({ code: 'rate_limited', retryAfter: 3600 })
    expect([heard.length, waits]).toEqual([1, []])
  })

  test('gets a key of its own when the caller names none', async () => {
    standIn = await startStandIn(accepted)
    const pombo = createPombo({ apiKey, baseUrl: standIn.url })
    await pombo.messages.send(text)
    await pombo.messages.send(text)
    await pombo.messages.send(text, { idempotencyKey: 'order-4711' })
    const [one, two, named] = standIn.heard.map((each) => each.headers['idempotency-key'])
    expect(one).toMatch(/^[0-9a-f-]{36}$/)
    expect(two).toMatch(/^[0-9a-f-]{36}$/)
    expect(one).not.toBe(two)
    expect(named).toBe('order-4711')
  })

  test('with a key that no header can hold is a mistake of the caller, not of the connection', async () => {
    const { send, heard } = await client([accepted])
    await expect(send('pedido 🕊')).rejects.toThrow(TypeError)
    expect(heard).toHaveLength(0)
  })

  test('says whether it was replayed, its request id, and what the rate limit leaves', async () => {
    const limits = { 'ratelimit-limit': '600', 'ratelimit-remaining': '598', 'ratelimit-reset': '41' }
    const { send, responseOf } = await client([accepted, { ...accepted, headers: { 'idempotent-replayed': 'true', ...limits } }])
    expect(responseOf(await send())).toEqual({ status: 202, requestId: 'req_stand-in', replayed: false, rateLimit: null })
    expect(responseOf(await send())).toMatchObject({ replayed: true, rateLimit: { limit: 600, remaining: 598, resetSeconds: 41 } })
    expect(responseOf({})).toBeNull()
  })
})

describe('other calls', () => {
  test('a GET is repeated', async () => {
    const { call, heard } = await client([hangUp, refusal(500, 'internal_error'), { status: 200, body: { object: 'list' } }])
    expect(await call('GET /channels', {})).toEqual({ object: 'list' })
    expect(heard).toHaveLength(3)
  })

  test.each([hangUp, refusal(500, 'internal_error')])('what makes or changes something is not', async (trouble) => {
    const { call, heard } = await client([trouble])
    const body = { url: 'https://receiver.example', events: ['*' as const] }
    expect(await failureOf(call('POST /webhooks', { body }))).toMatchObject({ idempotencyKey: null })
    await failureOf(call('DELETE /webhooks/{id}', { path: { id: 'whk_1' } }))
    expect(heard).toHaveLength(2)
  })

  test('unless it was refused for coming too often', async () => {
    const { call, heard } = await client([refusal(429, 'rate_limited', { headers: { 'retry-after': '1' } }), { status: 200 }])
    await call('DELETE /webhooks/{id}', { path: { id: 'whk_1' } })
    expect(heard).toHaveLength(2)
  })

  test('an answer of something else than a gateway is told as that', async () => {
    const { call } = await client([{ status: 200, body: 'Welcome to nginx!' }])
    expect(await failureOf(call('GET /channels', {}))).toMatchObject({ code: 'unexpected_answer', status: 200 })
  })

  test('a redirect is not followed: the key would go with it', async () => {
    const { call, heard } = await client([{ status: 307, headers: { location: '/v1/elsewhere' } }])
    expect(await failureOf(call('GET /channels', {}))).toMatchObject({ code: 'unexpected_answer', status: 307 })
    expect(heard).toHaveLength(1)
  })

  test('every call carries the key, and no error repeats it', async () => {
    const { call, heard } = await client([refusal(401, 'unauthorized')])
    const error = await failureOf(call('GET /channels', {}))
    expect(heard[0]?.headers.authorization).toBe(`Bearer ${apiKey}`)
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(apiKey)
  })
})

describe('the time of a call', () => {
  /** Never answers, and notices when it is ended; each attempt takes as long as it is given. */
  function silence(machineMs: (ms: number) => void) {
    const given: number[] = []
    const silent: typeof fetch = (_url, init) =>
      new Promise((_, reject) => {
        const startedMs = performance.now()
        init?.signal?.addEventListener('abort', () => {
          given.push(performance.now() - startedMs)
          machineMs(40)
          reject(init.signal?.reason)
        })
      })
    return { silent, given }
  }

  test('is shared out among the attempts where repeating is safe, and is the bound of all of them', async () => {
    let nowMs = 0
    const { silent, given } = silence((ms) => {
      nowMs += ms
    })
    const machine: Machine = { nowMs: () => nowMs, random: () => 0, wait: async () => {} }
    // The shares of three attempts in 120 ms are 40 each; no wait of a quarter of a second fits in.
    const { call } = createCaller({ apiKey, fetch: silent, timeoutMs: 120 }, machine)
    expect(await failureOf(call('GET /channels', {}))).toMatchObject({ code: 'timeout', status: null })
    expect(given).toHaveLength(1)
    const patient = createCaller({ apiKey, fetch: silent, timeoutMs: 120 }, { ...machine, nowMs: () => 0, wait: async () => {} })
    expect(await failureOf(patient.call('GET /channels', {}, { timeoutMs: 900 }))).toMatchObject({ code: 'timeout' })
    expect(given).toHaveLength(4)
  })

  test('is whole for a call that is made once', async () => {
    const { silent, given } = silence(() => {})
    const { machine } = virtualMachine()
    const { call } = createCaller({ apiKey, fetch: silent, timeoutMs: 90 }, machine)
    await failureOf(call('DELETE /webhooks/{id}', { path: { id: 'whk_1' } }))
    expect(given).toHaveLength(1)
    expect(given[0]).toBeGreaterThan(80)
  })

  test('ends when the caller says so, also during a wait, with the reason of the caller', async () => {
    standIn = await startStandIn(hangUp)
    const aborted = new AbortController()
    const reason = new Error('the customer went away')
    const { machine } = virtualMachine()
    const abortingWait: Machine = { ...machine, wait: async () => aborted.abort(reason) }
    const { call } = createCaller({ apiKey, baseUrl: standIn.url }, abortingWait)
    await expect(call('GET /channels', {}, { signal: aborted.signal })).rejects.toBe(reason)
    expect(standIn.heard).toHaveLength(1)
    await expect(call('GET /channels', {}, { signal: aborted.signal })).rejects.toBe(reason)
    expect(standIn.heard).toHaveLength(1)
  })

  test('a wait of the runtime ends with the signal, and at once when that has come before', async () => {
    const aborted = new AbortController()
    const waited = runtimeMachine.wait(600_000, aborted.signal)
    aborted.abort(new Error('enough'))
    await expect(waited).rejects.toThrow('enough')
    await expect(runtimeMachine.wait(600_000, aborted.signal)).rejects.toThrow('enough')
    await expect(runtimeMachine.wait(1, undefined)).resolves.toBeUndefined()
  })
})

describe('a client that cannot work says so when it is made', () => {
  test.each([
    ['no key', { apiKey: '' }],
    ['an address without /v1', { apiKey, baseUrl: 'https://gateway.example' }],
    ['no address', { apiKey, baseUrl: 'gateway' }],
    ['another protocol', { apiKey, baseUrl: 'ftp://gateway.example/v1' }],
    ['no time', { apiKey, timeoutMs: 0 }],
    ['more retries than anyone needs', { apiKey, retries: 11 }],
  ])('%s', (_what, options) => {
    expect(() => createPombo(options)).toThrow(TypeError)
  })

  test('a slash at the end does no harm', async () => {
    standIn = await startStandIn({ status: 200, body: { object: 'list', data: [], has_more: false } })
    await createPombo({ apiKey, baseUrl: `${standIn.url}/` })
      .channels.list()
      .page()
    expect(standIn.heard[0]?.url).toBe('/v1/channels')
  })

  test.each([{ timeoutMs: 0 }, { timeoutMs: Number.NaN }, { timeoutMs: 2 ** 31 }, { retries: -1 }, { retries: 11 }, { retries: 0.5 }])(
    '%j',
    async (options) => {
      const pombo = createPombo({ apiKey, baseUrl: 'http://127.0.0.1:9/v1' })
      await expect(pombo.messages.get('msg_1', options)).rejects.toThrow(TypeError)
    },
  )
})
