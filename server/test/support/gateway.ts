import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Simulator, type SimulatorOptions, startSimulator } from '@pombo/simulator'
import type { FastifyInstance } from 'fastify'
import { type Gateway, startGateway } from '../../src/app.ts'
import { present } from '../../src/base/assert.ts'
import { type SystemClock, systemClock } from '../../src/base/clock.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { Compilation } from '../../src/platform/http/compilers.ts'
import type { Observation } from '../../src/platform/observe/observation.ts'
import { makeAccount, type OperationDeps, type TestAccount } from './accounts.ts'
import { type Call, createCaller } from './caller.ts'
import type { Contract } from './contract.ts'
import { type TestDatabase, testDatabase, urlOf } from './database.ts'
import { type EventReceiver, startEventReceiver, type TestEvents } from './events.ts'
import { createHeard, type Heard } from './heard.ts'
import { createPeopleSource, type NewPerson } from './people.ts'
import { createPrivateWords } from './private-words.ts'

export type TestGatewayOptions = {
  /** More settings, by the names of the environment: `RATE_LIMIT_PER_KEY`, `SENDS_PER_SECOND`, `ROLES` … */
  settings?: Readonly<Record<string, string>>
  simulator?: SimulatorOptions
  clock?: SystemClock
  /** Puts something between the gateway and its database; the test's own looks into it go past that. */
  through?: (connection: TestDatabase['connection']) => Promise<TestDatabase['connection']>
}

export type TestGateway = {
  url: string
  config: Config
  simulator: Simulator
  gateway: Gateway
  /** For the public operations of the features, and for looking into the database. */
  deps: OperationDeps
  /** Everything that was observed. */
  observations: Heard<Observation>
  /** Every route of the HTTP server, hidden ones too, as `GET /v1/messages/:id`. */
  routes: readonly string[]
  /** Every schema of every route, which a start leaves uncompiled. */
  compilations: readonly Compilation[]
  contract: Contract
  call: Call
  newPerson: NewPerson
  account(options?: { channels?: number }): Promise<TestAccount>
  /** Registers a webhook of the account at a receiver that verifies every signature; all kinds unless some are named. */
  events(account: TestAccount, kinds?: readonly string[]): Promise<TestEvents>
  /** A person writes to the account's first number; resolves once the gateway has worked it through. Answers the wamid. */
  letWrite(account: TestAccount, from: string, words?: InboundWords): Promise<string>
  /** Resolves once every notice that was taken so far has been worked through. */
  noticesWorked(): Promise<void>
  /** Stops all of it. Throws when an event was not right, or when something private was observed. */
  close(): Promise<void>
}

export type InboundWords = { text?: string; name?: string; timestamp?: string; wamid?: string; context?: string; phoneNumberId?: string }

const appSecret = 'app-secret-of-the-tests'
const verifyToken = 'verify-token-of-the-tests'

