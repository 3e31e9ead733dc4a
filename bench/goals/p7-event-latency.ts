import { type Benchmark, type Effort, type Figure, judged, shown } from '../benchmark.ts'
import type { Received } from '../programs/receiver.ts'
import { makeBusinesses } from '../stage/businesses.ts'
import { liveEvents, warmEvents } from '../stage/live-events.ts'
import { startReceiver } from '../stage/receiver.ts'
import { openStage } from '../stage/stage.ts'
import { registerWebhooks } from '../stage/webhooks.ts'

/** P7: 500 texts a second come in, of 20 accounts with a webhook each. */
export const eventLatency: Benchmark = {
  name: 'P7',
  title: 'from an event to its receiver, at 500 a second',
  minutes: 3,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const stage = await openStage()
    const receiver = await startReceiver()
    const businesses = await makeBusinesses(stage, { accounts: 20, numbersEach: 1, peopleEach: quick ? 10 : 100 })
    await registerWebhooks(stage, businesses, (place) => `${receiver.url}/timed/${place}`)
    const perSecond = quick ? 50 : 500
    // Connections are open and code is warm before it counts, as in a gateway that has run for a minute.
    await warmEvents(stage, receiver, { businesses, perSecond, count: perSecond * 3 })
    const received: Received[] = []
    for (let run = 0; run < runs; run += 1)
      received.push(await liveEvents(stage, receiver, { businesses, perSecond, count: perSecond * (quick ? 3 : 20) }))
    await stage.close()
    await receiver.end()
    const of = (name: 'p50Ms' | 'p99Ms' | 'maxMs') => received.map((each) => each[name])
    return [
      judged('event to first byte, p99', 'ms', of('p99Ms'), { atMost: 50 }),
      shown('p50', 'ms', of('p50Ms')),
      shown('longest', 'ms', of('maxMs')),
    ]
  },
}
