import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import { createGraph, type Graph, type GraphOptions } from './graph.ts'

const clock = manualClock('2026-03-02T12:00:00Z')
const opened: { close(): Promise<unknown> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

/** A server of raw sockets: `onRequest` is called once the head of a request and its body's beginning are there. */
type RawServer = { url: string; received: string; connections: number; heard: (text: string) => Promise<void> }

async function serve(onRequest: (socket: Socket) => void, server: Server = createServer(), scheme = 'http'): Promise<RawServer> {
  const sockets = new Set<Socket>()
  const waiting: { text: string; resolve: () => void }[] = []
  const raw: RawServer = {
    url: '',
    received: '',
    connections: 0,
    heard: (text) =>
      new Promise((resolve) => {
        waiting.push({ text, resolve })
        tell()
      }),
  }
  const tell = () => {
    for (const each of waiting) if (raw.received.includes(each.text)) each.resolve()
  }
  server.on(scheme === 'https' ? 'secureConnection' : 'connection', (socket: Socket) => {
    raw.connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      raw.received += chunk.toString('latin1')
      tell()
      if (chunk.includes('\r\n\r\n')) onRequest(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  raw.url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
  opened.push({
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
  })
  return raw
}

function graphTo(baseUrl: string, options: Partial<GraphOptions> = {}): Graph {
  const graph = createGraph({ clock, baseUrl, version: 'v25.0', ...options })
  opened.push(graph)
  return graph
}

const post = (graph: Graph, more: { path?: string; startBy?: number; deadlineMs?: number; token?: string } = {}) =>
  graph.call({ method: 'POST', path: '/1/messages', token: 'secret', body: '{"to":"+1"}', ...more })

const ok = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const connectionClosed = (socket: Socket) => new Promise<void>((resolve) => socket.on('close', () => resolve()))

describe('a call', () => {
  test('goes to the versioned path with the token, and its answer comes back as it was written', async () => {
    const server = await serve((socket) => socket.write(ok('{"messages":[{"id":"wamid.ção"}]}')))
    const answer = await post(graphTo(`${server.url}/base/`))
    expect(answer).toEqual({ kind: 'answer', statusCode: 200, body: '{"messages":[{"id":"wamid.ção"}]}' })
    expect(server.received).toMatch(/^POST \/base\/v25\.0\/1\/messages HTTP\/1\.1\r\n/)
    expect(server.received).toMatch(/\r\nauthorization: Bearer secret\r\n/i)
    expect(server.received).toMatch(/\r\ncontent-type: application\/json\r\n/i)
    expect(server.received).toContain('{"to":"+1"}')
  })

  test('that upstream refuses is an answer like any other', async () => {
    const server = await serve((socket) => socket.write('HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\n{}'))
    expect(await post(graphTo(server.url))).toEqual({ kind: 'answer', statusCode: 401, body: '{}' })
  })

  test('follows no redirect', async () => {
    const server = await serve((socket) => socket.write('HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n'))
    expect(await post(graphTo(server.url))).toEqual({ kind: 'answer', statusCode: 302, body: '' })
    expect(server.received.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
})

describe('nothing was sent', () => {
  test('when the connection is refused', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    expect(await post(graphTo(`http://127.0.0.1:${port}`))).toEqual({ kind: 'not_sent', because: 'ECONNREFUSED' })
  })

  test('when the name does not resolve', async () => {
    expect(await post(graphTo('http://upstream.invalid'))).toMatchObject({
      kind: 'not_sent',
      because: expect.stringMatching(/^E(NOTFOUND|AI_AGAIN)$/),
    })
  })

  test('when the certificate is not trusted', async () => {
    const tls = new URL('../../../test/support/tls/', import.meta.url)
    const pair = { cert: readFileSync(new URL('receiver.cert.pem', tls)), key: readFileSync(new URL('receiver.key.pem', tls)) }
    const server = await serve((socket) => socket.write(ok('{}')), createTlsServer(pair), 'https')
    expect(await post(graphTo(server.url))).toMatchObject({ kind: 'not_sent' })
    expect(server.received).toBe('')
  })

  test('when the other side does not speak TLS', async () => {
    const server = await serve(() => {})
    const answered = post(graphTo(server.url.replace('http:', 'https:')))
    opened.push({ close: () => answered })
    await server.heard('')
    // Whatever the hello looked like, it was no request.
    clock.advance(30_000)
    expect(await answered).toMatchObject({ kind: 'not_sent', because: 'timeout' })
    expect(server.received).not.toContain('messages')
  })

  test('when the token cannot stand in a header', async () => {
    const server = await serve((socket) => socket.write(ok('{}')))
    expect(await post(graphTo(server.url), { token: 'a\r\nx-evil: 1' })).toMatchObject({ kind: 'not_sent' })
    expect(server.received).toBe('')
  })

  test('when the time to start passed while it waited for a free connection', async () => {
    let first: Socket | undefined
    const server = await serve((socket) => {
      first ??= socket
    })
    const graph = graphTo(server.url, { concurrentMax: 1 })
    const slow = post(graph, { path: '/first' })
    await server.heard('/first')
    const late = post(graph, { path: '/late', startBy: clock.monotonicMs() + 1_000 })
    clock.advance(1_001)
    first?.write(ok('{}'))
    expect(await slow).toMatchObject({ kind: 'answer' })
    expect(await late).toEqual({ kind: 'not_sent', because: 'late' })
    expect(server.received).not.toContain('/late')
  })

  test('when it started in time it is sent, up to the last millisecond', async () => {
    const server = await serve((socket) => socket.write(ok('{}')))
    expect(await post(graphTo(server.url), { startBy: clock.monotonicMs() })).toMatchObject({ kind: 'answer' })
  })

  test('when its deadline passed while it waited, and then it never leaves', async () => {
    let first: Socket | undefined
    const server = await serve((socket) => {
      if (first === undefined) first = socket
      else socket.write(ok('{}'))
    })
    const graph = graphTo(server.url, { concurrentMax: 1, deadlineMs: 30_000 })
    const slow = post(graph, { path: '/first' })
    await server.heard('/first')
    clock.advance(10_000)
    const waiting = post(graph, { path: '/waiting' })
    clock.advance(20_000)
    expect(await slow).toEqual({ kind: 'no_answer', because: 'timeout' })
    const after = post(graph, { path: '/after' })
    clock.advance(10_000)
    // Its turn may have come when the first was given up; if not, its own deadline is over now.
    const fate = await waiting
    expect(fate.kind === 'not_sent').toBe(!server.received.includes('/waiting'))
    await after
  })

  test('when it is asked of a pool that was closed', async () => {
    const server = await serve(() => {})
    const graph = graphTo(server.url)
    await graph.close()
    expect(await post(graph)).toMatchObject({ kind: 'not_sent' })
  })
})

describe('no answer is known', () => {
  test('when the server closes after the bytes were written', async () => {
    const server = await serve((socket) => socket.end())
    expect(await post(graphTo(server.url))).toMatchObject({ kind: 'no_answer' })
  })

  test('when the server resets before it read anything', async () => {
    const server = createServer({ pauseOnConnect: true }, (socket) => {
      socket.on('error', () => {})
      socket.resetAndDestroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    opened.push({ close: () => new Promise((resolve) => server.close(resolve)) })
    const graph = graphTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const answer = await post(graph)
    // The reset may overtake our first byte; what must never be is an answer.
    expect(answer.kind).not.toBe('answer')
    if (answer.kind === 'not_sent') expect(answer.because).toMatch(/ECONNRESET|UND_ERR_SOCKET/)
  })

  test('when the connection is reset after the headers', async () => {
    const server = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n', () => socket.resetAndDestroy())
    })
    expect(await post(graphTo(server.url))).toMatchObject({ kind: 'no_answer' })
  })

  test('when half an answer comes', async () => {
    const server = await serve((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"messages":[{"id":"wamid.A"}]}')
    })
    expect(await post(graphTo(server.url))).toMatchObject({ kind: 'no_answer' })
  })

  test('when the answer is no HTTP', async () => {
    const server = await serve((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
    expect(await post(graphTo(server.url))).toMatchObject({ kind: 'no_answer' })
  })

  test('when the answer is larger than 1 MB, and the connection is given up', async () => {
    let closed: Promise<void> | undefined
    const server = await serve((socket) => {
      closed = connectionClosed(socket)
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const piece = 'x'.repeat(64 * 1024)
      for (let i = 0; i < 20; i += 1) socket.write(`10000\r\n${piece}\r\n`)
    })
    expect(await post(graphTo(server.url))).toEqual({ kind: 'no_answer', because: 'answer too large' })
    await closed
  })

  test.each([
    ['hangs', ''],
    ['hangs after the headers', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n'],
    ['drips', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"mess'],
  ])('when the server %s until the deadline, and the connection is given up', async (_how, written) => {
    let closed: Promise<void> | undefined
    const server = await serve((socket) => {
      closed = connectionClosed(socket)
      if (written !== '') socket.write(written)
    })
    const answered = post(graphTo(server.url))
    await server.heard('{"to":"+1"}')
    clock.advance(29_999)
    clock.advance(1)
    expect(await answered).toEqual({ kind: 'no_answer', because: 'timeout' })
    await closed
  })

  test('after the deadline of the call itself, where it has one', async () => {
    const server = await serve(() => {})
    const graph = graphTo(server.url)
    const answered = post(graph, { deadlineMs: 4_000 })
    const patient = post(graph, { deadlineMs: 60_000 })
    await server.heard('{"to":"+1"}')
    clock.advance(4_000)
    expect(await answered).toMatchObject({ because: 'timeout' })
    clock.advance(56_000)
    expect(await patient).toMatchObject({ because: 'timeout' })
  })

  test('when the pool is closed under it', async () => {
    const server = await serve(() => {})
    const graph = graphTo(server.url)
    const answered = post(graph)
    await server.heard('{"to":"+1"}')
    await graph.close()
    expect(await answered).toMatchObject({ kind: 'no_answer' })
  })

  test('and the call is not repeated by itself', async () => {
    const server = await serve((socket) => socket.destroy())
    await post(graphTo(server.url))
    await graphTo(server.url).call({ method: 'GET', path: '/1', token: 'secret' })
    expect(server.received.match(/POST /g)).toHaveLength(1)
    expect(server.received.match(/GET /g)).toHaveLength(1)
  })
})

describe('bytes that stream', () => {
  const upload = (graph: Graph, stream: Readable, bytes: number, more: { deadlineMs?: number; startBy?: number } = {}) =>
    graph.call({ method: 'POST', path: '/1/media', token: 'secret', streamed: { contentType: 'x/y', bytes, stream }, ...more })
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) yield Buffer.alloc(1024)
  }

  test('go with their type and their length, as they are', async () => {
    const server = await serve((socket) => socket.write(ok('{"id":"1"}')))
    const answer = await upload(graphTo(server.url), Readable.from([Buffer.from('one '), Buffer.from('two')]), 7)
    expect(answer).toEqual({ kind: 'answer', statusCode: 200, body: '{"id":"1"}' })
    await server.heard('one two')
    expect(server.received).toMatch(/\r\ncontent-type: x\/y\r\n/i)
    expect(server.received).toMatch(/\r\ncontent-length: 7\r\n/i)
    expect(server.received).not.toMatch(/transfer-encoding/i)
  })

  test('that break off make no answer, and their error goes nowhere else', async () => {
    const server = await serve(() => {})
    const stream = Readable.from(
      (async function* () {
        yield Buffer.from('one')
        throw new Error('the disk is gone')
      })(),
    )
    expect(await upload(graphTo(server.url), stream, 7)).toMatchObject({ kind: expect.stringMatching(/^no/) })
    expect(stream.destroyed).toBe(true)
  })

  test('are not read on once the call has ended: refused early, late, or never sent', async () => {
    const server = await serve((socket) => socket.end(ok('{}')))
    const [early, late, lost] = [Readable.from(endless()), Readable.from(endless()), Readable.from(endless())]
    await upload(graphTo(server.url), early, 1e9)
    const startBy = clock.monotonicMs() - 1
    expect(await upload(graphTo(server.url), late, 1e9, { startBy })).toEqual({ kind: 'not_sent', because: 'late' })
    expect(await upload(graphTo('http://upstream.invalid'), lost, 1e9)).toMatchObject({ kind: 'not_sent' })
    expect([early, late, lost].map((each) => each.destroyed)).toEqual([true, true, true])
  })

  test('have the deadline that their call asks for', async () => {
    const server = await serve(() => {})
    const answered = upload(graphTo(server.url), Readable.from([Buffer.from('one two')]), 7, { deadlineMs: 180_000 })
    await server.heard('one two')
    let ended = false
    void answered.finally(() => {
      ended = true
    })
    clock.advance(179_999)
    await new Promise((resolve) => setImmediate(resolve))
    expect(ended).toBe(false)
    clock.advance(1)
    expect(await answered).toEqual({ kind: 'no_answer', because: 'timeout' })
  })
})
