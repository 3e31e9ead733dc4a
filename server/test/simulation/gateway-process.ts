import { newUuid } from '../../src/base/id.ts'
import type { SecretKey } from '../../src/base/seal.ts'
import { graphUpstream, type SendsDeps, startSends } from '../../src/features/messages/lanes.ts'
import { createSender } from '../../src/features/messages/public.ts'
import type { Send } from '../../src/features/messages/send-request.ts'
import type { SendResult } from '../../src/features/messages/send-result.ts'
import { startNotices } from '../../src/features/notices/lanes.ts'
import { createNoticeKeeper } from '../../src/features/notices/public.ts'
import { type DeliveriesDeps, startDeliveries } from '../../src/features/webhooks/lanes.ts'
import { createOwnership } from '../../src/platform/lanes/ownership.ts'
import type { Graph } from '../../src/platform/upstream/graph.ts'
import { createWake } from '../../src/wake.ts'
import { noFiles, noTemplates } from '../support/stage.ts'
import { injectedWord, type SharedDatabase } from './simulated-database.ts'
import { clockOf, type Life, type VirtualTime } from './virtual-time.ts'

/** Everything of a gateway but HTTP, PostgreSQL's server and sockets, wired as `app.ts` does it. */
export type GatewayProcess = {
  readonly index: number
  readonly life: Life
  /** It answers requests. */
  isListening(): boolean
  send(send: Send): Promise<SendResult>
  /** What the route of notices does: resolves when it may be answered 200. */
  keep(body: Buffer): Promise<void>
  onDeath(listener: () => void): void
  /** Tells everyone who waits for it that it is dead. */
  bury(): void
}

type Deps = {
  time: VirtualTime
  database: SharedDatabase
  graph: (process: number, life: Life) => Graph
  strangers: (process: number, life: Life) => DeliveriesDeps['strangers']
  secretKey: SecretKey
  sendsPerSecond: number
  complain: (words: string) => void
}

export function startGatewayProcess(deps: Deps, index: number): GatewayProcess {
  const life: Life = { state: 'running' }
  const clock = clockOf(deps.time, life)
  const database = (part: string) => deps.database.of({ life, process: index, part })
  const observe = (observation: { kind: string; message?: string }) => {
    const isOdd = oddKinds.has(observation.kind) && !(observation.message ?? '').includes(injectedWord)
    if (isOdd) deps.complain(`${observation.kind}: ${observation.message ?? ''}`)
  }
  const ownership = createOwnership({ database: database('ownership'), clock, observe }, { alone: true })
  const wake = createWake(ownership, null)
  const keeper = createNoticeKeeper({ database: database('keep'), clock, observe, wake: wake.notices })
  const sender = createSender({ database: database('accept'), clock, observe, wakeLanes: wake.sends, readCategories: noTemplates })
  const live = graphUpstream(deps.graph(index, life))
  const shared = { clock, observe, ownership, wakeDeliveries: wake.deliveries, secretKey: deps.secretKey }
  // Test keys have an upstream inside the service: it is no part of what is simulated here.
  const sendsDeps: SendsDeps = { ...shared, database: database('sends'), live, test: live, files: noFiles }
  const lanes = {
    sends: startSends(sendsDeps, { sendsPerSecond: deps.sendsPerSecond }),
    notices: startNotices({ ...shared, database: database('notices'), wakeFiles: () => {} }),
    // Nobody here has a console.
    inbox: { wake: () => {} },
    // Nothing here has a file.
    files: { wake: () => {}, stop: async () => {} },
    deliveries: startDeliveries({ ...shared, database: database('deliveries'), strangers: deps.strangers(index, life) }),
    stop: async () => {},
  }
  wake.attach(lanes)
  let listening = false
  const listeners: (() => void)[] = []
  ownership.start().then(
    () => {
      listening = true
    },
    (error: Error) => deps.complain(`the process did not start: ${error.message}`),
  )
  return {
    index,
    life,
    isListening: () => listening && life.state === 'running',
    send: sender,
    async keep(body) {
      const now = clock.now()
      await keeper.keep({ id: newUuid(now), livemode: true, accountId: null, body, dueAt: now, receivedAt: now })
    },
    onDeath: (listener) => listeners.push(listener),
    bury() {
      for (const listener of listeners) listener()
    },
  }
}

/** What no fault that is injected here may cause. */
const oddKinds = new Set([
  'lane.tick_failed',
  'send.outcome_not_recorded',
  'notices.batch_failed',
  'notices.postponed',
  'webhook.result_waits',
  'webhook.attempt_not_made',
])
