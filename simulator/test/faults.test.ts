import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rawSend } from './raw-send.ts'
import { type Stage, setStage } from './stage.ts'

const person = '+15550107712'

describe('scripted faults', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage()
  })
  afterEach(() => stage.close())

  test('a Graph error has the code, the status and the words of the script, and nothing is accepted', async () => {
    stage.simulator.addFaults({ fault: { kind: 'graph-error', code: 131016, status: 503, message: 'Down', details: 'Come back later' } })
    const answer = await stage.send(person)
    expect(answer.status).toBe(503)
    expect(answer.json.error).toMatchObject({
      message: 'Down',
      type: 'OAuthException',
      code: 131016,
      error_data: { details: 'Come back later' },
    })
    expect(answer.json.error.fbtrace_id).toMatch(/^A/)
    expect(stage.simulator.sends).toMatchObject([{ outcome: 'faulted', fault: 'graph-error', wamid: null }])
  })

  test('an error that the script calls accepted is answered as an error and its statuses follow', async () => {
    stage.simulator.addFaults({ fault: { kind: 'graph-error', code: 131000, accepted: true } })
    expect((await stage.send(person)).status).toBe(500)
    await stage.simulator.settled()
    expect(stage.callback.statuses().map((each) => each.status)).toEqual(['sent', 'delivered', 'read'])
    expect(stage.simulator.accepted).toMatchObject([{ fault: 'graph-error', opaque: 'message.1' }])
  })

  test('an HTML fault is a page with its status', async () => {
    stage.simulator.addFaults({ fault: { kind: 'html', status: 502 } })
    const answer = await stage.send(person)
    expect(answer).toMatchObject({ status: 502, json: null })
    expect(answer.type).toContain('text/html')
    expect(stage.simulator.accepted).toEqual([])
  })

  test('too many requests is a 429 that says when to come back', async () => {
    stage.simulator.addFaults({ fault: { kind: 'too-many-requests', retryAfterSeconds: 7 } })
    const answer = await stage.send(person)
    expect(answer.status).toBe(429)
    expect(answer.headers['retry-after']).toBe('7')
    expect(stage.simulator.accepted).toEqual([])
  })

  test('an unreadable answer is a 200 that is not JSON, though the message was accepted', async () => {
    stage.simulator.addFaults({ fault: { kind: 'unreadable' } })
    expect(await stage.send(person)).toMatchObject({ status: 200, json: null })
    await stage.simulator.settled()
    expect(stage.callback.statuses()).toHaveLength(3)
  })

  test('accept-then-reset takes the message, tells its statuses and resets the connection before any answer', async () => {
    stage.simulator.addFaults({ fault: { kind: 'accept-then-reset' } })
    expect(await rawSend(stage.simulator.url, person).ended).toEqual({ text: '', ending: 'reset' })
    await stage.simulator.settled()
    expect(stage.callback.statuses().map((each) => each.biz_opaque_callback_data)).toEqual(['message.1', 'message.1', 'message.1'])
    expect(stage.simulator.accepted).toMatchObject([{ fault: 'accept-then-reset' }])
  })

  test('reset-before-reading resets at the headers, when no body has been sent yet', async () => {
    stage.simulator.addFaults({ fault: { kind: 'reset-before-reading' } })
    expect(await rawSend(stage.simulator.url, person, { withBody: false }).ended).toEqual({ text: '', ending: 'reset' })
    expect(stage.simulator.sends).toMatchObject([{ outcome: 'faulted', fault: 'reset-before-reading', raw: null, body: null }])
  })

  test('accept-then-hang takes the message and never answers, until the simulator ends', async () => {
    stage.simulator.addFaults({ fault: { kind: 'accept-then-hang' } })
    const hanging = rawSend(stage.simulator.url, person)
    await stage.simulator.waitForAccepted(1)
    await stage.simulator.settled()
    expect(stage.callback.statuses()).toHaveLength(3)
    expect({ text: hanging.text(), open: hanging.open() }).toEqual({ text: '', open: true })
    await stage.simulator.close()
    expect((await hanging.ended).text).toBe('')
  })

  test('a slow send is accepted at once and answered after its delay', async () => {
    stage.simulator.addFaults({ fault: { kind: 'slow', delayMs: 60 } })
    const startedMs = performance.now()
    let answered = false
    const answer = stage.send(person).finally(() => {
      answered = true
    })
    await stage.simulator.waitForAccepted(1)
    expect(answered).toBe(false)
    expect((await answer).status).toBe(200)
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(60)
  })

  test('drop reads the send, accepts nothing and closes without an answer', async () => {
    stage.simulator.addFaults({ fault: { kind: 'drop' } })
    expect((await rawSend(stage.simulator.url, person).ended).text).toBe('')
    expect(stage.simulator.sends).toMatchObject([{ outcome: 'faulted', fault: 'drop', to: person, body: { text: { body: 'Oi' } } }])
  })

  test('a fault that accepts gives way to the refusal of a send that the platform would not take', async () => {
    stage.simulator.addFaults({ fault: { kind: 'unreadable' } })
    expect(await stage.send(person, { text: { body: '' } })).toMatchObject({ status: 400, json: { error: { code: 100 } } })
  })
})

describe('the order of a fault script', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage()
  })
  afterEach(() => stage.close())

  test('a rule skips what comes before it, hits as often as it says and is then spent', async () => {
    stage.simulator.addFaults({ after: 1, times: 2, fault: { kind: 'html', status: 500 } })
    const statuses = [await stage.send(person), await stage.send(person), await stage.send(person), await stage.send(person)].map(
      (each) => each.status,
    )
    expect(statuses).toEqual([200, 500, 500, 200])
    expect(stage.simulator.faultsLeft()).toEqual([])
  })

  test('a rule hits only the person, the number and the kind that it names', async () => {
    stage.simulator.addFaults({ times: 'always', match: { to: '7712', kind: 'image' }, fault: { kind: 'html' } })
    const image = { type: 'image', text: undefined, image: { link: 'https://example.com/a.png' } }
    expect((await stage.send(person)).status).toBe(200)
    expect((await stage.send('+15550107713', image)).status).toBe(200)
    expect((await stage.send(person, image)).status).toBe(502)
  })

  test('the same seed draws the same chances', async () => {
    const runOf = async (seed: number) => {
      const other = await setStage({ seed, faults: [{ times: 'always', chance: 0.5, fault: { kind: 'html' } }] })
      const statuses: number[] = []
      for (let i = 0; i < 20; i += 1) statuses.push((await other.send(person)).status)
      const wamids = other.simulator.accepted.map((each) => each.wamid)
      await other.close()
      return { statuses, wamids }
    }
    const first = await runOf(42)
    expect(await runOf(42)).toEqual(first)
    expect((await runOf(43)).statuses).not.toEqual(first.statuses)
    expect(new Set(first.statuses)).toEqual(new Set([200, 502]))
  })

  test('a read receipt passes by a rule that does not ask for it', async () => {
    stage.simulator.addFaults({ fault: { kind: 'html' } })
    const { wamid } = await stage.simulator.inbound({ from: person, text: 'Oi' })
    const receipt = { messaging_product: 'whatsapp', status: 'read', message_id: wamid, typing_indicator: { type: 'text' } }
    const answer = await stage.call('POST', '/v24.0/118350927764405/messages', receipt)
    expect(answer).toMatchObject({ status: 200, json: { success: true } })
    expect(stage.simulator.sends).toMatchObject([{ outcome: 'marked-read', kind: 'read' }])
  })
})
