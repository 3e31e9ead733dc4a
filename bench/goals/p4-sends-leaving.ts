import { until } from '../../server/test/support/processes/until.ts'
import { type Benchmark, type Effort, type Figure, inTurns, judged, shown } from '../benchmark.ts'
import { type BenchNumber, makeBusinesses, nextNumber, nextPerson } from '../stage/businesses.ts'
import { type BaselinePostgres, startBaselinePostgres } from '../stage/postgres.ts'
import { runProgram } from '../stage/program.ts'
import { queueSends } from '../stage/queued-sends.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { acceptedAfter, acceptedCount, lastSequence, type UpstreamSend } from '../stage/upstream-history.ts'
import { rateOf, ratios } from '../statistics.ts'

const leaveMsMax = 300_000
const contractPace = 50

/**
 * P4: what waits for 1,000 numbers leaves, at the contract's pace: from numbers of which upstream tells nothing, as for the baseline, and
 * from as many whose three statuses of each message come back meanwhile and are worked through. Then 20 numbers with more waiting than a
 * second's worth, for the pace itself: 1,000 numbers at 50 a second each would be more than the machine can do.
 */
export const sendsLeaving: Benchmark = {
  name: 'P4',
  title: 'sends leaving over 1,000 numbers',
  minutes: 12,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const stage = await openStage()
    const numbersOf = async () => {
      const businesses = await makeBusinesses(stage, { accounts: quick ? 4 : 100, numbersEach: 10, peopleEach: quick ? 4 : 10 })
      return businesses.flatMap((each) => each.numbers)
    }
    const numbers = await numbersOf()
    const silent = await numbersOf()
    for (const number of silent) await unsubscribe(stage, number)
    const baseline = await startBaselinePostgres()
    const strangers = await unheardNumbers(stage, numbers.length)
    const ours: Left[] = []
    const withStatuses: Left[] = []
    const paced: Left[] = []
    const plain: number[] = []
    const batched: number[] = []
    const jobs = (isBatched: boolean) => graphile(stage, baseline, { numbers: strangers, count: quick ? 300 : 10_000, batched: isBatched })
    await inTurns(runs, [
      async () => void ours.push(await leave(stage, silent, quick ? 3 : 4)),
      async () => void plain.push(await jobs(false)),
      async () => void withStatuses.push(await leave(stage, numbers, quick ? 3 : 4)),
      async () => void paced.push(await leave(stage, numbers.slice(0, 20), quick ? 25 : 50)),
      async () => void batched.push(await jobs(true)),
    ])
    await stage.close()
    await baseline.stop()
    const left = ours.map((each) => each.perSecond)
    return [
      judged('left', '/s', left, { atLeast: 5_000 }),
      judged('ratio to B5', '', ratios(left, plain), { atLeast: 4 }),
      judged('most of one number in a second', '', highest([...ours, ...withStatuses, ...paced]), { atMost: contractPace * 1.02 }),
      judged(
        'slowest of 20 full numbers',
        '/s',
        paced.map((each) => Math.min(...each.paces)),
        { between: [contractPace * 0.98, contractPace * 1.02] },
      ),
      judged(
        'fastest of 20 full numbers',
        '/s',
        paced.map((each) => Math.max(...each.paces)),
        { between: [contractPace * 0.98, contractPace * 1.02] },
      ),
      judged(
        'people whose order was broken',
        '',
        [...ours, ...withStatuses, ...paced].map((each) => each.reordered),
        { atMost: 0 },
      ),
      shown(
        'left while all statuses come back',
        '/s',
        withStatuses.map((each) => each.perSecond),
      ),
      shown('B5, graphile-worker, 64 at once', '/s', plain),
      shown('B5 with its batching turned on', '/s', batched),
      shown('ratio to that', '', ratios(left, batched)),
    ]
  },
}

type Left = { perSecond: number; paces: number[]; mostInASecond: number; reordered: number }

const highest = (all: readonly Left[]) => all.map((each) => each.mostInASecond)

/** Queues, waits until all have left, and reads from upstream's own book how. */
async function leave(stage: Stage, numbers: readonly BenchNumber[], each: number): Promise<Left> {
  const { url } = stage.simulator
  const before = await lastSequence(url)
  const wanted = (await acceptedCount(url)) + (await queueSends(stage, numbers, each))
  await until('everything has left', async () => (await acceptedCount(url)) >= wanted, leaveMsMax)
  const sends = await acceptedAfter(url, before)
  await stage.quiet()
  const byNumber = [...Map.groupBy(sends, (send) => send.phoneNumberId).values()]
  return {
    perSecond: paceOf(sends),
    paces: byNumber.map(paceOf),
    mostInASecond: Math.max(...byNumber.map(mostInASecond)),
    reordered: [...Map.groupBy(sends, (send) => send.to).values()].filter((mine) => !isInOrder(mine)).length,
  }
}

const paceOf = (sends: readonly UpstreamSend[]) => rateOf(sends.length, sends[0]?.monotonicMs ?? 0, sends.at(-1)?.monotonicMs ?? 0)

/** The most that begin within any second, by the moments at which they came to upstream. */
function mostInASecond(sends: readonly UpstreamSend[]): number {
  let most = 0
  let from = 0
  sends.forEach(({ monotonicMs }, i) => {
    while (monotonicMs - (sends[from]?.monotonicMs ?? 0) >= 1_000) from += 1
    most = Math.max(most, i - from + 1)
  })
  return most
}

const isInOrder = (sends: readonly UpstreamSend[]) => sends.every(({ text }, i) => Number(text) === i + 1)

/** From now on upstream tells nothing of this number. */
async function unsubscribe(stage: Stage, { wabaId, token }: BenchNumber): Promise<void> {
  const answer = await stage.deps.graph.call({ method: 'DELETE', path: `/${wabaId}/subscribed_apps`, token })
  if (answer.kind !== 'answer' || answer.statusCode !== 200) throw new Error('The simulator did not unsubscribe a number.')
}

/** Numbers of which upstream tells nobody anything: the baseline takes no statuses in. */
async function unheardNumbers(stage: Stage, count: number): Promise<{ phoneNumberId: string; token: string }[]> {
  const numbers = Array.from({ length: count }, nextNumber)
  for (const number of numbers) await stage.simulator.command('numbers', { ...number, subscribed: false })
  return numbers
}

async function graphile(
  stage: Stage,
  { address }: BaselinePostgres,
  { numbers, count, batched }: { numbers: readonly object[]; count: number; batched: boolean },
): Promise<number> {
  const { url } = stage.simulator
  const before = await lastSequence(url)
  const people = Array.from({ length: 1_000 }, nextPerson)
  await runProgram('graphile-worker.ts', { address, origin: url, numbers, people, count, concurrency: 64, batched })
  const sends = await acceptedAfter(url, before)
  if (sends.length !== count) throw new Error(`${sends.length} of ${count} jobs came to upstream.`)
  return paceOf(sends)
}
