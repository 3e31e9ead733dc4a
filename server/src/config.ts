import { isIP } from 'node:net'
import { limits } from './limits.ts'
import {
  baseAddress,
  boolean,
  bucketAddress,
  certificateFile,
  cidr,
  listOf,
  oneOf,
  optional,
  type Read,
  readText,
  rootAddress,
  type Setting,
  secretKey,
  serverAddress,
  setting,
  text,
  webAddress,
  wholeNumber,
} from './setting.ts'

/** Where everything is kept unless `DATA_DIR` says otherwise. */
export const usualDataDir = './data'

const roles = ['api', 'worker', 'console'] as const
const logLevels = ['error', 'warn', 'info', 'debug', 'silent'] as const

/** Every setting of the gateway and of the operator's tool. `docs/configuration.md` shows this table; a test compares the two. */
export const settings = {
  port: setting('PORT', 'Port to listen on; 0 takes one that the system gives.', wholeNumber(0, 65_535), 8080),
  host: setting('HOST', 'Address to listen on.', text, '127.0.0.1'),
  publicUrl: optional('PUBLIC_URL', 'Outside address of the gateway, without a path.', rootAddress, 'http://localhost:PORT'),
  altPublicUrl: optional('ALT_PUBLIC_URL', 'A second outside address of the same gateway, without a path.', rootAddress, 'none'),
  filesUrl: optional('FILES_URL', 'Outside address of the files, where it is another one than PUBLIC_URL.', baseAddress, 'as PUBLIC_URL'),
  trustProxy: setting(
    'TRUST_PROXY',
    'Addresses or ranges of the proxies whose X-Forwarded-* headers count, separated by commas.',
    listOf(cidr),
    [],
    'none',
  ),
  dataDir: setting('DATA_DIR', 'Directory for everything that is kept on this machine.', text, usualDataDir),
  databaseUrl: optional(
    'DATABASE_URL',
    'A PostgreSQL 16 or newer.',
    serverAddress('postgresql', 'postgres'),
    'unset: the bundled PostgreSQL runs in DATA_DIR',
  ),
  databaseCa: optional('DATABASE_CA_FILE', "File with the certificates of the database's authority, in PEM form.", certificateFile, 'none'),
  databaseFailover: setting(
    'DATABASE_FAILOVER',
    'lossy, or lossless where a standby that takes over has everything that was acknowledged (synchronous replication).',
    oneOf(['lossy', 'lossless']),
    'lossy',
  ),
  redisUrl: optional(
    'REDIS_URL',
    'A Valkey or Redis for rate limits that several processes share.',
    serverAddress('redis', 'rediss'),
    'unset: each process counts in memory',
  ),
  storage: optional(
    'STORAGE_URL',
    'An S3-compatible store for files, as s3://bucket?endpoint=…&region=…; credentials by the AWS variables.',
    bucketAddress,
    'unset: files are kept in DATA_DIR',
  ),
  secretKey: optional(
    'SECRET_KEY',
    '32 bytes in base64 that encrypt tokens and webhook secrets at rest.',
    secretKey,
    'made once in DATA_DIR; must be set with DATABASE_URL',
  ),
  upstream: optional(
    'UPSTREAM',
    'sandbox (a simulated network runs beside the gateway) or meta.',
    oneOf(['sandbox', 'meta']),
    'sandbox; meta when META_APP_SECRET is set',
  ),
  metaGraphUrl: setting('META_GRAPH_URL', "Address of Meta's Graph API.", webAddress, 'https://graph.facebook.com'),
  metaGraphVersion: setting('META_GRAPH_VERSION', 'Version of the Graph API.', graphVersion, 'v25.0'),
  metaAppId: optional('META_APP_ID', 'Id of the Meta app.', text, 'none'),
  metaAppSecrets: setting(
    'META_APP_SECRET',
    'Secret of the Meta app, which signs notices; two, separated by a comma, during a change.',
    listOf(text, 2),
    [],
    'none; must be set with UPSTREAM=meta',
  ),
  metaVerifyToken: optional('META_VERIFY_TOKEN', "Word that Meta repeats when it checks the notices' address.", text, 'none'),
  roles: setting('ROLES', 'What this process does: api, worker, console, separated by commas.', listOf(oneOf(roles)), roles, 'all'),
  smtpUrl: optional(
    'SMTP_URL',
    'The mail server, as smtps://user:password@host or smtp://host:port; the latter must encrypt too, unless ?tls=optional is added.',
    serverAddress('smtps', 'smtp'),
    "unset: no mail is sent, and the operator's tool prints links",
  ),
  mailFrom: setting('MAIL_FROM', 'Whom mails come from.', text, 'Pombo <pombo@localhost>'),
  allowPrivateWebhooks: optional(
    'ALLOW_PRIVATE_WEBHOOKS',
    'Webhooks may also be plain http and private addresses.',
    boolean,
    'false; true in the sandbox on a loopback HOST',
  ),
  webhookAllowCidrs: setting(
    'WEBHOOK_ALLOW_CIDRS',
    'Private ranges that webhooks may nevertheless reach, separated by commas.',
    listOf(cidr),
    [],
    'none',
  ),
  webhookCa: optional('WEBHOOK_CA_FILE', 'File with more certificates to trust at webhooks, in PEM form.', certificateFile, 'none'),
  rateLimitPerKey: setting('RATE_LIMIT_PER_KEY', 'Calls a minute of one key.', wholeNumber(1, 1_000_000_000), limits.callsPerKeyMax),
  rateLimitPerAccount: setting(
    'RATE_LIMIT_PER_ACCOUNT',
    'Calls a minute of one account.',
    wholeNumber(1, 1_000_000_000),
    limits.callsPerAccountMax,
  ),
  sendsPerSecond: setting('SENDS_PER_SECOND', 'Sends a second of one number.', wholeNumber(1, 100_000), limits.sendsPerSecond),
  retainDeliveriesDays: setting('RETAIN_DELIVERIES_DAYS', 'Days that events and deliveries are kept.', wholeNumber(4, 3650), 30),
  retainNoticesDays: setting('RETAIN_NOTICES_DAYS', 'Days that notices are kept for replay.', wholeNumber(1, 3650), 7),
  drainSeconds: optional(
    'DRAIN_SECONDS',
    'Seconds for which a process that was asked to stop goes on taking requests while `/ready` says 503.',
    wholeNumber(0, 300),
    '5; 0 in the sandbox',
  ),
  metricsToken: optional('METRICS_TOKEN', 'Bearer token for /metrics.', text, 'unset: /metrics answers loopback only'),
  logLevel: setting('LOG_LEVEL', `Least level that is logged: ${logLevels.join(', ')}.`, oneOf(logLevels), 'info'),
}

