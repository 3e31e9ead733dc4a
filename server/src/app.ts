import { join } from 'node:path'
import { pause, type SystemClock, systemClock } from './base/clock.ts'
import { crashpoint } from './base/crashpoint.ts'
import type { Uuid } from './base/id.ts'
import { letOthersRun } from './base/let-others-run.ts'
import { createUnsealer, type SecretKey } from './base/seal.ts'
import type { Config } from './config.ts'
import { documentOf } from './document.ts'
import { createKeyVerifier } from './features/api-keys/public.ts'
import { createLive, releaseAssigned } from './features/conversations/public.ts'
import { createUpstreamMedia } from './features/media/public.ts'
import {
  createAuthLoader,
  createDevices,
  createErrands,
  createSessionReader,
  holdWorker,
  logAction,
  membersAmong,
  membershipOf,
  namesOf,
  ownersOf,
  spendCode,
} from './features/members/public.ts'
import { createInboundQuota, filesAtUpstream, graphUpstream, holdRestoredSends, simulatedUpstream } from './features/messages/lanes.ts'
import { createReactor, createSender } from './features/messages/public.ts'
import { createNoticeKeeper } from './features/notices/public.ts'
import { createCategoryReader, createStatusReader } from './features/templates/public.ts'
import { type Lanes, startLanes } from './lanes.ts'
import { createMeasures } from './measures.ts'
import { createPartitionKeeper } from './partition-keeper.ts'
import { partitionedTablesKept } from './partitioned-tables.ts'
import { type Connection, type Database, openDatabase } from './platform/database/database.ts'
import { migrateAt, migrationsAreApplied } from './platform/database/migrate.ts'
import { openReads } from './platform/database/reads.ts'
import { createStrangerClient } from './platform/fetch/post-to-stranger.ts'
import type { OwnEndpoint } from './platform/fetch/stranger-policy.ts'
import { openDoor } from './platform/http/door.ts'
import { createProxyWatch } from './platform/http/proxy-watch.ts'
import { createRateLimits } from './platform/http/rate-limit.ts'
import { createRequestLog } from './platform/http/request-log.ts'
import { insertRequestLog } from './platform/http/request-log-store.ts'
import { createHttpServer, type HttpServer } from './platform/http/server.ts'
import { createHistoryGuard } from './platform/lanes/history-guard.ts'
import { markFile } from './platform/lanes/mark-file.ts'
import { createOwnership } from './platform/lanes/ownership.ts'
import { createMailer } from './platform/mail/mail.ts'
import { watchEventLoop } from './platform/observe/event-loop.ts'
import { createMetrics, type Metrics } from './platform/observe/metrics.ts'
import type { Observe } from './platform/observe/observation.ts'
import { createVitals } from './platform/observe/vitals.ts'
import { openStorage } from './platform/storage/open-storage.ts'
import { createTemporaryFiles } from './platform/storage/temporary-files.ts'
import { createUpstreamDownloads } from './platform/upstream/download.ts'
import { createGraph, type Graph } from './platform/upstream/graph.ts'
import { startQueueGauges } from './queue-gauges.ts'
import { databaseCheck, deadParts, partitionsCheck, vitalGauges, workChecks } from './readiness.ts'
import { allRoutes } from './routes.ts'
import { secretKeyFor } from './secret-key-check.ts'
import { createStopping, type Stopping } from './stopping.ts'
import { followDatabaseClock, startTasks } from './tasks.ts'
import { createWake } from './wake.ts'

export type GatewayOptions = {
  config: Config
  clock: SystemClock
  observe: Observe
  connection: Connection
  /** No other process can be at work on this database: its directory is locked. */
  alone: boolean
  graphUrl: string
  appSecrets: readonly string[]
  verifyToken: string | null
}

export type Gateway = {
  /** Where it listens, as a URL of this machine. */
  url: string
  database: Database
  graph: Graph
  /** The key of this installation, which opens what the database holds. */
  secretKey: SecretKey
  /** Null where this process does no background work. */
  lanes: Lanes | null
  /**
   * Says so at `/ready` for `drainSeconds` while it goes on, unless `hurry` aborts. Then takes nothing new, finishes what is under way
   * (bounded), gives its shards back, and ends every connection. Never throws.
   */
  stop(hurry?: AbortSignal): Promise<void>
}

