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

  // rule: queue 9
  test('counts by its code also where that is a text, and where it stands in a list', () => {
    const refused = { kind: 'refused', code: 131047, message: 'words' }
    expect(classify(failure(400, '131047'))).toMatchObject(refused)
    expect(classify(answer(400, [{ error: { code: 131047, message: 'words' } }]))).toMatchObject(refused)
    expect(classify(answer(400, { error: [{ code: 131047, message: 'words' }] }))).toMatchObject(refused)
    expect(classify(answer(400, { errors: [{ code: '131047', message: 'words' }] }))).toMatchObject(refused)
    expect(classify(failure(400, '131056'))).toMatchObject({ kind: 'not_accepted', brake: 'person' })
    expect(classify(failure(400, '131000'))).toMatchObject({ kind: 'unknown', code: 131000 })
    expect(classify(failure(503, '131047'))).toMatchObject({ kind: 'unknown', code: 131047 })
  })

  // rule: queue 9
  test.each<[body: unknown, message: string]>([
    [{ error: { message: 'words' } }, 'words'],
    [{ error: { code: null, message: 'words' } }, 'words'],
    [{ error: { code: 'E_BAD', message: 'words' } }, 'words'],
    [{ error: { message: '', error_user_title: 'A', error_user_msg: 'b' } }, 'A: b'],
    ['{"error":{"code":99999999999999999999}}', 'the platform gave no reason'],
    [{ error: { code: 3_000_000_000 } }, 'the platform gave no reason'],
  ])('with a 4xx and no code of ours is refused at once in its words: %j', (body, message) => {
    for (const status of [400, 401, 403, 404, 422])
      expect(classify(answer(status, body))).toEqual({ kind: 'refused', code: null, message, statusCode: status })
    for (const status of [408, 499, 500, 502]) expect(classify(answer(status, body))).toMatchObject({ kind: 'unknown', code: null })
  })
})

describe('an answer that is not the Graph API', () => {
  test.each(['', '<html>slow down</html>', '{}', '{"error":{"code":1}}', '{"error":{"code":190}}'])(
    'with 429 is not accepted and holds the lane: %j',
    (body) => {
      expect(classify(answer(429, body))).toMatchObject({ kind: 'not_accepted', brake: 'lane', statusCode: 429 })
    },
  )

  const strange = [
    '',
    '<html>Bad Gateway</html>',
    '{}',
    '[]',
    '"no"',
    '{"error":"invalid_request"}',
    '{"error":{}}',
    '{"error":[]}',
    '{"err',
  ]

  test.each([100, 302, 304, 408, 499, 500, 502, 503, 504])('with %i is unknown: it may have been passed on', (status) => {
    for (const body of strange) expect(classify(answer(status, body))).toMatchObject({ kind: 'unknown', code: null, statusCode: status })
  })

  // rule: queue 9
  test.each([413, 414, 431])('with %i is refused at once', (status) => {
    const message = `the platform answered ${status}`
    for (const body of strange) expect(classify(answer(status, body))).toEqual({ kind: 'refused', code: null, message, statusCode: status })
  })

  // rule: queue 9
  test.each([400, 401, 403, 404, 405, 421, 451])('with %i is not accepted, and only its person waits', (status) => {
    for (const body of strange)
      expect(classify(answer(status, body))).toMatchObject({ kind: 'not_accepted', brake: 'person', code: null, statusCode: status })
  })
})

test('the codes of an unusable number are those of permissions and the named ones', () => {
  expect([199, 200, 299, 300].map(isChannelCode)).toEqual([false, true, true, false])
})
