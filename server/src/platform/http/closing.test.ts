import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { exchange, listen, readRaw, testServer } from './test-server.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** A server with a route that answers when the test says so. */
async function slowServer() {
  let finish = () => {}
  let begun = () => {}
  const running = new Promise<void>((resolve) => {
    begun = resolve
  })
  let closing = () => {}
  const isClosing = new Promise<void>((resolve) => {
    closing = resolve
  })
  const server = await testServer({
    beside: (app) => {
      app.addHook('preClose', async () => closing())
      app.get('/slow', async () => {
        begun()
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        return { done: true }
      })
    },
  })
  return { ...server, port: await listen(server.app), running, isClosing, finish: () => finish() }
}

describe('closing', () => {
  test('lets a running request end, refuses new connections, and ends idle ones at once', async () => {
    const server = await slowServer()
    const idle = connect(server.port, '127.0.0.1')
    await once(idle, 'connect')
    idle.write(get('/health'))
    await once(idle, 'data')
    const answered = exchange(server.port, get('/slow'))
    await server.running
    const closed = server.app.close()
    await once(idle, 'close')
    const refused = connect(server.port, '127.0.0.1')
    await expect(once(refused, 'connect')).rejects.toThrow('ECONNREFUSED')
    server.finish()
    expect(await answered).toContain('{"done":true}')
    await closed
  })

  test('a request that comes on a connection already open is still answered, with its Request-Id', async () => {
    const server = await slowServer()
    const both = exchange(server.port, get('/slow') + get('/health'))
    await server.running
    const closed = server.app.close()
    server.finish()
    const answers = (await both).split(/(?=HTTP\/1\.1 )/)
    expect(answers.map((each) => readRaw(each).status)[0]).toBe(200)
    for (const each of answers) expect(readRaw(each).requestId).toBeDefined()
    await closed
  })

  test('cuts what is still running after 10 seconds', async () => {
    const server = await slowServer()
    const answered = exchange(server.port, get('/slow'))
    await server.running
    const closed = server.app.close()
    await server.isClosing
    server.clock.advance(10_000)
    expect(await answered).toBe('')
    server.finish()
    await closed
  })
})