const migrations = new URL('../migrations/', import.meta.url)

/**
 * Builds everything, in order, and starts it. Resolves when the first request can be answered. Nothing is taken before the port is held
 * and everything else is ready; whatever fails, what was started is stopped.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const metrics = createMetrics()
  const measure = createMeasures(metrics)
  const observe: Observe = (observation) => {
    measure(observation)
    options.observe(observation)
  }
  const stopping = createStopping(options.clock, observe)
  try {
    return await build({ ...options, observe }, metrics, stopping)
  } catch (error) {
    await stopping.stop()
    throw error
  }
}

async function build(options: GatewayOptions, metrics: Metrics, stopping: Stopping): Promise<Gateway> {
  const { config, clock, observe } = options
  const door = await openDoor({ host: config.host, port: config.port, clock })
  stopping.add('door', 'small', () => door.close())
  // By a clock of its own: what the thread has burned is real, whatever time it is elsewhere.
  const eventLoop = watchEventLoop({ clock: systemClock(), observe })
  stopping.add('event loop', 'small', async () => eventLoop.stop())
  metrics.gauge(
    { name: 'event_loop_longest_stall_seconds', help: 'The longest time, since the start, in which our own work kept the event loop.' },
    () => eventLoop.longestMs() / 1_000,
  )
  const vitals = createVitals(clock)

  const database = openDatabase({ connection: options.connection, clock, observe })
  stopping.add('database', 'small', () => database.close())
  const looks = openDatabase({ connection: options.connection, clock, observe, connectionsMax: 1, queryMsMax: looksMsMax })
  stopping.add('looks', 'small', () => looks.close())
  const reads = openReads({ connection: options.connection, clock, observe })
  stopping.add('reads', 'small', () => reads.close())
  const tables = partitionedTablesKept({ deliveries: config.retainDeliveriesDays, notices: config.retainNoticesDays })
  await migrateAt({ connection: options.connection, clock, observe }, migrations)
  const secretKey = await secretKeyFor(database, config)
  await followDatabaseClock(database, clock, observe)
  const partitions = createPartitionKeeper({ connection: options.connection, clock, observe }, tables)
  stopping.add('partitions', 'small', () => partitions.close())
  await partitions.make()

  const graph = createGraph({ clock, baseUrl: options.graphUrl, version: config.metaGraphVersion })
  stopping.add('graph', 'small', () => graph.close())
  const ownEndpoints: OwnEndpoint[] = [...ownServers(config), { host: config.host, port: Number(new URL(door.url).port) }]
  const policy = {
    allowPrivate: config.allowPrivateWebhooks,
    allowCidrs: config.webhookAllowCidrs,
    certificateAuthorities: config.webhookCa,
    ownEndpoints,
  }
  const strangers = createStrangerClient({ clock, policy })
  stopping.add('strangers', 'small', () => strangers.close())
  const storage = await openStorage({ clock }, { bucket: config.storage, directory: join(config.dataDir, 'files') })
  stopping.add('storage', 'small', async () => storage.close())
  const temporaryFiles = createTemporaryFiles({ clock }, join(config.dataDir, 'temporary'))
  const downloads = createUpstreamDownloads({ clock, graphUrl: options.graphUrl })
  stopping.add('downloads', 'small', () => downloads.close())
  const holdQueued = (bite: Parameters<typeof holdRestoredSends>[1]) =>
    holdRestoredSends({ database, clock, observe, wakeDeliveries: wake.deliveries }, bite)
  const marks = markFile(join(config.dataDir, 'database-mark.json'))
  const guard = createHistoryGuard({ database, clock, observe, marks, holdQueued }, { lossless: config.databaseFailover === 'lossless' })
  const ownership = createOwnership({ database, clock, observe, vitals }, { alone: options.alone, guard })

  const wake = createWake(ownership, options.alone ? null : { clock, observe, connection: options.connection })
  stopping.add('wake', 'small', () => wake.close())
  const keeper = createNoticeKeeper({ database, clock, observe, vitals, wake: wake.notices })
  const sender = createSender({
    database,
    clock,
    observe,
    vitals,
    wakeLanes: wake.sends,
    readCategories: createCategoryReader({ database, clock, graph, secretKey }),
  })

  const unseal = createUnsealer(secretKey)

  const keys = createKeyVerifier({ database, clock })
  stopping.add('keys', 'small', () => keys.close())
  const rateLimits = await createRateLimits({
    clock,
    observe,
    perKey: config.rateLimitPerKey,
    perAccount: config.rateLimitPerAccount,
    redisUrl: config.redisUrl,
  })
  stopping.add('rate limits', 'small', () => rateLimits.close())
  const droppedEntries = metrics.counter({ name: 'request_log_dropped_total', help: 'Entries of the request log that were lost.' })
  const requestLog = createRequestLog({
    clock,
    observe,
    write: (entries) => insertRequestLog(database, entries),
    dropped: (entries) => droppedEntries({}, entries),
  })
  stopping.add('request log', 'small', () => requestLog.close())
  const ourAddresses = [config.publicUrl, config.filesUrl, ...(config.altPublicUrl === null ? [] : [config.altPublicUrl])]
  const publicUrl = config.publicUrl
  const auth = createAuthLoader({
    ...{ connection: options.connection, secretKey, publicUrl, observe },
    spendCode: (userId, code) => spendCode(database, { userId, code, now: clock.now() }),
  })
  stopping.add('auth', 'small', () => auth.close())
  const readSession = createSessionReader({ database, clock, secretKey, publicUrl })
  const errands = createErrands((error) =>
    observe({ kind: 'errand.failed', message: error instanceof Error ? error.message : String(error) }),
  )
  const works = config.roles.includes('worker')
  const parts = { api: config.roles.includes('api'), console: config.roles.includes('console') }
  const lease = works ? () => ownership.holdsLease() : null
  vitalGauges(metrics, vitals, lease)
  const proxies = createProxyWatch(observe, config.trustProxy)
  const app = createHttpServer(
    {
      proxies,
      clock,
      observe,
      metrics,
      rateLimits,
      authenticate: (bearer) => keys.verify(bearer),
      logRequest: (entry) => requestLog.log(entry),
      console: {
        readSession,
        membershipOf: (userId, accountId) => membershipOf(database, userId, accountId),
        origins: ourAddresses.map((each) => new URL(each).origin),
        logAction: (action) => logAction({ database, clock }, action),
      },
      readiness: [
        databaseCheck(looks),
        { name: 'migrations', check: async () => ({ ok: await migrationsAreApplied(looks, migrations) }) },
        partitionsCheck(looks, clock, tables),
        { name: 'storage', check: () => storage.check().then(() => ({ ok: true })) },
        { name: 'proxy', check: async () => proxies.outcome() },
        { name: 'shared_limits', check: async () => sharedLimits(ownership.processes(), config.redisUrl) },
        ...workChecks(vitals, lease),
      ],
      dead: () => deadParts(vitals),
    },
    {
      ...documentOf(config),
      trustProxy: config.trustProxy,
      isSecure: config.publicUrl.startsWith('https:'),
      metricsToken: config.metricsToken,
      door,
      probesOnly: !parts.api && !parts.console,
    },
  )
  let lanes: Lanes | null = null
  const live = createLive({ database, clock, observe, membersAmong: (asked) => membersAmong(database, asked) })
  stopping.add('live and errands', 'small', () => Promise.all([live.stop(), errands.close()]))
  const team = {
    namesOf: (userIds: readonly Uuid[]) => namesOf(database, userIds),
    holdWorker,
  }
  const sendMail = createMailer({ clock, observe }, { smtpUrl: config.smtpUrl, from: config.mailFrom })
  allRoutes(app, parts, {
    database,
    reads,
    clock,
    observe,
    storage,
    temporaryFiles,
    filesUrl: config.filesUrl,
    send: sender,
    react: createReactor({ database, clock, observe, graph, unseal }),
    graph,
    unseal,
    ourAddresses,
    policy,
    secretKey,
    wakeDeliveries: wake.deliveries,
    connection: {
      noticesUrl: `${config.publicUrl}/upstream/notices`,
      verifyToken: options.verifyToken,
      appId: config.metaAppId,
    },
    live,
    team,
    wakeFiles: () => lanes?.files.wake(),
    notices: { clock, observe, keep: (notice) => keeper.keep(notice), appSecrets: options.appSecrets, verifyToken: options.verifyToken },
    members: {
      database,
      reads,
      clock,
      auth: auth.auth,
      readSession,
      attempts: rateLimits.attempts,
      devices: createDevices({ clock, secretKey, publicUrl }),
      sendMail,
      hasMail: config.smtpUrl !== null,
      errands,
      releaseWork: releaseAssigned,
      publicUrl,
    },
  })

  stopping.add('ownership', 'ownership', async () => (works ? ownership.stop() : undefined))
  stopping.add('crashpoint', 'small', async () => crashpoint('in_shutdown'))
  // From here on nothing waits for what has not been built: a shard is taken, and requests are served, within a moment of each other.
  await app.ready()
  await warmUp(app)
  await letOthersRun()
  if (works) {
    lanes = startLanes(
      {
        database,
        clock,
        observe,
        vitals,
        ownership,
        strangers,
        secretKey,
        wakeDeliveries: wake.deliveries,
        wakeLive: live.wake,
        isWatched: live.isWatched,
        live: graphUpstream(graph),
        graph,
        downloads,
        storage,
        temporaryFiles,
        quota: createInboundQuota(clock),
        unseal,
        filesUrl: config.filesUrl,
        upstreamFiles: filesAtUpstream({ database, media: createUpstreamMedia({ database, clock, graph, storage, unseal, observe }) }),
        test: simulatedUpstream({
          clock,
          notify: (notices) => keeper.keepSimulated(notices),
          readStatus: createStatusReader({ clock, graph, secretKey }),
        }),
      },
      { sendsPerSecond: config.sendsPerSecond },
    )
    const started = lanes
    // Beside others idle shards go to them at once. Alone we keep all, so that what the last sends make is delivered before the end.
    const retire = async () => (ownership.processes() > 1 ? ownership.retire() : undefined)
    stopping.add('lanes', 'lanes', () => Promise.all([started.stop(), retire()]))
    wake.attach(lanes)
    await ownership.start()
  }
  const gauges = startQueueGauges({ database, clock, metrics, observe })
  const tasks = startTasks({
    ...{ database, clock, observe, vitals, tables, partitions, temporaryFiles, storage },
    channels: { graph, unseal, appId: config.metaAppId },
    alerts: { ownersOf: (accountId) => ownersOf(database, accountId), sendMail, consoleUrl: config.publicUrl },
  })
  stopping.add('tasks', 'small', () => Promise.all([tasks.stop(), gauges.stop()]))
  stopping.add('http', 'http', () => app.close())
  door.open()

  return {
    ...{ url: door.url, database, graph, secretKey, lanes },
    async stop(hurry) {
      app.drain()
      await pause(clock, config.drainSeconds * 1_000, hurry)
      await stopping.stop()
    },
  }
}

/** Compiles what the first send needs, piece by piece, so that no other call waits for all of it. */
async function warmUp(app: HttpServer): Promise<void> {
  for (const each of app.compilations) {
    if (each.method !== 'POST' || each.url !== '/v1/messages' || !warmParts.includes(each.part)) continue
    await letOthersRun()
    each.compile()
  }
}

const warmParts = ['body', 'querystring', 'answer 202']
/** A look that takes longer has failed. */
const looksMsMax = 1_500

/** What a customer's webhook must never reach, whatever else is allowed: the servers that this installation uses. */
function ownServers({ databaseUrl, redisUrl }: Config): OwnEndpoint[] {
  return [endpointOf(databaseUrl, 5432), endpointOf(redisUrl, 6379)].filter((each) => each !== null)
}

/** Null for none, and for a socket on this machine's disk, which is out of reach anyway. */
function endpointOf(text: string | null, defaultPort: number): OwnEndpoint | null {
  const url = text === null ? null : URL.parse(text)
  return url === null || url.hostname === '' ? null : { host: url.hostname, port: Number(url.port || defaultPort) }
}

function sharedLimits(processes: number, redisUrl: string | null): { ok: boolean; note?: string } {
  return processes > 1 && redisUrl === null
    ? { ok: true, note: 'several processes without REDIS_URL: each counts rate limits by itself' }
    : { ok: true }
}
