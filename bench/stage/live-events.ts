import { present } from '../../server/src/base/assert.ts'
import { until } from '../../server/test/support/processes/until.ts'
import type { Received } from '../programs/receiver.ts'
import type { Business } from './businesses.ts'
import { gatewaySkewMs } from './gateway-skew.ts'
import { load, newRun, noticeNumbersOf } from './load.ts'
import type { BenchReceiver } from './receiver.ts'
import type { Stage } from './stage.ts'

type Asked = { businesses: readonly Business[]; perSecond: number; count: number }

/** The same clock at both ends, to this many milliseconds. */
const skewChangeMsMax = 10
const triesMax = 3

/**
 * People write, so many a second, and each text is an event of one webhook under `/timed/`. Answers how long after the event's moment the
 * first byte came: that moment is taken inside the transaction, so the wait for the commit is counted too. Done again when the gateway
 * corrected its clock meanwhile, as it may every minute.
 */
export async function liveEvents(stage: Stage, receiver: BenchReceiver, asked: Asked): Promise<Received> {
  const business = present(asked.businesses[0], 'there are some')
  for (let tries = 1; ; tries += 1) {
    const skewMs = await gatewaySkewMs(stage, business)
    const received = await warmEvents(stage, receiver, asked)
    const changeMs = (await gatewaySkewMs(stage, business)) - skewMs
    const { p50Ms, p99Ms, maxMs } = received
    if (Math.abs(changeMs) <= skewChangeMsMax) return { ...received, p50Ms: p50Ms + skewMs, p99Ms: p99Ms + skewMs, maxMs: maxMs + skewMs }
    if (tries === triesMax) throw new Error(`The gateway's clock moved by ${Math.round(changeMs)} ms: this machine is too busy.`)
  }
}

/** The same by the gateway's own clock: for what is not measured. */
export async function warmEvents(stage: Stage, receiver: BenchReceiver, { businesses, perSecond, count }: Asked): Promise<Received> {
  await receiver.beginAnew('timed')
  const { appSecret } = stage.simulator
  const work = { kind: 'notice', run: newRun(), appSecret, bytes: 1_000, numbers: noticeNumbersOf(businesses) } as const
  await load(200, { origin: stage.gateway.url, work, callers: 64, count, warmUp: 0, perSecond })
  await until('every event has come', async () => (await receiver.taken('timed')).count >= count, 120_000)
  return receiver.taken('timed')
}
