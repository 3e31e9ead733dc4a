import { expect, test } from 'vitest'
import { calmOutages } from './calm-outages.ts'
import type { Observation } from './observation.ts'

function steered() {
  const lines: Observation[] = []
  let nowMs = 0
  const observe = calmOutages(
    (each) => lines.push(each),
    () => nowMs,
  )
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { lines, observe, pass }
}

const failed = (lane: string, isAway = true): Observation => ({
  kind: 'lane.tick_failed',
  lane,
  message: 'Error: terminated\n  at x',
  isAway,
})
const recovered = (lane: string): Observation => ({ kind: 'lane.recovered', lane, ms: 5 })
const lost: Observation = { kind: 'database.connection_lost', message: 'terminating connection' }

test('a database that was away is one line when it goes and one when it is back, however many loops and connections notice', () => {
  const { lines, observe, pass } = steered()
  for (let i = 0; i < 12; i += 1) observe(lost)
  for (const lane of ['sends', 'deliveries', 'notices', 'sends']) observe(failed(lane))
  observe({ kind: 'auth.connection_lost', message: 'x' })
  pass(4_000)
  for (const lane of ['sends', 'notices', 'deliveries']) observe(recovered(lane))
  expect(lines).toEqual([lost, { kind: 'database.away', message: 'Error: terminated' }, { kind: 'database.back', ms: 4_000, held: 4 }])
})

test('another time is told again, and so is a connection that is lost much later', () => {
  const { lines, observe, pass } = steered()
  for (let time = 0; time < 2; time += 1) {
    observe(failed('sends'))
    observe(recovered('sends'))
    pass(60_000)
    observe(lost)
  }
  expect(lines.map(({ kind }) => kind)).toEqual([
    ...['database.away', 'database.back', 'database.connection_lost'],
    ...['database.away', 'database.back', 'database.connection_lost'],
  ])
})

test('what is no outage, and all else, passes with its own words', () => {
  const { lines, observe } = steered()
  const told = [failed('sends', false), recovered('sends'), { kind: 'send.expired', count: 1 }]
  observe(failed('notices'))
  for (const each of told) observe(each)
  expect(lines.slice(1)).toEqual(told)
})
