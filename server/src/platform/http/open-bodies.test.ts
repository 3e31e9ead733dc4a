import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readRawBodies } from './body.ts'
import type { Share, Shares } from './open-bodies.ts'
import type { HttpServer } from './server.ts'
import { as, listen, type TestServer, testServer } from './test-server.ts'

let server: TestServer
let origin: string
let port: number
/** What each call that is being worked on waits for. */
let working: (() => void)[]
let sockets: Socket[]

const share = (bytesMax: number, bytesOfOneMax: number, givesWay: boolean): Share => ({
  ...{ bytesMax, bytesOfOneMax, givesWay },
  ...{ restMsMax: 5_000, wholeMsMax: 10_000 },
})
const bodyShares: Shares = {
  accounts: share(2_000, 1_000, false),
  uploads: share(1_000, 600, false),
  signers: share(1_000, 1_000, true),
  strangers: share(1_000, 1_000, true),
}

beforeEach(async () => {
  working = []
  sockets = []
  const schema = { body: Type.Object({ text: Type.String() }) }
  const work = () => new Promise((resolve) => working.push(() => resolve({})))
  server = await testServer({
    bodyShares,
    trustProxy: ['127.0.0.1'],
    routes: (v1) => {
      v1.post('/streams', { config: { access: { scope: null, testKeys: true }, bodyBytesHeld: 300 }, schema }, work)
      v1.post('/things', { config: { access: { scope: null, testKeys: true } }, schema }, work)
    },
    beside: (app) =>
      void app.register(async (scope) => {
        readRawBodies(scope, 10_000)
        scope.post('/notices', { bodyLimit: 10_000 }, async (request) => {
          if (request.headers.signed === 'yes') (app as HttpServer).vouchFor(request.ip)
          return { bytes: (request.body as Buffer).length }
        })
      }),
  })
  port = await listen(server.app)
  origin = `http://127.0.0.1:${port}`
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  for (const end of working) end()
  await server.app.close()
})

const post = (bytes: number, path = 'things', key = 'live') =>
  fetch(`${origin}/v1/${path}`, {
    method: 'POST',
    headers: { ...as(key), 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'x'.repeat(bytes) }),
  })

const notice = (bytes: number, address = '192.0.2.1', signed = 'no') =>
  fetch(`${origin}/notices`, { method: 'POST', headers: { 'x-forwarded-for': address, signed }, body: 'x'.repeat(bytes) })

/** Announces a body and sends only its beginning. */
async function open(path: string, length: number, begin: string, headers: Record<string, string> = {}): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const lines = Object.entries({ host: 'x', 'content-type': 'application/json', 'content-length': String(length), ...headers })
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${begin}`)
  return socket
}

const said = async (socket: Socket) => {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

async function isWorkedOn(count: number): Promise<void> {
  while (working.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Resolves when a new notice of this many bytes is refused: what was opened before has come. */
async function isFullFor(bytes: number): Promise<void> {
  while ((await notice(bytes)).status !== 500) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('bodies of one account beyond its bound are refused with an error that may be repeated, until those before have been answered', async () => {
  const first = post(600)
  await isWorkedOn(1)
  const refused = await post(600)
  expect(refused.status).toBe(500)
  expect(await refused.json()).toMatchObject({ error: { code: 'internal_error' } })
  expect(server.observed).toMatchObject([{ kind: 'http.outage', message: 'too many large bodies are open at once' }])
  const small = post(100)
  await isWorkedOn(2)
  for (const end of working) end()
  expect([(await first).status, (await small).status]).toEqual([200, 200])
  const again = post(600)
  await isWorkedOn(3)
  working[2]?.()
  expect((await again).status).toBe(200)
})

test('an account that fills its own bound leaves room for another', async () => {
  const first = post(900)
  await isWorkedOn(1)
  const other = post(900, 'things', 'neighbour')
  await isWorkedOn(2)
  for (const end of working) end()
  expect([(await first).status, (await other).status]).toEqual([200, 200])
})

test('a body that streams through counts as what of it is in memory, apart from the others', async () => {
  const streams = [post(800, 'streams'), post(800, 'streams')]
  await isWorkedOn(2)
  expect((await post(800, 'streams')).status).toBe(500)
  const thing = post(800)
  await isWorkedOn(3)
  for (const end of working) end()
  expect((await Promise.all([...streams, thing])).map((each) => each.status)).toEqual([200, 200, 200])
})

test('what is announced and does not come holds nothing: neither strangers nor those with a key are refused for it', async () => {
  for (let i = 0; i < 20; i += 1) await open('/notices', 10_000, '')
  for (let i = 0; i < 20; i += 1) await open('/v1/things', 10_000, '', as('live'))
  expect((await notice(900)).status).toBe(200)
  const send = post(900)
  await isWorkedOn(1)
  working[0]?.()
  expect((await send).status).toBe(200)
})

test('strangers who fill their share take nothing from those with a key', async () => {
  await open('/notices', 1_000, 'x'.repeat(950))
  await isFullFor(900)
  const send = post(900)
  await isWorkedOn(1)
  working[0]?.()
  expect((await send).status).toBe(200)
  expect(server.observed).toSatisfy((all: { kind: string }[]) => all.every((each) => each.kind === 'http.stranger_refused'))
})

test('a body of a stranger that has become slow makes room for one that comes', async () => {
  const slow = await open('/notices', 1_000, 'x'.repeat(950))
  await isFullFor(900)
  const heard = said(slow)
  server.clock.advance(600)
  expect((await notice(900)).status).toBe(200)
  expect(await heard).toContain('The body did not come in time.')
})

test('an address that has signed a notice has a share that strangers cannot fill', async () => {
  expect((await notice(10, '198.51.100.1', 'yes')).status).toBe(200)
  await open('/notices', 1_000, 'x'.repeat(950))
  await isFullFor(900)
  expect((await notice(900, '198.51.100.1')).status).toBe(200)
})

test('a body of which nothing comes any more is cut after 5 s, and one that only drips after 10 s', async () => {
  const silent = await open('/notices', 1_000, 'x', { 'x-forwarded-for': '192.0.2.7' })
  const dripping = await open('/notices', 1_000, 'x', { 'x-forwarded-for': '192.0.2.8' })
  // Both have arrived when what comes after them on another connection has been answered.
  while (server.app.server.listening && (await connectionsOf()) < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  await notice(1)
  const [ofSilent, ofDripping] = [said(silent), said(dripping)]
  for (let second = 0; second < 11; second += 1) {
    dripping.write('x')
    await notice(1)
    server.clock.advance(1_000)
    if (second === 6) expect(await ofSilent).toContain('The body did not come in time.')
    if (second === 6) expect(dripping.destroyed).toBe(false)
  }
  expect(await ofDripping).toContain('The body did not come in time.')
})

const connectionsOf = () => new Promise<number>((resolve) => server.app.server.getConnections((_error, count) => resolve(count)))

test('a caller that hangs up gives its bytes back', async () => {
  const socket = await open('/v1/things', 990, `{"text":"${'x'.repeat(900)}`, as('live'))
  const status = async () => {
    const count = working.length
    const asked = post(200)
    const answer = await Promise.race([asked, isWorkedOn(count + 1).then(() => null)])
    for (const end of working) end()
    return answer?.status ?? (await asked).status
  }
  while ((await status()) !== 500);
  socket.destroy()
  while ((await status()) === 500);
})
