import { type Business, makeBusinesses } from './businesses.ts'
import type { BenchReceiver } from './receiver.ts'
import type { BenchSimulator } from './simulator.ts'
import { openStage, type Stage } from './stage.ts'
import { type BenchWebhook, oweDeliveries, registerWebhooks } from './webhooks.ts'

const webhooksEach = 10
const deadAccounts = 100
/** Below the ports that a system gives away, so that nothing of ours ever listens there. */
const deadPort = 1_024

/** A gateway with customers whose receivers answer, stopped: its directory, and who they are. */
export type Prepared = { dataDir: string; live: readonly Business[]; dead: readonly BenchWebhook[] }

/** 20 accounts with a number and a webhook under `/timed/`; and, where `dead` says so, 1,000,000 deliveries that wait for 1,000 webhooks which nobody answers. */
export async function prepare(
  { simulator, receiver }: { simulator: BenchSimulator; receiver: BenchReceiver },
  { dead, quick }: { dead: boolean; quick: boolean },
): Promise<Prepared> {
  const stage = await openStage({ simulator })
  const live = await makeBusinesses(stage, { accounts: 20, numbersEach: 1, peopleEach: quick ? 10 : 100 })
  await registerWebhooks(stage, live, (place) => `${receiver.url}/timed/${place}`)
  const deadWebhooks = dead ? await makeDead(stage, quick) : []
  await stage.close()
  return { dataDir: stage.dataDir, live, dead: deadWebhooks }
}

async function makeDead(stage: Stage, quick: boolean): Promise<BenchWebhook[]> {
  const businesses = await makeBusinesses(stage, { accounts: quick ? 4 : deadAccounts, numbersEach: 0, peopleEach: 0 })
  // Nobody listens there: each attempt fails at once, which costs more of the process than one that hangs.
  const webhooks: BenchWebhook[] = []
  for (let i = 0; i < webhooksEach; i += 1)
    webhooks.push(...(await registerWebhooks(stage, businesses, (place) => `http://127.0.0.1:${deadPort}/dead/${place}/${i}`)))
  await oweDeliveries(stage, webhooks, quick ? 50 : 1_000)
  // A million that had come over hours would have been looked at by autovacuum.
  await stage.sql('vacuum analyze delivery')
  await stage.sql('vacuum analyze event')
  return webhooks
}
