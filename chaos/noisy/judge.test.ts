import { expect, test } from 'vitest'
import { figuresOf, problemsOf, ratioOf } from './judge.ts'
import type { Felt } from './neighbours.ts'

const floors = { send: 50, event: 50, console: 50 }
const span = [{ fromMs: 0, toMs: 10_000 }]
const feltAll = (tookMs: number | null, changes: Partial<Felt> = {}): Felt[] =>
  (['send', 'event', 'console', 'ready'] as const).flatMap((what) =>
    Array.from({ length: 100 }, (_, i) => ({ what, atMs: 50 * i, tookMs, status: 200, reference: '', ...changes })),
  )
const alone = figuresOf(feltAll(40), span)

test('twice as slow as alone is allowed, and what the machine does by itself', () => {
  expect(problemsOf(alone, figuresOf(feltAll(80), span), floors)).toEqual([])
  expect(problemsOf(figuresOf(feltAll(2), span), figuresOf(feltAll(49), span), floors)).toEqual([])
  expect(ratioOf('send', alone, figuresOf(feltAll(80), span), floors)).toBe(2)
})

test('slower, failed, not ready, never come, or nothing at all is told', () => {
  expect(problemsOf(alone, figuresOf(feltAll(81), span), floors)).toHaveLength(3)
  expect(problemsOf(alone, figuresOf(feltAll(40, { status: 503 }), span), floors)).toHaveLength(2)
  expect(
    problemsOf(alone, figuresOf([...feltAll(40), ...feltAll(null).filter((each) => each.what === 'event')], span), floors),
  ).toHaveLength(1)
  expect(problemsOf(alone, figuresOf([], span), floors)).toHaveLength(3)
})

test('only what began in the spans counts', () => {
  expect(figuresOf([...feltAll(40), ...feltAll(9_000, { atMs: 10_000 })], span).send).toEqual({ count: 100, p50Ms: 40, p99Ms: 40 })
})
