import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { openDoor } from './door.ts'
import { testServer } from './test-server.ts'

const clock = systemClock()
const here = { host: '127.0.0.1', clock }

describe('the door', () => {
  test('answers before it is opened: alive, not ready, and the error of the contract that may be repeated for all else', async () => {
    const door = await openDoor({ ...here, port: 0 })
    const answers = await Promise.all(['/health', '/ready', '/v1/messages'].map((path) => fetch(door.url + path)))
    expect(answers.map((each) => each.status)).toEqual([200, 503, 500])
    expect(await answers[1]?.json()).toEqual({
      status: 'not_ready',
      checks: { start: { ok: false, note: 'the process is starting' } },
    })
    expect(await answers[2]?.json()).toMatchObject({ error: { code: 'internal_error', request_id: answers[2]?.headers.get('request-id') } })
    expect(answers[2]?.headers.get('retry-after')).toBe('1')
    await door.close()
  })

  test('of a taken port is refused with what the system says', async () => {
    const door = await openDoor({ ...here, port: 0 })
    const port = Number(new URL(door.url).port)
    await expect(openDoor({ ...here, port })).rejects.toMatchObject({ code: 'EADDRINUSE', port })
    await door.close()
  })

  test('gives requests to the server once it is open, and closes when running requests have ended', async () => {
    const door = await openDoor({ ...here, port: 0 })
    const begun = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const closing = Promise.withResolvers<void>()
    const server = await testServer({
      door,
      beside: (app) => {
        app.addHook('preClose', async () => closing.resolve())
        app.get('/slow', async () => {
          begun.resolve()
          await finish.promise
          return { done: true }
        })
      },
    })
    door.open()
    expect((await fetch(`${door.url}/ready`)).status).toBe(200)
    const slow = fetch(`${door.url}/slow`)
    await begun.promise
    const closed = server.app.close()
    await closing.promise
    const refused = connect(Number(new URL(door.url).port), '127.0.0.1')
    await expect(once(refused, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    finish.resolve()
    expect(await (await slow).json()).toEqual({ done: true })
    await closed
    await door.close()
  })
})
