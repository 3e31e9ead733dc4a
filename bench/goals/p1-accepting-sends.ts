import { systemClock } from '../../server/src/base/clock.ts'
import { partitionedTables } from '../../server/src/partitioned-tables.ts'
import { openDatabase } from '../../server/src/platform/database/database.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { makePartitions } from '../../server/src/platform/database/partitions.ts'
import { type Benchmark, type Effort, type Figure, inTurns, judged, shown } from '../benchmark.ts'
import type { HttpLoadAnswer } from '../programs/http-load.ts'
import { makeBusinesses } from '../stage/businesses.ts'
import { load, newRun, sendersOf } from '../stage/load.ts'
import { type Address, startBaselinePostgres } from '../stage/postgres.ts'
import { runProgram, startServing } from '../stage/program.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { ratios } from '../statistics.ts'

const callers = 256

/** P1: every check, a key of its own on every call, 4,000 people, four accounts with two numbers each; and the workers run as always. */
export const acceptingSends: Benchmark = {
  name: 'P1',
  title: 'POST /messages, all checks, durable, 256 callers',
  minutes: 4,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const stage = await openStage()
    const businesses = await makeBusinesses(stage, { accounts: 4, numbersEach: 2, peopleEach: quick ? 20 : 500 })
    const senders = sendersOf(businesses)
    const baseline = await startBaselinePostgres()
    await makeTables(baseline.address)
    const bare = await startServing('fastify-post.ts')
    const ours: HttpLoadAnswer[] = []
    const transactions: { perSecond: number; p99Ms: number }[] = []
    const fastify: HttpLoadAnswer[] = []
    const crowd = { callers, count: quick ? 1_000 : 60_000, warmUp: quick ? 256 : 3_000, perSecond: null }
    const sends = (origin: string) => load(202, { origin, work: { kind: 'send', run: newRun(), senders }, ...crowd })
    await inTurns(runs, [
      async () => {
        ours.push(await sends(stage.gateway.url))
        await dropQueue(stage)
      },
      async () => {
        const orders = { address: baseline.address, connections: 64, callers, count: quick ? 500 : 30_000 }
        transactions.push(await runProgram('transaction-per-request.ts', orders))
      },
      async () => void fastify.push(await sends(bare.url)),
    ])
    await bare.end()
    await stage.close()
    await baseline.stop()
    const perSecond = (answers: readonly { perSecond: number }[]) => answers.map((each) => each.perSecond)
    return [
      judged('accepted', '/s', perSecond(ours), { atLeast: 8_000 }),
      judged(
        'p99',
        'ms',
        ours.map((each) => each.p99Ms),
        { atMost: 50 },
      ),
      judged('ratio to B2', '', ratios(perSecond(ours), perSecond(transactions)), { atLeast: 1.6 }),
      judged('ratio to B3', '', ratios(perSecond(ours), perSecond(fastify)), { atLeast: 0.25 }),
      shown('B2, a transaction for each', '/s', perSecond(transactions)),
      shown(
        'B2 p99',
        'ms',
        transactions.map((each) => each.p99Ms),
      ),
      shown('B3, bare Fastify', '/s', perSecond(fastify)),
      shown(
        'p50',
        'ms',
        ours.map((each) => each.p50Ms),
      ),
    ]
  },
}

/** What waits to leave would go on leaving, at its pace, while the baselines run. */
async function dropQueue(stage: Stage): Promise<void> {
  await stage.sql('delete from send_queue where state = 0')
  await stage.quiet()
}

/** The product's own tables, so that the baseline writes the same rows under the same indexes. */
async function makeTables(address: Address): Promise<void> {
  const clock = systemClock()
  const database = openDatabase({ connection: address, clock, observe: () => {}, connectionsMax: 2 })
  await migrate({ database, clock, observe: () => {} }, new URL('../../server/migrations/', import.meta.url))
  await makePartitions(database, partitionedTables, clock.now())
  await database.close()
}
