import { present } from '../../server/src/base/assert.ts'
import { apiOf } from '../../server/test/support/processes/api.ts'
import { until } from '../../server/test/support/processes/until.ts'
import { type Benchmark, type Effort, type Figure, judged, shown } from '../benchmark.ts'
import { type Business, makeBusinesses } from '../stage/businesses.ts'
import { newRun } from '../stage/load.ts'
import { queueSends } from '../stage/queued-sends.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { acceptedAfter, acceptedCount, lastSequence } from '../stage/upstream-history.ts'
import { percentile } from '../statistics.ts'

const pauseMs = 150

/** P5: one number with 1,000 waiting; and a gateway at rest that is asked to send now and then. */
export const oneNumber: Benchmark = {
  name: 'P5',
  title: 'one number: its pace, and the way of a single send',
  minutes: 5,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const stage = await openStage()
    const queued = quick ? 100 : 1_000
    const [business] = await makeBusinesses(stage, { accounts: 1, numbersEach: 1, peopleEach: queued })
    const seconds: number[] = []
    const ways: number[][] = []
    for (let run = 0; run < runs; run += 1) {
      seconds.push(await drain(stage, present(business, 'one was made')))
      ways.push(await singleSends(stage, present(business, 'one was made'), quick ? 20 : 200))
    }
    await stage.close()
    const wanted = queued / 50
    return [
      judged(`${queued} queued have left after`, 's', seconds, { between: [wanted * 0.98, wanted * 1.02] }),
      judged(
        'idle, from the call to upstream, p99',
        'ms',
        ways.map((each) => percentile(each, 0.99)),
        { atMost: 60 },
      ),
      shown(
        'idle, from the call to upstream, p50',
        'ms',
        ways.map((each) => percentile(each, 0.5)),
      ),
    ]
  },
}

/** Between the first and the last, by upstream's clock, and one gap more: so many starts have so many gaps. */
async function drain(stage: Stage, { numbers }: Business): Promise<number> {
  const { url } = stage.simulator
  const before = await lastSequence(url)
  const accepted = await acceptedCount(url)
  const count = await queueSends(stage, numbers, 1)
  await until('everything has left', async () => (await acceptedCount(url)) >= accepted + count, 120_000)
  const sends = await acceptedAfter(url, before)
  await stage.quiet()
  const tookMs = (sends.at(-1)?.monotonicMs ?? 0) - (sends[0]?.monotonicMs ?? 0)
  return (tookMs * count) / (count - 1) / 1_000
}

/** Milliseconds from the beginning of the call, its acceptance included, to the moment in which upstream had it. */
async function singleSends(stage: Stage, { key, numbers }: Business, count: number): Promise<number[]> {
  const api = apiOf(stage.gateway.url, key)
  const [number] = numbers
  const run = newRun()
  const before = await lastSequence(stage.simulator.url)
  const askedMs: number[] = []
  for (let i = 0; i < count; i += 1) {
    const to = number?.people[i % number.people.length]?.digits ?? ''
    askedMs.push(performance.timeOrigin + performance.now())
    const { status } = await api.post('/v1/messages', { to, type: 'text', text: { body: `${i}` } }, { 'idempotency-key': `${run}-${i}` })
    if (status !== 202) throw new Error(`A single send was answered ${status}.`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  await stage.quiet()
  const sends = await acceptedAfter(stage.simulator.url, before)
  return sends.map(({ atMs, text }) => atMs - (askedMs[Number(text)] ?? Number.NaN))
}
