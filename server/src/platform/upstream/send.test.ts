import { describe, expect, test } from 'vitest'
import type { GraphAnswer } from './graph.ts'
import { type Brake, classify, isChannelCode } from './send.ts'

const answer = (statusCode: number, body: unknown): GraphAnswer => ({
  kind: 'answer',
  statusCode,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const failure = (statusCode: number, code: unknown, words: object = { message: 'words' }) =>
  answer(statusCode, { error: { code, ...words } })
const success = {
  messaging_product: 'whatsapp',
  contacts: [{ input: '+5511987654321', wa_id: '551187654321' }],
  messages: [{ id: 'wamid.A' }],
}

describe('a 2xx', () => {
  test('with a wamid is accepted, with what it teaches of the person', () => {
    expect(classify(answer(200, success))).toEqual({
      kind: 'accepted',
      wamid: 'wamid.A',
      input: '+5511987654321',
      waId: '551187654321',
      userId: null,
      statusCode: 200,
    })
  })

  test('is accepted whatever it leaves out beside the wamid', () => {
    expect(classify(answer(200, { messages: [{ id: 'wamid.A' }] }))).toMatchObject({ kind: 'accepted', input: null, waId: null })
    expect(classify(answer(200, { messages: [{ id: 'wamid.A' }], contacts: [{ user_id: 'BR.1' }] }))).toMatchObject({ userId: 'BR.1' })
    expect(classify(answer(200, { messages: [{ id: 'wamid.A' }], contacts: 'none' }))).toMatchObject({ kind: 'accepted' })
  })

  test.each([
    ['nothing', ''],
    ['half an answer', '{"messages":[{"id":"wam'],
    ['HTML', '<html>OK</html>'],
    ['no messages', { contacts: [] }],
    ['an empty list', { messages: [] }],
    ['an empty id', { messages: [{ id: '' }] }],
    ['an id that is a number', { messages: [{ id: 5 }] }],
    ['an error', { error: { code: 131047, message: 'no' } }],
    ['an array', '[]'],
    ['null', 'null'],
  ])('with %s is unknown, because it was most likely taken', (_what, body) => {
    expect(classify(answer(200, body))).toMatchObject({ kind: 'unknown', statusCode: 200 })
  })
})

describe('a call that failed on the way', () => {
  test('before any byte was written is not accepted and holds the lane', () => {
    expect(classify({ kind: 'not_sent', because: 'ECONNREFUSED' })).toMatchObject({ kind: 'not_accepted', brake: 'lane', statusCode: null })
  })

  test('because its time to start had passed holds nobody back', () => {
    expect(classify({ kind: 'not_sent', because: 'late' })).toMatchObject({ kind: 'not_accepted', brake: 'none' })
  })

  test('after bytes were written is unknown', () => {
    expect(classify({ kind: 'no_answer', because: 'timeout' })).toMatchObject({ kind: 'unknown', because: 'timeout', statusCode: null })
  })
})

describe('a Graph error', () => {
  const statuses = [400, 401, 403, 404, 500, 503]
  const notAccepted: [Brake, number[]][] = [
    ['lane', [2, 4, 17, 32, 613, 80007, 80008, 131016, 131048, 131057, 132069, 134101, 2494100]],
    ['pace', [130429]],
    ['person', [131056]],
    ['channel', [0, 10, 33, 102, 104, 190, 200, 201, 250, 298, 299, 368, 131031, 131042, 131045, 133010]],
  ]
  const cases = notAccepted.flatMap(([brake, codes]) => codes.map((code) => ({ brake, code })))

  test.each(cases)('$code is not accepted and brakes the $brake, whatever the HTTP status', ({ brake, code }) => {
    for (const status of statuses) {
      expect(classify(failure(status, code))).toEqual({ kind: 'not_accepted', brake, code, message: 'words', statusCode: status })
    }
  })

  test.each([1, 131000])('%i is unknown, whatever the HTTP status', (code) => {
    for (const status of statuses) expect(classify(failure(status, code))).toMatchObject({ kind: 'unknown', code, statusCode: status })
  })

  test.each([3, 100, 199, 300, 131005, 131008, 131026, 131047, 131049, 131051, 132000, 132001, 135000, 999999])(
    '%i with a 4xx is refused with its code',
    (code) => {
      expect(classify(failure(400, code))).toEqual({ kind: 'refused', code, message: 'words', statusCode: 400 })
    },
  )

  test('that none of these names is unknown with a 5xx', () => {
    expect(classify(failure(500, 131026))).toMatchObject({ kind: 'unknown', code: 131026 })
  })

  test('says its details before its message, and something where it has neither', () => {
    const details = { message: 'short', error_data: { details: 'long and useful' } }
    expect(classify(failure(400, 131047, details))).toMatchObject({ message: 'long and useful' })
    expect(classify(failure(400, 131047, { message: 'short', error_data: { details: '' } }))).toMatchObject({ message: 'short' })
    expect(classify(failure(400, 131047, {}))).toMatchObject({ message: 'the platform gave no reason' })
  })

  test('with a NUL or half a surrogate in its words can be stored', () => {
    expect(classify(answer(400, '{"error":{"code":131047,"message":"a\\u0000b\\ud800"}}'))).toMatchObject({ message: 'a\ufffdb\ufffd' })
  })

  test('whose code is no number that we know how to read is unknown', () => {
    expect(classify(failure(400, '131047'))).toMatchObject({ kind: 'unknown', code: null })
    expect(classify(answer(400, '{"error":{"code":99999999999999999999}}'))).toMatchObject({ kind: 'unknown', code: null })
  })
})

describe('an answer that is not the Graph API', () => {
  test.each(['', '<html>slow down</html>', '{}', '{"error":{"code":1}}', '{"error":{"code":190}}'])(
    'with 429 is not accepted and holds the lane: %j',
    (body) => {
      expect(classify(answer(429, body))).toMatchObject({ kind: 'not_accepted', brake: 'lane', statusCode: 429 })
    },
  )

  test.each([502, 503, 504, 500, 404, 400, 302])('with %i is unknown', (status) => {
    expect(classify(answer(status, '<html>Bad Gateway</html>'))).toMatchObject({ kind: 'unknown', code: null, statusCode: status })
  })
})

test('the codes of an unusable number are those of permissions and the named ones', () => {
  expect([199, 200, 299, 300].map(isChannelCode)).toEqual([false, true, true, false])
})