type Values = { readonly [Name in keyof typeof settings]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never }

/** The settings as read, with the defaults that follow from others filled in. `secretKey` is null where it is made in the data directory. */
export type Config = Omit<Values, 'publicUrl' | 'filesUrl' | 'upstream' | 'allowPrivateWebhooks' | 'drainSeconds'> & {
  readonly publicUrl: string
  readonly filesUrl: string
  readonly upstream: 'sandbox' | 'meta'
  readonly allowPrivateWebhooks: boolean
  readonly drainSeconds: number
}

/** Longer than balancers take to ask `/ready` again. */
const drainSecondsOfService = 5

export type Environment = { readonly [name: string]: string | undefined }

/** Everything that is wrong with the environment, one problem a line. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Reads every setting, or throws `ConfigProblems` with all that is wrong. A variable that is empty counts as unset; unknown ones are not ours to judge. */
export function readConfig(env: Environment): Config {
  const problems: string[] = []
  const values = Object.fromEntries(
    Object.entries(settings).map(([key, each]) => {
      const value = readSetting(env, each as Setting<unknown>)
      if (!value.ok) problems.push(`${each.name} ${value.problem}`)
      return [key, value.ok ? value.value : each.fallback]
    }),
  ) as Values
  problems.push(...contradictions(env, values))
  if (problems.length > 0) throw new ConfigProblems(problems)
  const upstream = upstreamOf(values)
  const publicUrl = values.publicUrl ?? `http://localhost:${values.port}`
  return {
    ...values,
    upstream,
    publicUrl,
    filesUrl: values.filesUrl ?? publicUrl,
    drainSeconds: values.drainSeconds ?? (upstream === 'sandbox' ? 0 : drainSecondsOfService),
    allowPrivateWebhooks: values.allowPrivateWebhooks ?? (upstream === 'sandbox' && isLoopback(values.host)),
  }
}

/** The text of a variable or of the file that its `…_FILE` twin names, parsed. */
function readSetting<Value>(env: Environment, each: Setting<Value>): Read<Value> {
  const direct = env[each.name] ?? ''
  const path = env[`${each.name}_FILE`] ?? ''
  if (direct !== '' && path !== '') return { ok: false, problem: `and ${each.name}_FILE are both set: keep one of them` }
  if (path === '') return direct === '' ? { ok: true, value: each.fallback } : each.read(direct)
  const content = readText(path)
  if (!content.ok) return { ok: false, problem: content.problem.replace('names', `is read from ${each.name}_FILE, which names`) }
  return each.read(content.value.replace(/\r?\n$/, ''))
}

/** What is wrong with settings that are right each by itself. */
function contradictions(env: Environment, values: Values): string[] {
  const found: string[] = []
  const isSet = (name: string) => (env[name] ?? '') !== '' || (env[`${name}_FILE`] ?? '') !== ''
  if (isSet('DATABASE_URL') && !isSet('SECRET_KEY'))
    found.push('SECRET_KEY must be set with DATABASE_URL, so that every process that uses the database has the same key')
  // Live traffic must never end in a simulator because a variable was forgotten.
  if (env.NODE_ENV === 'production' && !isSet('UPSTREAM') && !isSet('META_APP_SECRET'))
    found.push('UPSTREAM is unset and NODE_ENV=production never starts the sandbox by itself: set META_APP_SECRET, or UPSTREAM=sandbox')
  if (values.upstream === 'meta' && !isSet('META_APP_SECRET'))
    found.push('META_APP_SECRET must be set with UPSTREAM=meta: without it no notice can be verified')
  return found
}

const upstreamOf = (values: Values): 'sandbox' | 'meta' => values.upstream ?? (values.metaAppSecrets.length > 0 ? 'meta' : 'sandbox')

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

function graphVersion(value: string): Read<string> {
  return /^v[0-9]+\.[0-9]+$/.test(value) ? { ok: true, value } : { ok: false, problem: 'must look like v25.0' }
}
