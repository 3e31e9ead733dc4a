import { lowestUuidAt } from '../../server/src/base/id.ts'
import { takeDue } from '../../server/src/features/webhooks/delivery-store.ts'
import { type Benchmark, type Effort, type Figure, inTurns, judged, shown } from '../benchmark.ts'
import type { Received } from '../programs/receiver.ts'
import { liveEvents, warmEvents } from '../stage/live-events.ts'
import { type Prepared, prepare } from '../stage/million-pending.ts'
import { type BenchReceiver, startReceiver } from '../stage/receiver.ts'
import { startSimulator } from '../stage/simulator.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import type { BenchWebhook } from '../stage/webhooks.ts'
import { percentile, ratios } from '../statistics.ts'

const dayMs = 86_400_000

/** P8: two gateways take turns on the machine, one of which has 1,000,000 deliveries pending that nobody takes and that it goes on trying. */
export const deadEndpoints: Benchmark = {
  name: 'P8',
  title: '1,000,000 deliveries pending on dead endpoints',
  minutes: 9,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const receiver = await startReceiver()
    const simulator = await startSimulator()
    const without = await prepare({ simulator, receiver }, { dead: false, quick })
    const withDead = await prepare({ simulator, receiver }, { dead: true, quick })
    const alone: Received[] = []
    const beside: Received[] = []
    const claims: number[][] = []
    const pending: number[] = []
    const live = async (prepared: Prepared, into: Received[], also: (stage: Stage) => Promise<void>) => {
      const stage = await openStage({ simulator, dataDir: prepared.dataDir })
      into.push(await measure(stage, receiver, { prepared, quick }))
      await also(stage)
      await stage.close()
    }
    await inTurns(runs, [
      () => live(without, alone, async () => {}),
      () =>
        live(withDead, beside, async (stage) => {
          claims.push(await claimTimes(stage, withDead.dead.slice(0, 100)))
          pending.push(await countPending(stage))
        }),
    ])
    await simulator.program.end('SIGKILL', 10_000)
    await receiver.end()
    const p99 = (all: readonly Received[]) => all.map((each) => each.p99Ms)
    return [
      judged('p99 of live endpoints, to that without', '', ratios(p99(beside), p99(alone)), { atMost: 1.5 }),
      judged(
        'a claim of 100, p50',
        'ms',
        claims.map((each) => percentile(each, 0.5)),
        { atMost: 10 },
      ),
      shown(
        'a claim of 100, longest',
        'ms',
        claims.map((each) => percentile(each, 1)),
      ),
      shown('p99 beside the dead', 'ms', p99(beside)),
      shown('p99 without', 'ms', p99(alone)),
      shown('still pending at the end', 'deliveries', pending),
    ]
  },
}

async function measure(
  stage: Stage,
  receiver: BenchReceiver,
  { prepared, quick }: { prepared: Prepared; quick: boolean },
): Promise<Received> {
  const perSecond = quick ? 50 : 200
  const asked = { businesses: prepared.live, perSecond }
  // By then the dead ones have been tried often enough to have fallen to one attempt at a time each.
  await warmEvents(stage, receiver, { ...asked, count: perSecond * (quick ? 2 : 8) })
  return liveEvents(stage, receiver, { ...asked, count: perSecond * (quick ? 2 : 15) })
}

/** Milliseconds of the product's own claim, one delivery for each of 100 dead webhooks, while the gateway goes on. */
async function claimTimes({ deps }: Stage, webhooks: readonly BenchWebhook[]): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < 25; i += 1) {
    const due = deps.clock.now()
    const startedMs = performance.now()
    await takeDue(deps.database, {
      turns: webhooks.map(({ accountId, webhookId }) => ({ accountId, webhookId, wanted: Math.ceil(100 / webhooks.length) })),
      due,
      deliveriesFrom: lowestUuidAt(new Date(due.getTime() - 4 * dayMs)),
      eventsFrom: lowestUuidAt(new Date(due.getTime() - 5 * dayMs)),
      underWay: [],
    })
    times.push(performance.now() - startedMs)
  }
  // The first ones on a new connection plan the statement.
  return times.slice(5)
}

async function countPending(stage: Stage): Promise<number> {
  const [row] = await stage.sql<{ count: number }>(`select count(*)::integer as count from delivery where status = 'pending'`)
  return row?.count ?? 0
}
