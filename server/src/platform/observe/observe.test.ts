import { describe, expect, test } from 'vitest'
import type { Observation } from './observation.ts'
import { createObserver } from './observe.ts'

function observed(observations: readonly Observation[], level: 'debug' | 'info' | 'warn' = 'info') {
  const lines: string[] = []
  const observe = createObserver({
    level,
    levels: { 'a.fault': 'error', 'a.detail': 'debug' },
    sink: { write: (line) => lines.push(line) },
  })
  for (const each of observations) observe(each)
  return lines.map((line) => JSON.parse(line))
}

describe('observing', () => {
  test('writes one line for each, with its time, its level by its kind, and its fields', () => {
    const lines = observed([{ kind: 'a.fault', requestId: 'req_1', ms: 5, ok: false, shards: [1, 2] }, { kind: 'a.note' }])
    expect(lines).toEqual([
      { level: 'error', time: expect.stringMatching(/^\d{4}-.*Z$/), kind: 'a.fault', requestId: 'req_1', ms: 5, ok: false, shards: [1, 2] },
      { level: 'info', time: expect.any(String), kind: 'a.note' },
    ])
  })

  test('leaves out what is below the level; an observation may set its own', () => {
    expect(
      observed([{ kind: 'a.detail' }, { kind: 'a.detail', level: 'warn' }, { kind: 'a.fault' }], 'warn').map((each) => each.level),
    ).toEqual(['warn', 'error'])
  })

  test('cuts long texts and long lists', () => {
    const [line] = observed([{ kind: 'a.note', message: 'x'.repeat(100_000), many: Array.from({ length: 1_000 }, (_, i) => i) }])
    expect(line.message.length).toBe(4_001)
    expect(line.many).toHaveLength(50)
  })

  test.each([
    ['a live key', 'failed for svc_live_4f9a8b7c6d5e', 'failed for [secret]'],
    ['a webhook secret', 'secret whsec_abc123def456 given', 'secret [secret] given'],
    ['a token of upstream', 'token EAAGm0PX4ZCpsBAKZC used', 'token [secret] used'],
    ['a header', 'Authorization: Bearer abcdef.ghij', 'Authorization: [secret]'],
    ['a phone', 'no route to +5511987654321 today', 'no route to [digits] today'],
  ])('scrubs %s out of a text that another program wrote', (_name, message, shown) => {
    expect(observed([{ kind: 'a.note', message }])[0].message).toBe(shown)
  })

  test('leaves ids as they are', () => {
    const ids = { requestId: 'req_01234567890123456789012345678901', uuid: '01900000-0000-7000-8000-012345678901' }
    expect(observed([{ kind: 'a.note', ...ids }])[0]).toMatchObject(ids)
  })

  test('an object does not get in, not even by a cast', () => {
    const [line] = observed([{ kind: 'a.note', body: { text: 'secret words' } as unknown as string }])
    expect(line.body).toBe('[object]')
  })
})
