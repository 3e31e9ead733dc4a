import { until } from '../../server/test/support/processes/until.ts'
import { rateOf } from '../statistics.ts'
import type { BenchReceiver } from './receiver.ts'
import type { Stage } from './stage.ts'
import { type BenchWebhook, oweDeliveries } from './webhooks.ts'

const drainMsMax = 300_000

/** Makes a backlog for these webhooks, under `/count/`, and answers at which pace it came to the receiver. */
export async function drain(
  stage: Stage,
  receiver: BenchReceiver,
  owed: { webhooks: readonly BenchWebhook[]; each: number },
): Promise<number> {
  await receiver.beginAnew('count')
  const wanted = await oweDeliveries(stage, owed.webhooks, owed.each)
  await until('the backlog is delivered', async () => (await receiver.taken('count')).count >= wanted, drainMsMax)
  const { count, firstMs, lastMs } = await receiver.taken('count')
  if (count !== wanted) throw new Error(`${count} came of ${wanted} deliveries.`)
  return rateOf(count, firstMs, lastMs)
}
