import { stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { DataDirectoryError } from './data-directory-error.ts'
import { isErrorCode } from './error-code.ts'
import { isLockFileHeld, takeLockFile } from './lock-file.ts'

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
  const release = process.platform === 'linux' ? await listenAbstract(await abstractName(dataDir)) : await takeLockFile(lockFile(dataDir))
  if (release !== null) return { release }
  throw new DataDirectoryError(
    'in_use',
    `Another gateway is running on the data directory ${dataDir}. Stop it first, or give this one a data directory of its own.`,
  )
}

/** Says whether some process holds the lock right now. */
export async function isOwned(dataDir: string): Promise<boolean> {
  if (process.platform !== 'linux') return isLockFileHeld(lockFile(dataDir))
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

function listenAbstract(name: string): Promise<(() => Promise<void>) | null> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', (error) => (isErrorCode(error, 'EADDRINUSE') ? resolve(null) : reject(error)))
    server.listen(name, () => {
      server.unref()
      resolve(() => new Promise((released) => server.close(() => released())))
    })
  })
}

const lockFile = (dataDir: string) => join(dataDir, 'gateway.lock')
