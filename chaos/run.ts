import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiOf } from '../server/test/support/processes/api.ts'
import { removeDataDirs } from '../server/test/support/processes/data-dir.ts'
import { runs } from '../server/test/support/processes/program.ts'
import { until } from '../server/test/support/processes/until.ts'
import { type Auditor, createAuditor } from './audit.ts'
import { startBalancer } from './balancer.ts'
import { planCycles, upstreamFaults } from './faults.ts'
import type { Gateway } from './gateways.ts'
import { type Fault, type Finish, type Life, type Sample, type Stage, type Trouble, uuidOf } from './histories.ts'
import { strike } from './nemesis.ts'
import { forgetHistory } from './noisy-account.ts'
import { openSystem, secrets, sendsPerSecond } from './open-system.ts'
import { filesOf, openLines } from './run-folder.ts'
import { type SideProgram, startSideProgram } from './side-program.ts'
import { setStage, upstreamNumbers, writeOrders } from './stage.ts'
import { makeTrouble } from './trouble-makers.ts'

/** `load`: sends that the client begins in a second. */
export type RunOptions = {
  seed: number
  cycles: number
  mode: Stage['mode']
  gateways: number
  load: number
  only: readonly string[]
  folder: string
  say: (words: string) => void
}

/** What ends the program from outside, or by a mistake of its own. */
const endings = ['SIGINT', 'SIGTERM', 'uncaughtException'] as const
const here = import.meta.dirname
const sampleEveryMs = 1_000
/** Longer than a lease. */
const calmMsMax = 20_000
/** A person whose send has an unknown outcome is held back for a minute; what waits behind it leaves after that. */
const drainMsMax = 150_000

/** Plays one run from beginning to end and leaves its histories in the folder. Nothing stays running, whatever ends it. */
export async function playRun(options: RunOptions): Promise<void> {
  const undo: (() => Promise<unknown>)[] = []
  const tidy = async () => {
    for (const each of undo.splice(0).reverse()) await each().catch((error: unknown) => options.say(`while tidying up: ${String(error)}`))
    await removeDataDirs()
  }
  const endEarly = (why: unknown) => {
    options.say(`ended early: ${why instanceof Error ? (why.stack ?? why.message) : String(why)}`)
    void tidy().finally(() => process.exit(1))
  }
  for (const each of endings) process.once(each, endEarly)
  try {
    await play(options, undo)
  } finally {
    for (const each of endings) process.off(each, endEarly)
    await tidy()
  }
}

