import { readFile, stat, unlink, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { DataDirectoryError } from './data-directory-error.ts'
import { isErrorCode } from './error-code.ts'
import { processState } from './process-state.ts'

/** Held by the one gateway that may run a server on a data directory. */
type OwnerLock = { release(): Promise<void> }

/**
 * Takes the data directory for this process, at once or not at all (`in_use`). The lock ends with the process, however it ends.
 *
 * On Linux it is a socket in the abstract namespace, named after the directory's inode: the kernel frees it at death, so it
 * cannot go stale (Node has no flock). It reaches as far as the network namespace; a server in another container is found by
 * its own socket instead (see `bring-up.ts`).
 */
export async function takeOwnerLock(dataDir: string): Promise<OwnerLock> {
  const lock = process.platform === 'linux' ? await listenAbstract(await abstractName(dataDir)) : await createLockFile(lockFile(dataDir))
  if (lock !== null) return lock
  throw new DataDirectoryError(
    'in_use',
    `Another gateway is running on the data directory ${dataDir}. Stop it first, or give this one a data directory of its own.`,
  )
}

/** Says whether some process holds the lock right now. */
export async function isOwned(dataDir: string): Promise<boolean> {
  if (process.platform !== 'linux') return lockFileIsAlive(lockFile(dataDir))
  const name = await abstractName(dataDir)
  return new Promise((resolve) => {
    const socket = connect(name, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

async function abstractName(dataDir: string): Promise<string> {
  const { dev, ino } = await stat(dataDir, { bigint: true })
  return `\0pombo:${dev}:${ino}`
}

function listenAbstract(name: string): Promise<OwnerLock | null> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', (error) => (isErrorCode(error, 'EADDRINUSE') ? resolve(null) : reject(error)))
    server.listen(name, () => {
      server.unref()
      resolve({ release: () => new Promise((released) => server.close(() => released())) })
    })
  })
}

const lockFile = (dataDir: string) => join(dataDir, 'gateway.lock')

/**
 * Elsewhere a file with our pid does. A file whose process is gone is replaced; two starters that both find a stale one at the
 * same instant are told apart by the exclusive creation that follows.
 */
async function createLockFile(path: string): Promise<OwnerLock | null> {
  if (await lockFileIsAlive(path)) return null
  await unlink(path).catch(() => {})
  try {
    await writeFile(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (isErrorCode(error, 'EEXIST')) return null
    throw error
  }
  return { release: () => unlink(path).catch(() => {}) }
}

async function lockFileIsAlive(path: string): Promise<boolean> {
  const pid = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10)
  return Number.isInteger(pid) && (await processState(pid)) === 'alive'
}
