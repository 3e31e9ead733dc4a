import { until } from '../../server/test/support/processes/until.ts'
import type { Received } from '../programs/receiver.ts'
import type { Business } from './businesses.ts'
import { load, newRun, noticeNumbersOf } from './load.ts'
import type { BenchReceiver } from './receiver.ts'
import type { Stage } from './stage.ts'

/**
 * People write, so many a second, and each text is an event of one webhook under `/timed/`. Answers how long after the event's moment the
 * first byte came: that moment is taken inside the transaction, so the wait for the commit is counted too.
 */
export async function liveEvents(
  stage: Stage,
  receiver: BenchReceiver,
  asked: { businesses: readonly Business[]; perSecond: number; count: number },
): Promise<Received> {
  const { businesses, perSecond, count } = asked
  await receiver.beginAnew('timed')
  const { appSecret } = stage.simulator
  const work = { kind: 'notice', run: newRun(), appSecret, bytes: 1_000, numbers: noticeNumbersOf(businesses) } as const
  await load(200, { origin: stage.gateway.url, work, callers: 64, count, warmUp: 0, perSecond })
  await until('every event has come', async () => (await receiver.taken('timed')).count >= count, 120_000)
  return receiver.taken('timed')
}
