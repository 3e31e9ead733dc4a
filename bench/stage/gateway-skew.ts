import { apiOf } from '../../server/test/support/processes/api.ts'
import type { Business } from './businesses.ts'
import { newRun } from './load.ts'
import type { Stage } from './stage.ts'

const asks = 11
/** The gateway corrects its clock by nothing or by 20 ms and more; what is less is our own imprecision. */
const skewMsMin = 10

/**
 * How far the gateway's clock is before this machine's, in milliseconds. It follows the database's, and on a machine that is too busy
 * to measure the two it can be off by as much as the measurement took. Read off sends: of the quickest, the moment that its answer names.
 */
export async function gatewaySkewMs(stage: Stage, { key, numbers }: Business): Promise<number> {
  const api = apiOf(stage.gateway.url, key)
  const to = numbers[0]?.people[0]?.digits ?? ''
  const run = newRun()
  let best = { tookMs: Number.POSITIVE_INFINITY, skewMs: 0 }
  for (let i = 0; i < asks; i += 1) {
    const beforeMs = performance.timeOrigin + performance.now()
    const { status, body } = await api.post(
      '/v1/messages',
      { to, type: 'text', text: { body: 'Oi!' } },
      { 'idempotency-key': `${run}-${i}` },
    )
    if (status !== 202) throw new Error(`A send was answered ${status}.`)
    const tookMs = performance.timeOrigin + performance.now() - beforeMs
    if (tookMs < best.tookMs) best = { tookMs, skewMs: Date.parse(body.created_at) - beforeMs - tookMs / 2 }
  }
  return Math.abs(best.skewMs) < skewMsMin ? 0 : best.skewMs
}
