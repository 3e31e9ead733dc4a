import { type Benchmark, type Effort, type Figure, inTurns, judged, shown } from '../benchmark.ts'
import { makeBusinesses } from '../stage/businesses.ts'
import { drain } from '../stage/drain.ts'
import { startReceiver } from '../stage/receiver.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { type BenchWebhook, oweDeliveries, registerWebhooks } from '../stage/webhooks.ts'
import { ratios } from '../statistics.ts'

/** More than the deadline of an attempt: by then each black hole is known for one, or nothing of it is under way any more. */
const hangMs = 12_000

/** P9: 100 webhooks whose receiver takes the call and never answers, beside 40 that answer at once. */
export const blackHoles: Benchmark = {
  name: 'P9',
  title: '100 endpoints that hang for 10 s',
  minutes: 5,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const stage = await openStage()
    const receiver = await startReceiver()
    const live = await registerWebhooks(
      stage,
      await makeBusinesses(stage, { accounts: 40, numbersEach: 0, peopleEach: 0 }),
      (place) => `${receiver.url}/count/${place}`,
    )
    const holes: BenchWebhook[] = []
    const others = await makeBusinesses(stage, { accounts: 10, numbersEach: 0, peopleEach: 0 })
    for (let i = 0; i < 10; i += 1) holes.push(...(await registerWebhooks(stage, others, (place) => `${receiver.url}/hang/${place}/${i}`)))
    const alone: number[] = []
    const onset: number[] = []
    const beside: number[] = []
    const backlog = { webhooks: live, each: quick ? 10 : 750 }
    await inTurns(runs, [
      async () => void alone.push(await drain(stage, receiver, backlog)),
      async () => {
        await oweDeliveries(stage, holes, 100)
        onset.push(await drain(stage, receiver, backlog))
        await pause(hangMs)
        beside.push(await drain(stage, receiver, backlog))
        await forget(stage, holes)
      },
    ])
    await stage.close()
    await receiver.end()
    return [
      judged('throughput of the others, to that without', '', ratios(beside, alone), { atLeast: 0.75 }),
      shown('delivered without', '/s', alone),
      shown('delivered beside them', '/s', beside),
      shown('delivered in their first ten seconds', '/s', onset),
      shown('that to without', '', ratios(onset, alone)),
    ]
  },
}

/** Takes what waits for them away, and waits until nothing of it is under way, so that the other side has the process for itself. */
async function forget(stage: Stage, holes: readonly BenchWebhook[]): Promise<void> {
  const text = `update delivery set status = 'canceled', next_at = null where status = 'pending' and webhook_id = any($1::uuid[])`
  const ids = holes.map((each) => each.webhookId)
  await stage.sql(text, [ids])
  await pause(hangMs)
  await stage.sql(text, [ids])
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
