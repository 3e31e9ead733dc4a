import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { number, type Stage, setStage } from './stage.ts'

describe('commands over HTTP', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage()
  })
  afterEach(() => stage.close())

  test('tell every attempt to send after a given one, with the body as it came', async () => {
    await stage.send('+15550107712')
    await stage.send('+1555131030')
    const all = (await stage.call('GET', '/_sim/sends')).json.data
    expect(all).toMatchObject([
      {
        sequence: 1,
        outcome: 'accepted',
        to: '+15550107712',
        waId: '15550107712',
        opaque: 'message.1',
        phoneNumberId: number.phoneNumberId,
      },
      { sequence: 2, outcome: 'refused', code: 131030, wamid: null },
    ])
    expect(JSON.parse(all[0].raw)).toEqual(all[0].body)
    expect(all[1].monotonicMs).toBeGreaterThan(all[0].monotonicMs)
    expect((await stage.call('GET', '/_sim/sends?after=1')).json.data).toEqual(all.slice(1))
  })

  test('make a person write', async () => {
    const answer = await stage.call('POST', '/_sim/inbound', {
      from: '5511988887777',
      text: 'Oi',
      name: 'Ana',
      phone_number_id: number.phoneNumberId,
    })
    expect(answer.json).toMatchObject({ status: 200, error: null })
    expect(stage.callback.messages()).toMatchObject([{ id: answer.json.wamid, text: { body: 'Oi' } }])
    expect((await stage.call('POST', '/_sim/inbound', { from: '5511988887777' })).status).toBe(400)
    expect((await stage.call('POST', '/_sim/inbound', { from: '5511988887777', text: 'Oi', phone_number_id: '1' })).status).toBe(404)
  })

  test('post any notice with the options in the query', async () => {
    const answer = await stage.call('POST', '/_sim/notices?times=2&signature=none', { object: 'x' })
    expect(answer.json).toEqual({ results: [{ status: 200, error: null }, { status: 200, error: null }] }) // biome-ignore format: one line reads best
    expect(stage.callback.received.map((each) => each.signature)).toEqual(['undefined', 'undefined'])
    expect((await stage.call('POST', '/_sim/notices?signature=maybe', {})).status).toBe(400)
  })

  test('script faults, show what is left of them and take them back', async () => {
    const rule = { match: { to: '7712' }, times: 2, fault: { kind: 'html', status: 503 } }
    expect((await stage.call('POST', '/_sim/faults', [rule])).status).toBe(200)
    expect((await stage.send('+15550107712')).status).toBe(503)
    expect((await stage.call('GET', '/_sim/faults')).json.faults).toMatchObject([{ times: 1 }])
    await stage.call('DELETE', '/_sim/faults')
    expect((await stage.send('+15550107712')).status).toBe(200)
  })

  test.each([
    [[{ fault: { kind: 'explode' } }], 'Rule 0: "fault.kind" must be one of'],
    [[{ fault: { kind: 'slow' } }], '"fault.delayMs" is missing'],
    [[{ fault: { kind: 'drop' }, time: 3 }], '"time" is not a key'],
    [[{ fault: { kind: 'drop' }, times: 0 }], '"times" must be'],
    [[{ match: { call: 'sing' }, fault: { kind: 'drop' } }], '"match.call" must be one of'],
    [[{ match: { id: '1' }, fault: { kind: 'drop' } }], '"match.id" needs "match.call"'],
    [[{ match: { call: 'media-upload', to: '1' }, fault: { kind: 'drop' } }], '"match.to" does not go with "match.call"'],
    [[{ match: { to: '1' }, fault: { kind: 'reset-before-reading' } }], 'knows only the number'],
  ])('refuse the fault script %j', async (script, sentence) => {
    const answer = await stage.call('POST', '/_sim/faults', script)
    expect(answer.status).toBe(400)
    expect(answer.json.error).toContain(sentence)
  })

  test('change the behaviour, and release what was held', async () => {
    expect((await stage.call('POST', '/_sim/behaviour', { statusHold: true })).json.statusHold).toBe(true)
    await stage.send('+15550000001')
    expect((await stage.call('GET', '/_sim/settled')).json).toEqual({ settled: true, underWay: 0 })
    expect((await stage.call('GET', '/_sim')).json).toMatchObject({ accepted: 1, held: 1, seed: stage.simulator.seed })
    expect((await stage.call('POST', '/_sim/statuses/release', {})).json).toEqual({ released: 1 })
    expect(stage.callback.statuses()).toHaveLength(1)
  })

  test.each([{ statusGapMs: 'soon' }, { statusOrder: 'sideways' }, { statusDrop: ['seen'] }, { colour: 1 }])(
    'refuse the behaviour %j',
    async (changes) => {
      expect((await stage.call('POST', '/_sim/behaviour', changes)).status).toBe(400)
    },
  )

  test('add a number and change its state, never telling its token', async () => {
    const added = { phoneNumberId: '77', wabaId: '78', displayDigits: '15550104488', token: 'token-three', subscribed: true }
    const answer = await stage.call('POST', '/_sim/numbers', added)
    expect(answer.json).toMatchObject({ phoneNumberId: '77', status: 'CONNECTED' })
    expect(answer.text).not.toContain('token-three')
    expect((await stage.call('GET', '/v24.0/77', undefined, 'token-three')).status).toBe(200)
    await stage.call('POST', '/_sim/numbers/77', { tokenRevoked: true })
    expect((await stage.call('GET', '/v24.0/77', undefined, 'token-three')).status).toBe(401)
    expect((await stage.call('POST', '/_sim/numbers/77', { colour: 'red' })).status).toBe(400)
    expect((await stage.call('POST', '/_sim/numbers/76', { status: 'BANNED' })).status).toBe(404)
  })

  test('shake hands: a callback that gives the challenge back is told from one that does not', async () => {
    stage.callback.answerWith((request, response) => {
      const query = new URL(request.url ?? '', 'http://callback').searchParams
      if (query.get('hub.verify_token') === 'verify-me' && query.get('hub.mode') === 'subscribe') response.end(query.get('hub.challenge'))
      else response.writeHead(403).end()
    })
    expect((await stage.call('POST', '/_sim/handshake')).json).toEqual({ echoed: true, status: 200, error: null })
    expect((await stage.call('POST', '/_sim/handshake', { verifyToken: 'wrong' })).json).toEqual({
      echoed: false,
      status: 403,
      error: null,
    })
    expect(stage.callback.received.map((each) => each.signature)).toEqual(['undefined', 'undefined'])
  })
})

