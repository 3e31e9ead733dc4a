import { type Benchmark, type Effort, type Figure, judged, shown } from '../benchmark.ts'
import type { HttpLoadAnswer } from '../programs/http-load.ts'
import { makeBusinesses } from '../stage/businesses.ts'
import { load, newRun, sendersOf } from '../stage/load.ts'
import { openStage } from '../stage/stage.ts'

/** P2: 200 calls a second, each at its moment. They leave meanwhile, and their statuses come back. */
export const steadySends: Benchmark = {
  name: 'P2',
  title: 'POST /messages at 200 a second',
  minutes: 3,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const stage = await openStage()
    const businesses = await makeBusinesses(stage, { accounts: 4, numbersEach: 2, peopleEach: quick ? 20 : 500 })
    const answers: HttpLoadAnswer[] = []
    for (let run = 0; run < runs; run += 1) {
      const work = { kind: 'send', run: newRun(), senders: sendersOf(businesses) } as const
      const count = quick ? 400 : 5_000
      answers.push(await load(202, { origin: stage.gateway.url, work, callers: 64, count, warmUp: 200, perSecond: 200 }))
      await stage.quiet()
    }
    await stage.close()
    const of = (name: 'p50Ms' | 'p99Ms' | 'maxMs' | 'perSecond') => answers.map((each) => each[name])
    return [
      judged('p99', 'ms', of('p99Ms'), { atMost: 15 }),
      shown('p50', 'ms', of('p50Ms')),
      shown('longest', 'ms', of('maxMs')),
      shown('accepted', '/s', of('perSecond')),
    ]
  },
}
