import { type Benchmark, type Effort, type Figure, inTurns, judged, shown } from '../benchmark.ts'
import { makeBusinesses } from '../stage/businesses.ts'
import { drain } from '../stage/drain.ts'
import { startBaselinePostgres } from '../stage/postgres.ts'
import { runProgram } from '../stage/program.ts'
import { type BenchReceiver, startReceiver } from '../stage/receiver.ts'
import { openStage } from '../stage/stage.ts'
import { eventBody, registerWebhooks } from '../stage/webhooks.ts'
import { rateOf, ratios } from '../statistics.ts'

/** P6: a backlog of 40 accounts, so that every slot of the process has work; each attempt signed, checked and written down. */
export const deliveries: Benchmark = {
  name: 'P6',
  title: 'webhook deliveries of one process',
  minutes: 4,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const stage = await openStage()
    const receiver = await startReceiver()
    const { address, stop } = await startBaselinePostgres()
    const businesses = await makeBusinesses(stage, { accounts: 40, numbersEach: 0, peopleEach: 0 })
    const webhooks = await registerWebhooks(stage, businesses, (place) => `${receiver.url}/count/${place}`)
    const ours: number[] = []
    const bare: number[] = []
    const oneByOne: number[] = []
    const crowd: number[] = []
    const target = { origin: receiver.url, path: '/count/0', body: eventBody }
    const boss = (loops: number, count: number) => paceOf(receiver, 'pg-boss.ts', { ...target, address, loops, count })
    await inTurns(runs, [
      async () => void ours.push(await drain(stage, receiver, { webhooks, each: quick ? 10 : 1_000 })),
      async () => void bare.push(await paceOf(receiver, 'signed-posts.ts', { ...target, connections: 64, count: quick ? 500 : 60_000 })),
      async () => void oneByOne.push(await boss(1, quick ? 50 : 2_000)),
      async () => void crowd.push(await boss(32, quick ? 100 : 10_000)),
    ])
    await stage.close()
    await receiver.end()
    await stop()
    return [
      judged('delivered', '/s', ours, { atLeast: 5_000 }),
      judged('ratio to B4', '', ratios(ours, bare), { atLeast: 0.2 }),
      judged('ratio to B6 one by one', '', ratios(ours, oneByOne), { atLeast: 10 }),
      shown('B4, bare undici and HMAC', '/s', bare),
      shown('B6, pg-boss one by one', '/s', oneByOne),
      shown('B6 with 32 at once', '/s', crowd),
      shown('ratio to that', '', ratios(ours, crowd)),
    ]
  },
}

/** Runs a program that posts to the receiver, and answers the pace at which it came there. */
async function paceOf(receiver: BenchReceiver, program: string, orders: object): Promise<number> {
  await receiver.beginAnew('count')
  await runProgram(program, orders)
  const { count, firstMs, lastMs } = await receiver.taken('count')
  return rateOf(count, firstMs, lastMs)
}
