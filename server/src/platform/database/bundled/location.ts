import { createHash } from 'node:crypto'
import { chmod, lstat, readlink, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { makeDirectory } from '../../../base/make-directory.ts'
import { DataDirectoryError } from './data-directory-error.ts'
import { isErrorCode } from './error-code.ts'
import { closedOnTheWay, ownerOf, type RunAs } from './run-as.ts'

/** Where the server's files lie, as real paths. */
export type Location = {
  /** Holds the data directory, the log, and a copy of the binaries where one is needed. */
  home: string
  dataDirectory: string
  runAs: RunAs | null
}

/** The data directory, or a link to it, inside the gateway's own directory. */
export const entryOf = (dataDir: string) => join(dataDir, 'postgres')

/** Where the data goes when root's server user cannot reach the gateway's directory. */
const elsewhere = '/var/lib/pombo'

/**
 * The gateway's directory as a real path, created for us alone (0700) when it is missing. As root it gets search permission for
 * all (0711), because the server's user must pass through it; nobody else can list it.
 */
export async function prepareDataDir(dataDir: string, runAs: RunAs | null): Promise<string> {
  const path = resolve(dataDir)
  const firstCreated = await makeDirectory(path).catch((error: unknown) => {
    throw new DataDirectoryError('cannot_run', `The data directory ${path} cannot be created. Choose one that this user may write to.`, {
      cause: error,
    })
  })
  if (runAs === null) return realpath(path)
  if (firstCreated !== undefined) {
    for (let each = path; each.length >= firstCreated.length; each = dirname(each)) await chmod(each, 0o711)
  } else await letPass(path)
  return realpath(path)
}

/** Data that follows a mount (a container's volume) must stay there: so a closed directory of root's own is opened, not avoided. */
async function letPass(path: string): Promise<void> {
  const { mode, uid } = await stat(path)
  if (uid === 0 && (mode & 0o001) === 0) await chmod(path, (mode & 0o7777) | 0o001)
}

/**
 * Decides where the data lies. Data that exists stays where it is, or is refused with words: an empty database must never take
 * the place of one that merely cannot be reached today.
 */
export async function locate(dataDir: string, preferred: RunAs | null): Promise<Location> {
  const existing = await existingDataDirectory(dataDir)
  if (existing !== null) {
    const runAs = preferred === null ? null : await ownerOf(existing, preferred)
    if (runAs !== null) await refuseIfClosed(existing, runAs)
    return { home: dirname(existing), dataDirectory: existing, runAs }
  }
  const open = preferred === null || (await closedOnTheWay(dataDir, preferred)) === null
  const home = open ? dataDir : await homeElsewhere(dataDir)
  return { home, dataDirectory: entryOf(home), runAs: preferred }
}

/** The real path of the data directory, or null when there is none yet. Throws `cannot_run` when it is a link to nowhere. */
export async function existingDataDirectory(dataDir: string): Promise<string | null> {
  const entry = entryOf(dataDir)
  try {
    return await realpath(entry)
  } catch (error) {
    if (!isErrorCode(error, 'ENOENT')) throw error
  }
  const isLink = await lstat(entry).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )
  if (!isLink) return null
  throw new DataDirectoryError(
    'cannot_run',
    `The database lies in ${await readlink(entry)}, but that is missing. Bring it back, or remove the link ${entry} to begin with an empty database.`,
  )
}

async function refuseIfClosed(dataDirectory: string, runAs: RunAs): Promise<void> {
  const closed = await closedOnTheWay(dirname(dataDirectory), runAs)
  if (closed === null) return
  throw new DataDirectoryError(
    'cannot_run',
    `The database lies in ${dataDirectory}, but PostgreSQL runs as "${runAs.name}", who may not pass through ${closed}. Run chmod o+x ${closed}, or move the data directory.`,
  )
}

async function homeElsewhere(dataDir: string): Promise<string> {
  const home = join(elsewhere, createHash('sha256').update(dataDir).digest('hex').slice(0, 16))
  await makeDirectory(home)
  for (const each of [elsewhere, home]) await chmod(each, 0o711)
  return realpath(home)
}