/** A whole gateway in this process, on a database of its own, beside a simulated platform; over real HTTP. One for each test file. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const database = await testDatabase()
  const simulator = await startSimulator({ statusGapMs: 0, throughputPerSecond: 10_000, appSecret, verifyToken, ...options.simulator })
  const observations = createHeard<Observation>('observation', (each) => each.kind)
  const dataDir = await mkdtemp(join(tmpdir(), 'pombo-data-'))
  const config = configOf(database, simulator, { DATA_DIR: dataDir, ...options.settings })
  const clock = options.clock ?? systemClock()
  const secretKey = present(config.secretKey, 'it is set below')
  const connection = await (options.through?.(database.connection) ?? database.connection)
  const network = { connection, graphUrl: simulator.url, appSecrets: [appSecret], verifyToken }
  const {
    value: gateway,
    routes,
    server,
  } = await withRoutes(() =>
    startGateway({
      ...network,
      config,
      clock,
      observe: (each) => observations.add(each),
      alone: true,
    }),
  )
  if (gateway.url !== '') simulator.setCallback({ url: `${gateway.url}/upstream/notices` })
  const privateWords = createPrivateWords()
  const caller = await createCaller(gateway.url, privateWords.addBody)
  const receiver = await startEventReceiver(({ raw: _raw, signature: _signature, ...event }) => caller.contract.checkEvent(event))
  const deps: OperationDeps = { database: database.database, clock, graph: gateway.graph, secretKey }
  const noticesWorked = () => untilWorked(database, observations)
  return {
    ...{ url: gateway.url, config, simulator, gateway, deps, observations, routes, noticesWorked, compilations: server.compilations },
    ...{ contract: caller.contract, call: caller.call, newPerson: createPeopleSource() },
    async account({ channels = 1 } = {}) {
      const account = await makeAccount(deps, simulator, channels)
      privateWords.add(account.live, account.test, ...account.channels.map((each) => each.token))
      return account
    },
    async events(account, kinds = ['*']) {
      const events = await receiver.open((url) => register(caller.call, account, { url, kinds }))
      privateWords.add(events.secret)
      return events
    },
    async letWrite(account, from, { phoneNumberId = account.channel.phoneNumberId, text = 'Oi!', ...words } = {}) {
      privateWords.add(from, text)
      const told = await simulator.inbound({ from, text, ...words, phone_number_id: phoneNumberId })
      if (told.status !== 200) throw new Error(`the notice was answered ${told.status} (${told.error})`)
      await noticesWorked()
      return told.wamid
    },
    close: () => closeAll({ gateway, simulator, receiver, database, caller, dataDir }, () => privateWords.check(observations.all)),
  }
}

function configOf(database: TestDatabase, simulator: Simulator, settings: Readonly<Record<string, string>>): Config {
  return readConfig({
    PORT: '0',
    DRAIN_SECONDS: '0',
    DATABASE_URL: urlOf(database.connection),
    SECRET_KEY: randomBytes(32).toString('base64'),
    META_APP_SECRET: appSecret,
    META_VERIFY_TOKEN: verifyToken,
    META_GRAPH_URL: simulator.url,
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_KEY: '1000000',
    RATE_LIMIT_PER_ACCOUNT: '1000000',
    SENDS_PER_SECOND: '1000',
    ...settings,
  })
}

/** Fastify tells of each new server before it has any route; the gateway's is the first that `start` makes. */
async function withRoutes<Value>(start: () => Promise<Value>): Promise<{ value: Value; routes: string[]; server: FastifyInstance }> {
  const routes: string[] = []
  let server: FastifyInstance | null = null
  const onServer = (message: unknown) => {
    if (server !== null) return
    server = (message as { fastify: FastifyInstance }).fastify
    server.addHook('onRoute', ({ method, url }) => {
      routes.push(...[method].flat().map((each) => `${each} ${url}`))
    })
  }
  subscribe('fastify.initialization', onServer)
  try {
    return { value: await start(), routes, server: present<FastifyInstance>(server, 'a gateway has a server') }
  } finally {
    unsubscribe('fastify.initialization', onServer)
  }
}

async function register(call: Call, account: TestAccount, { url, kinds }: { url: string; kinds: readonly string[] }) {
  const { status, body, text } = await call('POST', '/v1/webhooks', { key: account.live, body: { url, events: kinds } })
  if (status !== 201) throw new Error(`the webhook was not registered: ${text}`)
  return { webhookId: body.id as string, secret: body.secret as string }
}

/** The worker says when it has worked; whether anything is left, the database says. */
async function untilWorked({ database }: TestDatabase, observations: Heard<Observation>): Promise<void> {
  for (;;) {
    const from = observations.all.length
    const [row] = await database.all<{ waiting: number }>({
      compile: () => ({ sql: 'select count(*)::integer as waiting from inbox where state = 0', parameters: [] }) as never,
    })
    if (row?.waiting === 0) return
    await observations.until((each) => each.kind === 'notices.worked', { from })
  }
}

type Parts = {
  gateway: Gateway
  simulator: Simulator
  receiver: EventReceiver
  database: TestDatabase
  caller: { close(): Promise<void> }
  dataDir: string
}

async function closeAll({ gateway, simulator, receiver, database, caller, dataDir }: Parts, check: () => void): Promise<void> {
  await caller.close()
  await gateway.stop()
  await simulator.close()
  try {
    await receiver.close()
  } finally {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  check()
}
