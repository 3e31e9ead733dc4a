import { dirname } from 'node:path'
import { expect } from 'vitest'
import { type Api, apiOf } from './api.ts'
import { letPeopleWrite, makeBusiness, registerWebhook } from './business.ts'
import { newDataDir } from './data-dir.ts'
import { type EventReceiver, startEventReceiver } from './event-receiver.ts'
import { brokenPromises, missingEvents, untilSettled } from './fates.ts'
import { freePort, type GatewayProcess, startGatewayProcess, stopMsMax } from './gateway-process.ts'
import { type Load, openLoads } from './load.ts'
import { type SimulatorProcess, startSimulatorProcess } from './simulator-process.ts'
import { until } from './until.ts'

/** A business under load whose gateway's machine misbehaves; upstream and the customer's receiver are programs that go on. */
export type TroubledBusiness = {
  api: Api
  simulator: SimulatorProcess
  receiver: EventReceiver
  people: readonly string[]
  gateway(): GatewayProcess
  load(name: string): Load
  /** Ends what a failed test left running: for `afterEach`. */
  endLoads(): Promise<void>
  /** Upstream accepts so many more from now on. */
  acceptsMore(count: number): Promise<void>
  isReady(status: 200 | 503): Promise<void>
  /** Ends the gateway cleanly and starts it again, with these settings on top and under this limit of the shell's. */
  restart(more?: Record<string, string>, limit?: string): Promise<void>
  /** Ends the load, and says what is always true then: the same process works, each wanted send was accepted exactly once, all its events have come, and nothing was said on stderr. */
  judge(load: Load): Promise<void>
  /** Counts a send that a test made beside the load. */
  alsoWanted(count: number): void
}

const settledMsMax = 90_000
const readyMsMax = 45_000
/** A delivery that found no file free for its socket comes again after a minute. */
const eventsMsMax = 90_000
const eventsPath = '/events'

/** Starts all of it around a gateway with these settings. The caller ends the programs and the receiver. */
export async function startTroubledBusiness(own: Record<string, string>): Promise<TroubledBusiness> {
  const receiver = await startEventReceiver()
  const simulator = await startSimulatorProcess(dirname(await newDataDir()), ['--answer-delay', '100', '--notice-batch', '10'])
  const settings = {
    ...simulator.settings,
    // Upstream and the load must find the gateway again after a restart.
    PORT: String(await freePort()),
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    RATE_LIMIT_PER_KEY: '1000000',
    RATE_LIMIT_PER_ACCOUNT: '1000000',
    ...own,
  }
  let gateway = await startGatewayProcess(settings)
  await simulator.command('callback', { url: `${gateway.url}/upstream/notices` })
  const api = apiOf(gateway.url, (await makeBusiness(settings)).key)
  await registerWebhook(api, receiver, eventsPath)
  const people = await letPeopleWrite(api, simulator, 60)
  const loads = openLoads(api)

  return {
    ...{ api, simulator, receiver, people, gateway: () => gateway },
    load: (name) => loads.start(people, name),
    endLoads: () => loads.endAll(),
    alsoWanted: loads.alsoWanted,
    async acceptsMore(count) {
      const before = await simulator.accepted()
      await until(`upstream has accepted ${count} more`, async () => (await simulator.accepted()) >= before + count, 60_000)
    },
    async isReady(status) {
      await until(`/ready says ${status}`, async () => (await api.get('/ready')).status === status, readyMsMax)
    },
    async restart(more = {}, limit) {
      await gateway.program.end('SIGTERM', stopMsMax)
      gateway = await startGatewayProcess({ ...settings, ...more }, undefined, limit)
    },
    async judge(load) {
      const wanted = await loads.end(load)
      for (const { answer } of load.failures) expect(answer).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } })
      const fates = await untilSettled(api, simulator, { msMax: settledMsMax })
      expect(brokenPromises(fates)).toEqual([])
      expect(fates.filter((each) => each.acceptances !== 1)).toEqual([])
      expect(fates).toHaveLength(wanted)
      const missing = () => missingEvents(fates, receiver.receipts(), eventsPath)
      await until('all events have come', () => missing().length === 0, eventsMsMax).catch(() => {})
      expect(missing()).toEqual([])
      expect(gateway.program.stderr()).toBe('')
      expect((await api.get('/ready')).status).toBe(200)
    },
  }
}
