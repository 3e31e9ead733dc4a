import { expect, test } from 'vitest'
import { manualClock } from './base/clock.ts'
import { readConfig } from './config.ts'
import { stopAllMsMax, stopMsMax } from './stop-bounds.ts'
import { createStopping, type StoppingObservation } from './stopping.ts'

test('what fails to stop, or hangs, keeps nothing else from being stopped, the last first', async () => {
  const clock = manualClock('2026-11-28T12:00:00.000Z')
  const observed: unknown[] = []
  const stopping = createStopping(clock, (each) => observed.push(each))
  const stopped: string[] = []
  const note = (name: string) => async () => void stopped.push(name)
  const hanging = Promise.withResolvers<void>()
  stopping.add('database', 'small', note('database'))
  stopping.add('hanging', 'ownership', () => {
    hanging.resolve()
    return new Promise(() => {})
  })
  stopping.add('failing', 'small', () => Promise.reject(new Error('Connection terminated')))
  stopping.add('http', 'http', note('http'))
  const ended = stopping.stop()
  await hanging.promise
  expect(stopped).toEqual(['http'])
  clock.advance(stopMsMax.ownership)
  await ended
  expect(stopped).toEqual(['http', 'database'])
  expect(observed).toEqual([
    { kind: 'stop.failed', part: 'failing', message: 'Connection terminated' },
    { kind: 'stop.failed', part: 'hanging', message: 'it has not ended within 5 seconds' },
  ])
})

test('however many parts hang, all of them are stopped, and what a stage may take is never exceeded', async () => {
  const clock = manualClock('2026-11-28T12:00:00.000Z')
  const observed: StoppingObservation[] = []
  const stopping = createStopping(clock, (each) => observed.push(each))
  const called: string[] = []
  const hangs = (part: string) => () => {
    called.push(part)
    return new Promise(() => {})
  }
  for (let part = 1; part <= 20; part += 1) stopping.add(`small ${part}`, 'small', hangs('small'))
  for (const stage of ['ownership', 'lanes', 'http'] as const) stopping.add(stage, stage, hangs(stage))
  const beganMs = clock.monotonicMs()
  let isOver = false
  const ended = stopping.stop().then(() => {
    isOver = true
  })
  let seen = 0
  while (!isOver) {
    // No time passes while one part follows the other.
    clock.advance(called.length > seen ? 0 : 500)
    seen = called.length
    await new Promise((resolve) => setImmediate(resolve))
  }
  await ended
  expect(called).toEqual(['http', 'lanes', 'ownership', ...Array.from({ length: 20 }, () => 'small')])
  expect(observed.map(({ part }) => part)).toHaveLength(23)
  const { http, lanes, ownership, small } = stopMsMax
  expect(clock.monotonicMs() - beganMs).toBeLessThanOrEqual(http + lanes + ownership + small + 500)
})

test('all that a stop waits for, with the default drain and the bundled PostgreSQL, is less than the 90 seconds that operators grant', () => {
  const { drainSeconds } = readConfig({ META_APP_SECRET: 'secret', META_VERIFY_TOKEN: 'token' })
  expect(drainSeconds).toBe(5)
  expect(stopAllMsMax).toBe(
    stopMsMax.http + stopMsMax.lanes + stopMsMax.ownership + stopMsMax.small + stopMsMax.sandbox + stopMsMax.postgres,
  )
  expect(stopAllMsMax + drainSeconds * 1_000).toBeLessThan(90_000)
})
