import { once } from 'node:events'
import { connect } from 'node:net'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { as, listen, type TestServer, testServer } from './test-server.ts'

let server: TestServer
let origin: string
let port: number
/** What each call that is being worked on waits for. */
let working: (() => void)[]

beforeEach(async () => {
  working = []
  server = await testServer({
    openBodiesBytesMax: 1_000,
    routes: (v1) => {
      v1.post(
        '/streams',
        { config: { access: { scope: null, testKeys: true }, bodyBytesHeld: 300 }, schema: { body: Type.Object({ text: Type.String() }) } },
        () => new Promise((resolve) => working.push(() => resolve({}))),
      )
      v1.post(
        '/things',
        { config: { access: { scope: null, testKeys: true } }, schema: { body: Type.Object({ text: Type.String() }) } },
        () => new Promise((resolve) => working.push(() => resolve({}))),
      )
    },
  })
  port = await listen(server.app)
  origin = `http://127.0.0.1:${port}`
})
afterEach(async () => {
  for (const end of working) end()
  await server.app.close()
})

const post = (bytes: number, path = 'things') =>
  fetch(`${origin}/v1/${path}`, {
    method: 'POST',
    headers: { ...as('live'), 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'x'.repeat(bytes) }),
  })

async function isWorkedOn(count: number): Promise<void> {
  while (working.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('bodies beyond the bound are refused with an error that may be repeated, until those before have been answered', async () => {
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

test('a body that streams through counts as what of it is in memory', async () => {
  const streams = [post(5_000, 'streams'), post(5_000, 'streams'), post(5_000, 'streams')]
  await isWorkedOn(3)
  expect((await post(5_000, 'streams')).status).toBe(500)
  for (const end of working) end()
  expect((await Promise.all(streams)).map((each) => each.status)).toEqual([200, 200, 200])
})

test('one body is read however large it is', async () => {
  const large = post(5_000)
  await isWorkedOn(1)
  working[0]?.()
  expect((await large).status).toBe(200)
})

test('a caller that hangs up gives its bytes back', async () => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    'POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer live\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"text":',
  )
  let status = 0
  while (status !== 500) {
    const answer = await Promise.race([post(200), isWorkedOn(working.length + 1).then(() => null)])
    status = answer?.status ?? 0
    for (const end of working) end()
  }
  socket.destroy()
  while (status === 500) {
    const asked = post(200)
    const answer = await Promise.race([asked, isWorkedOn(working.length + 1).then(() => null)])
    for (const end of working) end()
    status = answer?.status ?? (await asked).status
  }
  expect(status).toBe(200)
})
