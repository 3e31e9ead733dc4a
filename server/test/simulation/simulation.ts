import { systemClock } from '../../src/base/clock.ts'
import { replaySince } from '../../src/features/notices/public.ts'
import { partitionedTables } from '../../src/partitioned-tables.ts'
import { type Connection, type Database, openDatabase } from '../../src/platform/database/database.ts'
import { dropOldPartitions, makePartitions } from '../../src/platform/database/partitions.ts'
import { secretKey } from '../support/stage.ts'
import { forgetAccount, makeAccount, mendNumber, type SimulatedAccount } from './account.ts'
import { chanceOf } from './chance.ts'
import { planClients } from './clients.ts'
import { createDriver } from './driver.ts'
import type { Evidence } from './evidence.ts'
import { planFaults } from './faults.ts'
import { createGate } from './gate.ts'
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts'
import { noticesOf, planInbound } from './notices.ts'
import { noteOwnership } from './ownership-steps.ts'
import { type Plan, peopleOf, planOf } from './plan.ts'
import { receiversOf } from './receivers.ts'
import { readOpen, readRows } from './rows.ts'
import { openRealDatabase, type RealDatabase, type SharedDatabase } from './simulated-database.ts'
import { upstreamNetwork } from './upstream.ts'
import { clockOf, type Life, virtualTime } from './virtual-time.ts'
import { after, type World } from './world.ts'

/** What one seed led to. */
export type Simulated = { seed: number; startMs: number; endMs: number; steps: number; evidence: Evidence }

/** Runs seeds one after another on one database; each has an account of its own. */
export type Simulation = { run(seed: number): Promise<Simulated>; close(): Promise<void> }

/** Far from the real time, so that a clock that is not passed in shows. */
const firstStartMs = Date.parse('2031-03-02T12:00:00.000Z')
const dayMs = 86_400_000
const betweenMs = 5_000
export const sendsPerSecond = 50

/**
 * `connection` leads to a migrated database of its own. Seeds follow each other in virtual time: ids hold it, and have to rise from
 * seed to seed as they do within one.
 */
export function openSimulation(connection: Connection): Simulation {
  const database = openDatabase({ connection, clock: systemClock(), observe: () => {}, connectionsMax: 2 })
  const real = openRealDatabase(connection)
  const tables = partitionedTables.map((each) => ({ ...each, keptDays: each.every === 'day' ? 1 : each.keptDays }))
  let nextStartMs = firstStartMs
  let partitionsUntilMs = 0
  return {
    async run(seed) {
      const startMs = nextStartMs
      if (startMs > partitionsUntilMs) {
        await makePartitions(database, tables, new Date(startMs))
        await dropOldPartitions(database, tables, new Date(startMs))
        partitionsUntilMs = startMs + dayMs
      }
      const simulated = await simulate({ real, database }, planOf(seed), startMs)
      nextStartMs = Math.ceil(simulated.endMs / 1_000) * 1_000 + betweenMs
      return simulated
    },
    async close() {
      await real.close()
      await database.close()
    },
  }
}

/** `database` is for what the simulation itself reads and writes, outside the gate. */
type Stores = { real: RealDatabase; database: Database }

async function simulate({ real, database }: Stores, plan: Plan, startMs: number): Promise<Simulated> {
  const time = virtualTime(startMs)
  const gate = createGate()
  const life: Life = { state: 'running' }
  const webhooks = ['good', ...(plan.hasShakyReceiver ? ['shaky'] : []), ...(plan.hasDeadReceiver ? ['dead'] : [])]
  const account = await makeAccount({ database, clock: clockOf(time, life) }, { phones: peopleOf(plan), webhooks })
  const evidence = emptyEvidence({ webhooks, calmFromMs: startMs + plan.calmFromMs, mayExpire: plan.hasExpiry })
  const shared = real.under({ time, gate, ran: (ran) => noteOwnership(evidence, ran) })
  const processes: GatewayProcess[] = []
  const front = () => processes.findLast((each) => each.isListening()) ?? null
  const world: World = { plan, time, startMs, evidence, numbers: account.numbers, life, front }
  const start = starter(world, { shared, account, processes })
  const driver = createDriver({
    world,
    gate,
    faults: planFaults(world, { processes, start }),
    readOpen: () => readOpen(database, account.stage.accountId, { nowMs: time.nowMs(), isExact: plan.isExact }),
  })
  planClients(world, account.stage)
  start()
  try {
    const steps = await driver.run()
    evidence.rows = await readRows(database, account.stage.accountId)
    return { seed: plan.seed, startMs, endMs: time.nowMs(), steps, evidence }
  } finally {
    for (const each of processes) each.life.state = 'dead'
    await driver.release()
    await forgetAccount(database, account.stage)
  }
}

type Parts = { shared: SharedDatabase; account: SimulatedAccount; processes: GatewayProcess[] }

/** Builds the world around the processes; the answer starts one more of them. */
function starter(world: World, { shared, account, processes }: Parts): () => void {
  const { time, life, evidence } = world
  const notices = noticesOf(world)
  planInbound(world, notices)
  const operator = { database: shared.of({ life, process: -1, part: 'operator' }), clock: clockOf(time, life) }
  // In every second history the operator has everything worked through again, whatever happens meanwhile.
  const chance = chanceOf(world.plan.seed, 'replays')
  const replays = chance.happens(0.5) ? chance.whole(1, 3) : 0
  for (let i = 0; i < replays; i += 1)
    after(world, chance.whole(1, world.plan.calmFromMs), () => void replaySince(operator, new Date(world.startMs)))
  const network = upstreamNetwork(world, notices, (number) => {
    const mended = account.numbers[number]
    // More than once: the gateway may learn late that the number is unusable.
    for (const ms of mendAfterMs) if (mended) after(world, ms, () => void mendNumber(operator, account.stage, mended))
  })
  const deps = {
    time,
    database: shared,
    graph: network.graphOf,
    strangers: receiversOf(world),
    secretKey,
    sendsPerSecond,
    complain: (words: string) => evidence.complaints.push(words),
  }
  return () => processes.push(startGatewayProcess(deps, processes.length))
}

const mendAfterMs = [2_000, 9_000, 40_000]

function emptyEvidence(known: Pick<Evidence, 'webhooks' | 'calmFromMs' | 'mayExpire'>): Evidence {
  return {
    requests: [],
    posts: [],
    statuses: [],
    inbound: [],
    acts: [],
    receipts: [],
    faults: [],
    jumps: [],
    ownership: [],
    complaints: [],
    ...known,
    rows: {
      messages: [],
      events: [],
      deliveries: [],
      attempts: [],
      reactions: [],
      idempotency: [],
      usageDifferences: [],
      open: { queued: 0, notices: 0, deliveries: 0, lanesDue: 0, parkedOfOurs: 0 },
    },
  }
}
