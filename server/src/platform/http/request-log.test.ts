import { describe, expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import { newUuid } from '../../base/id.ts'
import type { HttpObservation } from './observation.ts'
import { newRequestId } from './request-id.ts'
import { createRequestLog, type RequestLogEntry } from './request-log.ts'

const now = new Date('2026-11-27T21:11:41.747Z')
const entry = (): RequestLogEntry => ({
  requestId: newRequestId(now),
  accountId: newUuid(now),
  keyId: newUuid(now),
  livemode: true,
  method: 'GET',
  route: '/v1/things/:id',
  status: 200,
  errorCode: null,
  messageId: null,
  ms: 1.5,
})
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A log whose writes the test answers one by one. */
function heldLog() {
  const clock = manualClock('2026-11-27T21:11:41.747Z')
  const observed: HttpObservation[] = []
  const writes: { size: number; succeed: () => void; fail: () => void }[] = []
  let lost = 0
  const write = (entries: readonly RequestLogEntry[]) =>
    new Promise<void>((resolve, reject) => writes.push({ size: entries.length, succeed: resolve, fail: () => reject(new Error('away')) }))
  const log = createRequestLog({ clock, write, observe: (each) => observed.push(each), dropped: (entries) => (lost += entries) })
  return { clock, observed, writes, log, lost: () => lost }
}

describe('the request log', () => {
  test('writes what came within 250 ms at once', async () => {
    const { clock, writes, log } = heldLog()
    for (let i = 0; i < 3; i += 1) log.log(entry())
    clock.advance(249)
    expect(writes).toHaveLength(0)
    clock.advance(1)
    expect(writes.map((each) => each.size)).toEqual([3])
  })

  test('writes 500 without waiting, and what comes meanwhile right after', async () => {
    const { writes, log } = heldLog()
    for (let i = 0; i < 500; i += 1) log.log(entry())
    expect(writes.map((each) => each.size)).toEqual([500])
    for (let i = 0; i < 7; i += 1) log.log(entry())
    writes[0]?.succeed()
    await settled()
    expect(writes.map((each) => each.size)).toEqual([500, 7])
  })

  test('holds at most 10,000; more are dropped and counted', () => {
    const { log, lost } = heldLog()
    for (let i = 0; i < 10_000 + 500 + 3; i += 1) log.log(entry())
    expect(lost()).toBe(3)
  })

  test('gives up a batch that fails, counts it, says so once, and goes on', async () => {
    const { clock, writes, log, lost, observed } = heldLog()
    for (let round = 0; round < 3; round += 1) {
      log.log(entry())
      clock.advance(250)
      if (round < 2) writes[round]?.fail()
      else writes[round]?.succeed()
      await settled()
    }
    expect(lost()).toBe(2)
    expect(observed).toEqual([
      { kind: 'request_log.dropped', entries: 1, message: 'away' },
      { kind: 'request_log.dropped', entries: 2, message: 'calls are being logged again' },
    ])
  })

  test('writes what is held when it closes, and takes nothing more', async () => {
    const { writes, log, lost } = heldLog()
    for (let i = 0; i < 4; i += 1) log.log(entry())
    const closed = log.close()
    expect(writes.map((each) => each.size)).toEqual([4])
    log.log(entry())
    expect(lost()).toBe(1)
    writes[0]?.succeed()
    await closed
  })

  test('closes after one failed write, however much is held', async () => {
    const { writes, log, lost } = heldLog()
    for (let i = 0; i < 2_000; i += 1) log.log(entry())
    const closed = log.close()
    writes[0]?.fail()
    await closed
    expect(writes).toHaveLength(1)
    expect(lost()).toBe(2_000)
  })
})
