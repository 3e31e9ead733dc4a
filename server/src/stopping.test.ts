import { expect, test } from 'vitest'
import { manualClock } from './base/clock.ts'
import { createStopping } from './stopping.ts'

test('what fails to stop, or hangs, keeps nothing else from being stopped, the last first', async () => {
  const clock = manualClock('2026-11-28T12:00:00.000Z')
  const observed: unknown[] = []
  const stopping = createStopping(clock, (each) => observed.push(each))
  const stopped: string[] = []
  const note = (name: string) => async () => void stopped.push(name)
  const hanging = Promise.withResolvers<void>()
  stopping.add('database', 1_000, note('database'))
  stopping.add('hanging', 1_000, () => {
    hanging.resolve()
    return new Promise(() => {})
  })
  stopping.add('failing', 1_000, () => Promise.reject(new Error('Connection terminated')))
  stopping.add('http', 1_000, note('http'))
  const ended = stopping.stop()
  await hanging.promise
  expect(stopped).toEqual(['http'])
  clock.advance(1_000)
  await ended
  expect(stopped).toEqual(['http', 'database'])
  expect(observed).toEqual([
    { kind: 'stop.failed', part: 'failing', message: 'Connection terminated' },
    { kind: 'stop.failed', part: 'hanging', message: 'it has not ended within 1 seconds' },
  ])
})
