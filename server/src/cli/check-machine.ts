import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { limits } from '../limits.ts'
import { type Check, fine, problem } from './check.ts'
import { askGateway } from './gateway.ts'

/** Less than this is gone in an afternoon of traffic, and PostgreSQL stops on a full disk. */
const { freeBytesMin } = limits

/** What Meta needs of us beyond settings that are right by themselves. */
export function checkUpstream(config: Config): Check {
  if (config.upstream === 'sandbox') return fine('upstream', 'The sandbox: a simulated network, nothing is sent for real.')
  if (config.metaVerifyToken === null)
    return problem(
      'upstream',
      'META_VERIFY_TOKEN is not set.',
      'Set it to a word of your own, and give Meta the same when you register the address of the notices.',
    )
  if (!config.publicUrl.startsWith('https://'))
    return problem(
      'upstream',
      `PUBLIC_URL is ${config.publicUrl}, where Meta sends no notices.`,
      'Set it to the https address under which the internet reaches this gateway.',
    )
  return fine(
    'upstream',
    `Meta, ${config.metaGraphUrl}/${config.metaGraphVersion}; its notices go to ${config.publicUrl}/upstream/notices.`,
  )
}

export async function checkDataDirectory({ dataDir }: Config): Promise<Check> {
  const path = resolve(dataDir)
  const existing = await nearestExisting(path)
  const writable = await access(existing, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!writable)
    return problem('data directory', `${existing} cannot be written to.`, 'Give this user the right, or set DATA_DIR to another directory.')
  if (existing !== path) return fine('data directory', `${path} is made at the first start.`)
  if (!(await stat(path)).isDirectory()) return problem('data directory', `${path} is no directory.`, 'Set DATA_DIR to a directory.')
  return fine('data directory', path)
}

export async function checkDisk({ dataDir }: Config): Promise<Check> {
  const { bavail, bsize } = await statfs(await nearestExisting(resolve(dataDir)))
  const free = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GB are free.`
  return bavail * bsize < freeBytesMin
    ? problem('disk', `Only ${free}`, 'Make room: the database stops when the disk is full.')
    : fine('disk', free)
}

export async function checkGateway(config: Config): Promise<Check> {
  if (config.port === 0) return fine('gateway', 'Not asked: with PORT=0 the system gives it a port at each start.')
  const state = await askGateway(config)
  const where = `${config.host}:${config.port}`
  if (state.kind === 'ready' && state.isBehindUnknownProxy)
    return problem(
      'gateway',
      `It runs at ${where} behind a proxy that it was not told of: all callers count as one address.`,
      'Set TRUST_PROXY to the address of the proxy, and restart.',
    )
  if (state.kind === 'ready') return fine('gateway', `It runs at ${where} and is ready.`)
  if (state.kind === 'not_ready') return problem('gateway', `It runs at ${where} but is not ready: ${state.failing}.`, 'Its log says why.')
  if (state.kind === 'silent' && (await canListen(config))) return fine('gateway', `It does not run; ${where} is free for it.`)
  return problem(
    'gateway',
    `Something else has ${where}, or the address is not this machine's.`,
    'End it, or set PORT and HOST to another address.',
  )
}

/** True when a gateway could take the address now. */
function canListen({ host, port }: Config): Promise<boolean> {
  return new Promise((settle) => {
    const server = createServer()
    server.once('error', () => settle(false))
    server.listen(port, host, () => server.close(() => settle(true)))
  })
}

async function nearestExisting(path: string): Promise<string> {
  for (let each = path; ; each = dirname(each)) {
    const exists = await stat(each).then(
      () => true,
      () => false,
    )
    if (exists || dirname(each) === each) return each
  }
}
