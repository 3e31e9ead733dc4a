import type { Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Clock, manualClock, systemClock } from '../../base/clock.ts'
import { createStrangerClient, type StrangerClient } from './post-to-stranger.ts'
import type { ResolveHost } from './resolve-host.ts'
import { http2Receiver, rawReceiver, receiverCertificate, type StrangeReceiver, tlsReceiver } from './strange-receivers.ts'

const deadlineMs = 400
const ending: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(ending.splice(0).map((end) => end()))
})

type Options = { clock?: Clock; resolve?: ResolveHost; certificateAuthorities?: string; deadlineMs?: number }

function client(options: Options = {}): StrangerClient {
  const { clock = systemClock(), certificateAuthorities = null, ...rest } = options
  const policy = { allowPrivate: true, allowCidrs: [], certificateAuthorities, ownEndpoints: [] }
  const made = createStrangerClient({ clock, policy, deadlineMs, ...rest })
  ending.push(made.close)
  return made
}

async function receiver(answer: (socket: Socket) => void): Promise<StrangeReceiver> {
  return kept(await rawReceiver(answer))
}

function kept(made: StrangeReceiver): StrangeReceiver {
  ending.push(made.close)
  return made
}

/** Writes the start, then the text every few milliseconds until the other side hangs up. */
function drip(socket: Socket, text: string, start = ''): void {
  socket.write(start)
  const timer = setInterval(() => socket.write(text), 10)
  socket.on('close', () => clearInterval(timer))
}

