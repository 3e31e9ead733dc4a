import { describe, expect, test } from 'vitest'
import { manualClock } from '../../../base/clock.ts'
import type { BundledObservation, StopSignal } from './observation.ts'
import type { Ending, Postmaster } from './postmaster.ts'
import { stopPostmaster, stopPostmasterMsMax } from './stop-postmaster.ts'

describe('stopping the server', () => {
  test('asks once when the server obeys', async () => {
    expect(await stopOneThatObeys('SIGINT')).toEqual({ signals: ['SIGINT'], told: ['SIGINT'], tookMs: 0 })
  })

  test('climbs the ladder while it does not, and ends within 20 s', async () => {
    expect(await stopOneThatObeys('SIGQUIT')).toEqual({ signals: ['SIGINT', 'SIGQUIT'], told: ['SIGQUIT'], tookMs: 14_000 })
    expect(await stopOneThatObeys('SIGKILL')).toEqual({ signals: ['SIGINT', 'SIGQUIT', 'SIGKILL'], told: ['SIGKILL'], tookMs: 17_000 })
    expect(stopPostmasterMsMax).toBe(20_000)
    expect(await stopOneThatObeys(null)).toEqual({ signals: ['SIGINT', 'SIGQUIT', 'SIGKILL'], told: [], tookMs: stopPostmasterMsMax })
  })

  test('sends nothing to a server that has ended already', async () => {
    expect(await stopOneThatObeys('already ended')).toEqual({ signals: [], told: ['itself'], tookMs: 0 })
  })
})

async function stopOneThatObeys(obeyed: StopSignal | 'already ended' | null) {
  const clock = manualClock('2026-03-02T12:00:00Z')
  const signals: StopSignal[] = []
  const told: string[] = []
  let end = (_ending: Ending) => {}
  const ended = new Promise<Ending>((resolve) => {
    end = resolve
  })
  if (obeyed === 'already ended') end({ code: 0, signal: null })
  const signal = async (name: StopSignal) => {
    signals.push(name)
    if (name === obeyed) end({ code: 0, signal: null })
  }
  const postmaster: Postmaster = { pid: 0, adopted: false, ended, signal }
  const observe = (each: BundledObservation) => {
    if (each.kind === 'postgres_stopped') told.push(each.by)
  }
  const startedMs = clock.monotonicMs()
  let done = false
  const stopping = stopPostmaster({ clock, observe }, postmaster).then(() => {
    done = true
    return clock.monotonicMs() - startedMs
  })
  // The first step of no length lets a wait of no length end.
  for (let stepMs = 0; !done; stepMs = 1_000) {
    clock.advance(stepMs)
    await new Promise(setImmediate)
  }
  return { signals, told, tookMs: await stopping }
}
