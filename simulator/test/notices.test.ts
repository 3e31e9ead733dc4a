import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Stage, setStage } from './stage.ts'

/** Checked without any code of the simulator, over the bytes that came. */
function signatureOver(bytes: Buffer): string {
  return `sha256=${createHmac('sha256', 'secret-of-the-app').update(bytes).digest('hex')}`
}

describe('notices', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage()
  })
  afterEach(() => stage.close())

  test('are signed over exactly the bytes on the wire', async () => {
    await stage.send('+15550000003')
    await stage.simulator.inbound({ from: '5511988887777', text: 'Olá! 👋 a/b "c" \\ \u007f' })
    await stage.simulator.settled()
    expect(stage.callback.received).toHaveLength(5)
    for (const each of stage.callback.received) expect(each.signature).toBe(signatureOver(each.bytes))
  })

  test('escape what is not ASCII in lower-case hex and every slash, and mean the same', async () => {
    const text = 'Olá! 👋 a/b "c" C:\\temp'
    await stage.simulator.inbound({ from: '5511988887777', text, name: 'Zoë' })
    const wire = stage.callback.received[0]?.bytes.toString('latin1') ?? ''
    expect(wire).toContain('Ol\\u00e1! \\ud83d\\udc4b a\\/b \\"c\\" C:\\\\temp')
    expect(wire).toContain('Zo\\u00eb')
    expect(stage.callback.messages()).toMatchObject([{ type: 'text', text: { body: text } }])
  })

  test('an inbound text tells its id and the answer of the callback', async () => {
    const input = { from: '+55 11 98888-7777', text: 'Oi', wamid: 'wamid.GIVEN=', timestamp: '1793000000' }
    expect(await stage.simulator.inbound(input)).toEqual({ wamid: 'wamid.GIVEN=', status: 200, error: null })
    expect(stage.callback.messages()).toMatchObject([{ from: '5511988887777', id: 'wamid.GIVEN=', timestamp: '1793000000' }])
  })

  test('are repeated until they are answered with 200', async () => {
    const answers = [500, 204, 200]
    stage.callback.answerWith((_request, response) => response.writeHead(answers.shift() ?? 200).end())
    const { status } = await stage.simulator.inbound({ from: '5511988887777', text: 'Oi' })
    expect(status).toBe(500)
    await stage.simulator.settled()
    expect(stage.simulator.notices.map((each) => [each.attempt, each.status])).toEqual([
      [1, 500],
      [2, 204],
      [3, 200],
    ])
    expect(new Set(stage.callback.received.map((each) => each.bytes.toString())).size).toBe(1)
    expect(stage.simulator.undelivered).toEqual([])
  })

  test('that are never answered with 200 end in the undelivered ones', async () => {
    await stage.close()
    stage = await setStage({ notices: { firstGapMs: 1, attemptsMax: 3 } })
    stage.callback.answerWith((request) => request.socket.destroy())
    await stage.simulator.inbound({ from: '5511988887777', text: 'Oi', wamid: 'wamid.LOST' })
    await stage.simulator.settled()
    expect(stage.callback.received).toHaveLength(3)
    expect(stage.simulator.undelivered).toMatchObject([{ items: ['wamid.LOST text'], attempts: 3 }])
  })

  test('of a WABA that is not subscribed are kept back as undelivered', async () => {
    await stage.call('DELETE', '/v24.0/204817396550128/subscribed_apps')
    await stage.send('+15550000001')
    await stage.simulator.settled()
    expect(stage.callback.received).toEqual([])
    expect(stage.simulator.undelivered).toMatchObject([{ reason: 'the WABA is not subscribed' }])
    await stage.call('POST', '/v24.0/204817396550128/subscribed_apps')
    await stage.send('+15550000001')
    await stage.simulator.settled()
    expect(stage.callback.statuses()).toHaveLength(1)
  })

  test('go to a callback that is set later', async () => {
    stage.simulator.setCallback({ url: 'http://127.0.0.1:9/nobody' })
    expect((await stage.simulator.inbound({ from: '5511988887777', text: 'Oi' })).status).toBeNull()
    stage.simulator.setCallback({ url: stage.callback.url })
    await stage.simulator.settled()
    expect(stage.callback.messages()).toHaveLength(1)
  })
})

describe('a raw notice', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage()
  })
  afterEach(() => stage.close())

  test('keeps every digit of a large number and escapes that are already there', async () => {
    const text = '{ "id": 12345678901234567890,\n "path": "a\\/b/c", "word": "caf\\u00e9 é" }'
    await stage.simulator.postNotice(text)
    expect(stage.callback.received[0]?.bytes.toString()).toBe('{"id":12345678901234567890,"path":"a\\/b\\/c","word":"caf\\u00e9 \\u00e9"}')
  })

  test('goes byte for byte when it is not to be escaped', async () => {
    const text = '{ "word": "é/" }'
    await stage.simulator.postNotice(text, { escape: false })
    expect(stage.callback.received[0]?.bytes.toString()).toBe(text)
    expect(stage.callback.received[0]?.signature).toBe(signatureOver(Buffer.from(text)))
  })

  test('with a wrong signature, or none, is tried once only', async () => {
    stage.callback.answerWith((_request, response) => response.writeHead(401).end())
    const wrong = await stage.simulator.postNotice({ object: 'x' }, { signature: 'wrong' })
    const none = await stage.simulator.postNotice({ object: 'x' }, { signature: 'none' })
    await stage.simulator.settled()
    expect([wrong, none]).toEqual([[{ status: 401, error: null }], [{ status: 401, error: null }]])
    const [first, second] = stage.callback.received
    expect(first?.signature).toMatch(/^sha256=[0-9a-f]{64}$/)
    expect(first?.signature).not.toBe(signatureOver(first?.bytes ?? Buffer.alloc(0)))
    expect(second?.signature).toBe('undefined')
  })

  test('goes as often as asked', async () => {
    expect(await stage.simulator.postNotice({ object: 'x' }, { times: 3 })).toHaveLength(3)
    expect(stage.callback.received).toHaveLength(3)
  })
})
