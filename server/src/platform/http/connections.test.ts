import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { as, listen, type TestServer, testServer } from './test-server.ts'

let server: TestServer
let port: number
let sockets: Socket[]
let end: () => void

const bounds = { ofNetwork: 5, ofNearNetwork: 5, ofCaller: 3, inAll: 10, unanswered: 20 }

async function start(options: { trustProxy?: string[] } = {}): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  server = await testServer({
    connectionBounds: bounds,
    ...options,
    routes: (v1) => v1.get('/things', { config: { access: { scope: null, testKeys: true } } }, async () => ({ is: 'a thing' })),
    beside: (app) => {
      app.get('/waits', async () => ended.then(() => 'waited'))
      app.get('/large', async () => Buffer.alloc(64 * 1024 * 1024))
    },
  })
  port = await listen(server.app)
}

beforeEach(() => {
  sockets = []
})
afterEach(async () => {
  end()
  for (const socket of sockets) socket.destroy()
  await server.app.close()
})

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Sends a request and resolves with the status of its answer. */
async function ask(socket: Socket, path: string, headers: Record<string, string> = {}): Promise<number> {
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return Number(chunk.toString().split(' ')[1])
}

const isClosed = (socket: Socket) => (socket.closed ? Promise.resolve() : once(socket, 'close'))
const health = async () => ask(await open(), '/health')

test('connections of a stranger that send nothing close each other, and a health check or a caller with a key gets through', async () => {
  await start()
  const idle: Socket[] = []
  for (let i = 0; i < 20; i += 1) idle.push(await open())
  expect(await health()).toBe(200)
  expect(await ask(await open(), '/v1/things', as('live'))).toBe(200)
  await Promise.all(idle.slice(0, 15).map(isClosed))
})

test('a connection that has shown a key no longer counts as one of strangers', async () => {
  await start()
  const keyed = await open()
  expect(await ask(keyed, '/v1/things', as('live'))).toBe(200)
  for (let i = 0; i < 20; i += 1) await open()
  expect(await ask(keyed, '/v1/things', as('live'))).toBe(200)
})

test('the connections of one account are bounded: the one that was idle for longest is closed', async () => {
  await start()
  const keyed: Socket[] = []
  for (let i = 0; i < 4; i += 1) {
    const socket = await open()
    keyed.push(socket)
    expect(await ask(socket, '/v1/things', as('live'))).toBe(200)
  }
  await isClosed(keyed[0] as Socket)
  expect(await ask(keyed[1] as Socket, '/v1/things', as('live'))).toBe(200)
})

test('a connection whose request is being answered is not closed for a new one', async () => {
  await start()
  const waiting: Promise<number>[] = []
  for (let i = 0; i < 4; i += 1) waiting.push(ask(await open(), '/waits'))
  // All four are at work when a request that came after them has been answered.
  while (server.app.server.listening && (await health()) !== 200);
  for (let i = 0; i < 10; i += 1) expect(await health()).toBe(200)
  end()
  expect(await Promise.all(waiting)).toEqual([200, 200, 200, 200])
})

test('a proxy that is trusted has no bound of its own, only that of all', async () => {
  await start({ trustProxy: ['127.0.0.1'] })
  const proxied: Socket[] = []
  for (let i = 0; i < 9; i += 1) proxied.push(await open())
  expect(await Promise.all(proxied.map((socket) => ask(socket, '/health')))).toEqual(Array(9).fill(200))
  for (let i = 0; i < 5; i += 1) expect(await health()).toBe(200)
})

test('a client that writes many requests without reading an answer is cut off', async () => {
  await start()
  const socket = await open()
  socket.write('GET /waits HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(21))
  await isClosed(socket)
  expect(await health()).toBe(200)
})

test('an answer that is not taken ends its connection after 30 s in which nothing was taken of it', async () => {
  await start()
  const accepted = once(server.app.server, 'connection') as Promise<[Socket]>
  const socket = await open()
  const [served] = await accepted
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  while (served.writableLength === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(served.timeout ?? 0).toBe(0)
  server.clock.advance(5_000)
  expect(served.timeout).toBe(30_000)
})