describe('the history', () => {
  test('keeps the newest in memory and all of it in the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pombo-simulator-'))
    const historyFile = join(folder, 'history.jsonl')
    const stage = await setStage({ recordMax: 2, historyFile })
    for (const to of ['+15550000001', '+15550000001', '+1555131030']) await stage.send(to)
    await stage.simulator.settled()
    expect(stage.simulator.sends.map((each) => [each.sequence, each.outcome])).toEqual([
      [2, 'accepted'],
      [3, 'refused'],
    ])
    await stage.close()
    const lines = (await readFile(historyFile, 'utf8')).trimEnd().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as { history: string; sequence: number; status?: number; raw?: string })
    expect(entries.filter((each) => each.history === 'send').map((each) => each.sequence)).toEqual([1, 2, 3])
    expect(entries.filter((each) => each.history === 'notice').map((each) => each.status)).toEqual([200, 200])
    await rm(folder, { recursive: true })
  })
})

describe('settling', () => {
  test('is refused after its time while a notice is still being repeated', async () => {
    const stage = await setStage()
    stage.callback.answerWith((_request, response) => response.writeHead(500).end())
    await stage.simulator.inbound({ from: '5511988887777', text: 'Oi' })
    await expect(stage.simulator.settled(10)).rejects.toThrow('still under way')
    await stage.close()
  })
})
