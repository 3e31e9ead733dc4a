import { describe, expect, test } from 'vitest'
import { secretKey } from '../../../test/support/stage.ts'
import { manualClock } from '../../base/clock.ts'
import { newUuid } from '../../base/id.ts'
import { createUnsealer, seal } from '../../base/seal.ts'
import { deliver } from './deliver.ts'
import type { DueDelivery } from './delivery-store.ts'

const began = '2026-03-02T12:00:00.000Z'

/** Posts to a receiver that answers this after nine seconds. */
async function delivered(statusCode: number, attempt = 0) {
  const clock = manualClock(began)
  const headers: Record<string, string>[] = []
  const strangers = {
    async post(request: { headers: Record<string, string> }) {
      headers.push(request.headers)
      clock.advance(9_000)
      return { statusCode, durationMs: 9_000, error: null, bodyHead: '' }
    },
  }
  const ended = await deliver({ clock, strangers, unseal: createUnsealer(secretKey) }, due(clock.now(), attempt))
  return { ended, header: headers[0]?.['service-signature'] ?? '' }
}

function due(now: Date, attempt: number): DueDelivery {
  return {
    accountId: newUuid(now),
    id: newUuid(now),
    webhookId: newUuid(now),
    eventId: newUuid(now),
    eventType: 'message.sent',
    attempt,
    body: Buffer.from('{}'),
    url: 'https://receiver.example/',
    secret: seal(secretKey, 'whsec_test'),
    previousSecret: null,
    previousSecretUntil: null,
    failingSince: null,
    hasRetries: false,
  }
}

// rule: delivery 2
describe('an attempt', () => {
  test('that fails after nine seconds is followed by one a minute after its end, not after its start', async () => {
    const { ended } = await delivered(500)
    const nextAt = 'move' in ended ? ended.move.nextAt : null
    expect(nextAt?.getTime()).toBeGreaterThanOrEqual(Date.parse(began) + 9_000 + 60_000)
  })

  test('that is received has no successor, and the sixth that fails has none either', async () => {
    expect((await delivered(204)).ended).toMatchObject({ move: { status: 'succeeded', nextAt: null } })
    expect((await delivered(500, 5)).ended).toMatchObject({ move: { status: 'failed', nextAt: null } })
  })

  test('is signed and dated by its start', async () => {
    const { ended, header } = await delivered(500)
    expect(header).toMatch(new RegExp(`^t=${Date.parse(began) / 1_000},v1=[0-9a-f]{64}$`))
    expect(ended).toMatchObject({ startedAt: new Date(began), durationMs: 9_000 })
  })
})