async function play(options: RunOptions, undo: (() => Promise<unknown>)[]): Promise<void> {
  const { folder, seed, say } = options
  mkdirSync(folder, { recursive: true })
  const files = filesOf(folder)
  const side = async (args: readonly string[], printsUrl: boolean): Promise<SideProgram> => {
    const program = await startSideProgram(args, { logFile: join(folder, 'side-programs.log'), printsUrl })
    undo.push(() => program.end(5_000))
    return program
  }
  const simulator = await side(simulatorArguments(files.upstream, seed), true)
  const receivers = await side([join(here, 'receivers.ts'), files.receipts, String(seed)], true)
  const nemesis = openLines(files.nemesis)
  undo.push(async () => nemesis.close())
  const tell = (line: Fault | Trouble | Life | Sample | Finish) => nemesis.write(line)

  const { settings, targets, connection } = await openSystem(options, { simulatorUrl: simulator.url, tell, undo })
  const auditor = createAuditor(connection)
  for (const each of targets.gateways) await each.start()
  await auditor.install()
  const balancer = await startBalancer(targets.ports)
  undo.push(balancer.close)
  await command(simulator.url, 'callback', { url: `${balancer.url}/upstream/notices` })
  const { accounts, numbers, noisy } = await setStage({
    settings,
    url: balancer.url,
    simulatorUrl: simulator.url,
    receiversUrl: receivers.url,
    auditor,
  })
  const stage: Stage = {
    seed,
    mode: options.mode,
    gateways: options.gateways,
    cycles: options.cycles,
    only: options.only,
    sendsPerSecond,
    accounts,
    noisyAccountId: uuidOf(noisy.accountId),
  }
  writeFileSync(files.stage, JSON.stringify(stage))

  const orders = { url: balancer.url, simulatorUrl: simulator.url, file: files.client, seed, sendsPerSecond: options.load, numbers }
  writeOrders(join(folder, 'orders.json'), orders)
  await command(simulator.url, 'faults', upstreamFaults)
  const slow = openLines(join(folder, 'slow-transactions.jsonl'))
  const sampling = setInterval(() => {
    void sampleAll(targets.gateways, tell)
    auditor.longWork().then(
      (rows) => {
        for (const row of rows) slow.write({ atMs: Date.now(), ...row })
      },
      // It is away just now.
      () => {},
    )
  }, sampleEveryMs)
  undo.push(async () => {
    clearInterval(sampling)
    slow.close()
  })
  const client = await side([join(here, 'client.ts'), join(folder, 'orders.json')], false)
  const prober = await side([join(here, 'prober.ts'), files.probes, ...targets.ports.map(String)], false)
  const noisyLines = openLines(files.noisy)
  undo.push(async () => noisyLines.close())
  const { rows } = auditor
  const channelUuid = uuidOf(noisy.channelId)
  const scene = { url: balancer.url, ports: targets.ports, connection, rows, noisy, channelUuid, write: noisyLines.write }

  for (const cycle of planCycles(options)) {
    await command(simulator.url, 'behaviour', cycle.behaviour)
    const calmFromMs = cycle.trouble === null ? null : await untilCalm(targets.ports, auditor)
    await new Promise((resolve) => setTimeout(resolve, cycle.afterMs))
    if (cycle.trouble !== null) {
      const trouble = await makeTrouble(scene, cycle.trouble)
      say(`cycle ${cycle.number}: ${trouble.name} (${trouble.toMs - trouble.fromMs} ms)`)
      tell({ ...trouble, calmFromMs, cycle: cycle.number })
    }
    for (const planned of cycle.faults) {
      const fault = await strike({ ...targets, rows }, planned)
      say(`cycle ${cycle.number}: ${fault.detail} (${fault.toMs - fault.fromMs} ms)`)
      tell({ ...fault, cycle: cycle.number })
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const faultsUrl = `${simulator.url}/_sim/faults`
  await fetch(faultsUrl, { method: 'DELETE' })
  await command(simulator.url, 'behaviour', { statusOrder: 'in-order', statusCopies: 1, statusGapMs: 20, answerDelayMs: 0 })
  await client.end(90_000)
  say('load has stopped; draining')
  const drained = await drain(simulator.url, auditor.leftOver)
  await prober.end(5_000)
  clearInterval(sampling)
  const finish = { ...drained, idleTransactionsPerSecond: await auditor.transactionsPerSecond() }
  noisyLines.close()
  await forgetHistory(rows)
  await auditor.dump(files.database)
  // A clean stop is part of the run.
  for (const each of targets.gateways) await each.end('SIGTERM', true)
  await simulator.end(5_000)
  await receivers.end(5_000)
  tell(finish)
  nemesis.close()
}

/** What a trouble does is told apart from what the fault before it left behind. Answers since when that is over; null: not in time. */
async function untilCalm(ports: readonly number[], auditor: Auditor): Promise<number | null> {
  const isReady = async (port: number) => (await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(2_000) })).ok
  const isCalm = async () => (await Promise.all(ports.map(isReady))).every(Boolean) && (await auditor.isCalm())
  return until('the faults before are over', isCalm, calmMsMax).then(
    () => Date.now(),
    () => null,
  )
}

function simulatorArguments(history: string, seed: number): string[] {
  const numbers = upstreamNumbers().flatMap((each) => [
    '--number',
    `${each.phoneNumberId}:${each.wabaId}:${each.displayDigits}:${each.token}`,
  ])
  const signing = ['--app-secret', secrets.META_APP_SECRET, '--verify-token', secrets.META_VERIFY_TOKEN]
  return [...runs('simulator/src/main.ts'), ...numbers, ...signing, '--subscribed', '--history', history, '--seed', String(seed)]
}

async function command(simulatorUrl: string, path: string, body: object): Promise<void> {
  const { status, body: answer } = await apiOf(simulatorUrl, '').post(`/_sim/${path}`, body)
  if (status !== 200) throw new Error(`The simulator refused ${path}: ${JSON.stringify(answer)}`)
}

async function sampleAll(gateways: readonly Gateway[], tell: (sample: Sample) => void): Promise<void> {
  for (const each of gateways) {
    const sample = await each.sample()
    if (sample !== null) tell(sample)
  }
}

async function drain(simulatorUrl: string, leftOver: () => Promise<string>): Promise<Omit<Finish, 'idleTransactionsPerSecond'>> {
  const startedMs = Date.now()
  let left = 'nothing was looked at'
  while (Date.now() - startedMs < drainMsMax) {
    const { body } = await apiOf(simulatorUrl, '').get('/_sim/settled?timeoutMs=500')
    left = await leftOver().catch((error: unknown) => String(error))
    if (!body.settled) left = [left, `${body.underWay} courses upstream`].filter((each) => each !== '').join(', ')
    if (left === '') break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const { body } = await apiOf(simulatorUrl, '').get('/_sim/undelivered')
  return { kind: 'finish', atMs: Date.now(), drained: left === '', leftOver: left, givenUpNotices: body.data.length }
}