const post = (from: StrangerClient, to: StrangeReceiver, path = '/') =>
  from.post({ url: `http://127.0.0.1:${to.port}${path}`, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}') })
const postTls = (from: StrangerClient, to: StrangeReceiver, host = 'localhost') =>
  from.post({ url: `https://${host}:${to.port}/`, headers: {}, body: Buffer.from('{}') })
const answerOf = (head: string) => (socket: Socket) => socket.write(head)
const failure = (error: string) => ({ statusCode: null, durationMs: expect.any(Number), error, bodyHead: '' })
const success = (statusCode: number, bodyHead: string) => ({ statusCode, durationMs: expect.any(Number), error: null, bodyHead })

describe('an answer', () => {
  test('of 200 is handed back with its text, and the request arrives whole', async () => {
    const to = await receiver(answerOf('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
    expect(await post(client(), to, '/hook?a=b#c')).toEqual(success(200, 'ok'))
    expect(to.received).toBe(
      `POST /hook?a=b HTTP/1.1\r\nhost: 127.0.0.1:${to.port}\r\nconnection: keep-alive\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n{"a":1}`,
    )
  })

  test('of 500 is an answer like any other', async () => {
    const to = await receiver(answerOf('HTTP/1.1 500 Oops\r\ncontent-length: 4\r\n\r\noops'))
    expect(await post(client(), to)).toEqual(success(500, 'oops'))
  })

  test.each([301, 302, 303, 307, 308])('of %i is not followed', async (status) => {
    const trap = await receiver(answerOf('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    const to = await receiver(
      answerOf(`HTTP/1.1 ${status} Elsewhere\r\nlocation: http://127.0.0.1:${trap.port}/\r\ncontent-length: 0\r\n\r\n`),
    )
    expect(await post(client(), to)).toEqual(success(status, ''))
    expect(trap.connections).toBe(0)
  })

  test('after any number of interim answers is the one that counts', async () => {
    const to = await receiver(answerOf(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5)}HTTP/1.1 204 No Content\r\n\r\n`))
    expect(await post(client(), to)).toEqual(success(204, ''))
  })

  test('keeps one kilobyte of text: no half character, no NUL, no broken byte', async () => {
    const body = Buffer.concat([Buffer.from('a\0b'), Buffer.from([0xff]), Buffer.from(`${'c'.repeat(1019)}é and more`)])
    const to = await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`)
      socket.write(body)
    })
    expect(await post(client(), to)).toEqual(success(200, `a\ufffdb\ufffd${'c'.repeat(1019)}`))
  })

  test('is never decompressed and never asked for compressed', async () => {
    const to = await receiver(answerOf('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc'))
    const from = client()
    const url = `http://127.0.0.1:${to.port}/`
    expect(await from.post({ url, headers: { 'Accept-Encoding': 'gzip' }, body: Buffer.from('{}') })).toEqual(success(200, 'abc'))
    expect(to.received).not.toMatch(/accept-encoding/i)
  })
})

describe('a caller', () => {
  test('cannot say another host, another length or another connection', async () => {
    const to = await receiver(answerOf('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    const headers = {
      Host: 'other.test',
      'Content-Length': '99',
      'transfer-encoding': 'chunked',
      connection: 'upgrade',
      upgrade: 'h2c',
      expect: '100-continue',
      'x-kept': '1',
    }
    const answer = await client().post({ url: `http://127.0.0.1:${to.port}/`, headers, body: Buffer.from('{}') })
    expect(answer).toEqual(success(200, ''))
    expect(to.received).toContain(`host: 127.0.0.1:${to.port}\r\n`)
    expect(to.received).toContain('x-kept: 1')
    expect(to.received).not.toMatch(/other\.test|99|chunked|upgrade|expect/)
  })

  test('who gives a header that no request can carry learns it at once: that is no trouble of the network', async () => {
    const to = await receiver(() => undefined)
    const call = client().post({ url: `http://127.0.0.1:${to.port}/`, headers: { 'x-bad': 'a\r\nb: c' }, body: Buffer.from('{}') })
    await expect(call).rejects.toThrow('invalid x-bad header')
  })
})

describe('the deadline', () => {
  test.each([
    ['says nothing', () => undefined],
    ['drips headers', (socket: Socket) => drip(socket, 'x-a: b\r\n', 'HTTP/1.1 200 OK\r\n')],
    ['drips its status line', (socket: Socket) => drip(socket, 'O', 'HTTP/1.1 200 ')],
    ['never stops announcing an answer', (socket: Socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('ends a receiver that %s', async (_, answer) => {
    const to = await receiver(answer)
    const closed = to.hungUp()
    const got = await post(client(), to)
    expect(got).toEqual(failure('timeout'))
    expect(got.durationMs).toBeGreaterThanOrEqual(deadlineMs)
    expect(got.durationMs).toBeLessThan(deadlineMs + 2_000)
    await closed
  })

  test.each([
    ['drips its body for ever', (socket: Socket) => drip(socket, '1\r\nx\r\n'), /^x+$/],
    ['never ends its body', (socket: Socket) => socket.write('2\r\nab\r\n'), /^ab$/],
    ['never begins its body', () => undefined, /^$/],
  ])('does not undo the status of a receiver that %s, and hangs up', async (_, body, head) => {
    const to = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      body(socket)
    })
    const closed = to.hungUp()
    const got = await post(client(), to)
    expect(got).toEqual(success(200, expect.stringMatching(head)))
    expect(got.durationMs).toBeLessThan(deadlineMs)
    await closed
  })

  test('covers a name server that never answers', async () => {
    const from = client({ resolve: () => new Promise(() => undefined) })
    expect(await from.post({ url: 'https://receiver.test/', headers: {}, body: Buffer.from('{}') })).toEqual(failure('timeout'))
  })

  test('covers a TLS handshake that is never answered', async () => {
    const to = await receiver(() => undefined)
    expect(await postTls(client(), to)).toEqual(failure('timeout'))
  })

  test('is ten seconds by the given clock', async () => {
    const clock = manualClock('2026-03-02T12:00:00Z')
    const to = await receiver(() => undefined)
    const policy = { allowPrivate: true, allowCidrs: [], certificateAuthorities: null, ownEndpoints: [] }
    const from = createStrangerClient({ clock, policy })
    ending.push(from.close)
    const arrived = to.requested()
    let answered = false
    const call = post(from, to).finally(() => {
      answered = true
    })
    await arrived
    clock.advance(9_950)
    await new Promise(setImmediate)
    expect(answered).toBe(false)
    clock.advance(50)
    expect(await call).toEqual({ ...failure('timeout'), durationMs: 10_000 })
  })
})

describe('sizes', () => {
  test('a body that never ends is cut after 64 kB, long before the deadline', async () => {
    const to = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const more = () => {
        while (socket.writable && socket.write('y'.repeat(16_384))) {}
      }
      socket.on('drain', more)
      more()
    })
    const closed = to.hungUp()
    expect(await post(client({ deadlineMs: 60_000 }), to)).toEqual(success(200, 'y'.repeat(1024)))
    await closed
  })

  test('a body of 64 kB is read to its end and its connection used again; one byte more is not', async () => {
    let size = 64 * 1024
    const to = await receiver((socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n${'z'.repeat(size)}`))
    const from = client()
    for (let posts = 0; posts < 10; posts++) expect(await post(from, to)).toEqual(success(200, 'z'.repeat(1024)))
    // Two, because the next post may leave before undici has put the connection of the last one back.
    expect(to.connections).toBeLessThanOrEqual(2)
    size += 1
    const closed = to.hungUp()
    expect(await post(from, to)).toEqual(success(200, 'z'.repeat(1024)))
    await closed
  })

  test('headers above 16 kB are refused, below they are not', async () => {
    const header = (bytes: number) => `HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(bytes)}\r\ncontent-length: 0\r\n\r\n`
    expect(await post(client(), await receiver(answerOf(header(15_000))))).toEqual(success(200, ''))
    expect(await post(client(), await receiver(answerOf(header(17_000))))).toEqual(failure('protocol'))
  })
})

describe('a connection that fails', () => {
  test('because nobody listens', async () => {
    const gone = await rawReceiver(() => undefined)
    await gone.close()
    expect(await post(client(), gone)).toEqual(failure('connect'))
  })

  test('because the name does not exist', async () => {
    for (const resolve of [async () => [], () => Promise.reject(new Error('ENOTFOUND'))]) {
      const got = await client({ resolve }).post({ url: 'https://receiver.test/', headers: {}, body: Buffer.from('{}') })
      expect(got).toEqual(failure('dns'))
    }
  })

  test('because the receiver closes early, or resets', async () => {
    expect(await post(client(), await receiver((socket) => socket.end()))).toEqual(failure('reset'))
    expect(await post(client(), await receiver((socket) => socket.resetAndDestroy()))).toEqual(failure('reset'))
    const half = await receiver((socket) => socket.end('HTTP/1.1 200 OK\r\nx-a: '))
    expect(await post(client(), half)).toEqual(failure('reset'))
  })

  // rule: delivery 17
  test.each([
    ['both lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
    ['bare line feeds', 'HTTP/1.0 200 OK\ncontent-length: 2\n\nok'],
  ])('because the answer has a fault in its form: %s', async (_what, answer) => {
    expect(await post(client(), await receiver(answerOf(answer)))).toEqual(failure('protocol'))
  })

  test('because the receiver speaks no HTTP', async () => {
    expect(await post(client(), await receiver(answerOf('SSH-2.0-OpenSSH_9.9\r\n')))).toEqual(failure('protocol'))
    expect(await post(client(), await receiver(answerOf('HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n')))).toEqual(failure('protocol'))
  })

  test('after the headers does not undo the status', async () => {
    const to = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', () => socket.resetAndDestroy())
    })
    expect(await post(client(), to)).toMatchObject({ statusCode: 200, error: null })
  })
})

// rule: delivery 16
describe('a resting connection that ends when the next request comes', () => {
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
  /** Answers the first request of each connection, and does this at the second. */
  const onceEach = async (atSecond: (socket: Socket) => void, atFresh: (socket: Socket) => void = answerOf(ok)) => {
    const served = new WeakSet<Socket>()
    let isFirst = true
    return receiver((socket) => {
      if (served.has(socket)) return atSecond(socket)
      served.add(socket)
      if (isFirst) socket.write(ok)
      else atFresh(socket)
      isFirst = false
    })
  }
  /** The client takes a connection for its next request only a turn after an answer. */
  const rested = async (call: Promise<unknown>) => {
    const got = await call
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    return got
  }
  const requests = (to: StrangeReceiver) => to.received.split('POST / ').length - 1

  test.each([
    ['ends', (socket: Socket) => socket.end()],
    ['is reset', (socket: Socket) => socket.resetAndDestroy()],
  ])('and %s: the same request goes out on a fresh one, as one attempt', async (_what, atSecond) => {
    const to = await onceEach(atSecond)
    const from = client()
    expect([await rested(post(from, to)), await post(from, to)]).toEqual([success(200, ''), success(200, '')])
    expect([to.connections, requests(to)]).toEqual([2, 3])
  })

  test('is tried once more and not twice', async () => {
    const to = await onceEach(
      (socket) => socket.end(),
      (socket) => socket.end(),
    )
    const from = client()
    expect([await rested(post(from, to)), await post(from, to)]).toEqual([success(200, ''), failure('reset')])
    expect([to.connections, requests(to)]).toEqual([2, 3])
  })

  test('after a byte of an answer is a failure', async () => {
    const to = await onceEach((socket) => socket.end('H'))
    const from = client()
    await rested(post(from, to))
    expect(await post(from, to)).toEqual(failure('reset'))
    expect(requests(to)).toBe(2)
  })

  test('has its one deadline: that of the attempt', async () => {
    const to = await onceEach(
      (socket) => socket.end(),
      () => undefined,
    )
    const from = client()
    await rested(post(from, to))
    const got = await post(from, to)
    expect(got).toEqual(failure('timeout'))
    expect(got.durationMs).toBeLessThan(deadlineMs + 2_000)
  })

  test('a fresh one that ends is a failure at once', async () => {
    const to = await receiver((socket) => socket.end())
    expect(await post(client(), to)).toEqual(failure('reset'))
    expect(to.connections).toBe(1)
  })

  test('under TLS too', async () => {
    const to = kept(await tlsReceiver({ endsSecond: true }))
    const from = client({ certificateAuthorities: receiverCertificate() })
    expect([await rested(postTls(from, to)), await postTls(from, to)]).toEqual(Array(2).fill(success(200, `host localhost:${to.port}`)))
    expect(to.connections).toBe(2)
  })
})

describe('TLS', () => {
  test('a certificate that nobody vouches for is refused', async () => {
    const to = kept(await tlsReceiver())
    expect(await postTls(client(), to)).toEqual(failure('tls'))
    expect(to.received).toBe('')
  })

  test('the same certificate is accepted once the operator names its authority', async () => {
    const to = kept(await tlsReceiver())
    const from = client({ certificateAuthorities: receiverCertificate() })
    expect(await postTls(from, to)).toEqual(success(200, `host localhost:${to.port}`))
    expect(await postTls(from, to, '127.0.0.1')).toEqual(success(200, `host 127.0.0.1:${to.port}`))
  })

  test('a certificate for another name is refused', async () => {
    const to = kept(await tlsReceiver())
    const from = client({ certificateAuthorities: receiverCertificate(), resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    expect(await postTls(from, to, 'other.test')).toEqual(failure('tls'))
    expect(await postTls(from, to, 'receiver.test')).toMatchObject({ statusCode: 200 })
  })

  test('a receiver that speaks no TLS fails in the handshake', async () => {
    const to = kept(await rawReceiver(() => undefined))
    const hangsUp = to.requested().then(to.close)
    expect(await postTls(client(), to)).toEqual(failure('tls'))
    await hangsUp
  })

  test('HTTP/2 is not spoken with a receiver that offers it', async () => {
    const to = kept(await http2Receiver())
    expect(await postTls(client({ certificateAuthorities: receiverCertificate() }), to)).toEqual(success(200, 'HTTP 1.1'))
  })
})

describe('the client', () => {
  test('tries the other addresses of a name when one does not answer', async () => {
    const to = await receiver(answerOf('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    const from = client({
      resolve: async () => [
        { address: '::1', family: 6 },
        { address: '127.0.0.1', family: 4 },
      ],
    })
    expect(await from.post({ url: `http://receiver.test:${to.port}/`, headers: {}, body: Buffer.from('{}') })).toEqual(success(200, ''))
  })

  test('keeps nothing of an origin that is no longer called, whether it answered or hung', async () => {
    const clock = manualClock('2026-03-02T12:00:00Z')
    const to = await receiver(answerOf('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    const from = client({
      clock,
      resolve: async (host) => (host === 'hangs.test' ? new Promise(() => undefined) : [{ address: '127.0.0.1', family: 4 }]),
    })
    const urls = ['a.test', 'b.test', 'hangs.test'].map((host) => `http://${host}:${to.port}/`)
    const calls = urls.map((url) => from.post({ url, headers: {}, body: Buffer.from('{}') }))
    await Promise.all(calls.slice(0, 2))
    expect(from.originCount()).toBe(3)
    clock.advance(deadlineMs)
    expect(await calls[2]).toMatchObject({ error: 'timeout' })
    clock.advance(2_000)
    expect(from.originCount()).toBe(0)
  })

  test('does not let hanging attempts hold up others at the same origin', async () => {
    let first = true
    const to = await receiver((socket) => {
      if (first) first = false
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
    const from = client()
    const arrived = to.requested()
    const hanging = post(from, to)
    await arrived
    expect(await post(from, to)).toEqual(success(200, ''))
    expect(await hanging).toEqual(failure('timeout'))
  })

  test('ends all attempts when it is closed, and starts none after', async () => {
    const to = await receiver(() => undefined)
    const from = client({ deadlineMs: 60_000 })
    const [arrived, closed] = [to.requested(), to.hungUp()]
    const call = post(from, to)
    await arrived
    await from.close()
    expect(await call).toEqual(failure('closed'))
    await closed
    expect(await post(from, to)).toEqual(failure('closed'))
    expect(to.connections).toBe(1)
  })
})
