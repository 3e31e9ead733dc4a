import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, open, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { userName } from './connection.ts'
import { DataDirectoryError } from './data-directory-error.ts'
import { isErrorCode } from './error-code.ts'
import { entryOf, type Location } from './location.ts'

const run = promisify(execFile)

const initdbMaxMs = 120_000

/** Whether the data directory holds data that this major version can serve. Throws with words for anything but that or emptiness. */
export async function holdsData({ dataDirectory, runAs }: Location, major: number): Promise<boolean> {
  const names = await readdir(dataDirectory).catch((error: unknown) => {
    if (isErrorCode(error, 'ENOENT')) return []
    throw new DataDirectoryError('cannot_run', `The data in ${dataDirectory} cannot be read. Run the gateway as the user who owns it.`, {
      cause: error,
    })
  })
  if (names.length === 0) return false
  const version = await readFile(join(dataDirectory, 'PG_VERSION'), 'utf8').catch(() => null)
  if (version === null) throw notOurs(dataDirectory)
  if (version.trim() !== String(major)) throw otherVersion(dataDirectory, version.trim(), major)
  const { uid } = await stat(dataDirectory)
  if (uid !== (runAs?.uid ?? process.getuid?.())) throw wrongOwner(dataDirectory, runAs?.name ?? 'the user who runs the gateway')
  return true
}

const notOurs = (dataDirectory: string) =>
  new DataDirectoryError(
    'not_ours',
    `${dataDirectory} holds files, but no PostgreSQL data. Empty it if nobody needs them, or choose another data directory.`,
  )

const otherVersion = (dataDirectory: string, version: string, major: number) =>
  new DataDirectoryError(
    'other_major_version',
    `The data in ${dataDirectory} was written by PostgreSQL ${version}, and this gateway brings PostgreSQL ${major}. ` +
      'Go back to the gateway that wrote it, make a backup there and restore it here, or serve the data by a PostgreSQL of your own and set DATABASE_URL.',
  )

const wrongOwner = (dataDirectory: string, owner: string) =>
  new DataDirectoryError(
    'cannot_run',
    `The data in ${dataDirectory} must belong to ${owner}, or PostgreSQL refuses it. Run chown -R on it, or run the gateway as its owner.`,
  )

/**
 * Makes an empty data directory, complete or not at all: it grows beside its place and is renamed once it is whole and on disk.
 * `sync` off is for tests. `launched` is called when initdb runs.
 */
export async function initialise(
  location: Location,
  binaries: string,
  { sync, launched }: { sync: boolean; launched: () => void },
): Promise<void> {
  const { home, dataDirectory, runAs } = location
  await removeUnfinished(home, basename(dataDirectory))
  // A name of its own each time: the initdb of a killed gateway may still be writing into the last one.
  const growing = `${dataDirectory}.new-${randomBytes(4).toString('hex')}`
  await mkdir(growing, { mode: 0o700 })
  if (runAs !== null) await chown(growing, runAs.uid, runAs.gid)
  // One pass of syncing at the end takes 0.1 to 0.2 s; initdb's own would write some files twice.
  const made = initdb(location, binaries, [...initdbArguments, '-D', growing])
  launched()
  await made
  if (sync) await initdb(location, binaries, ['--sync-only', '-D', growing])
  await rename(growing, dataDirectory).catch((error: unknown) => {
    throw new DataDirectoryError(
      'cannot_run',
      `${dataDirectory} cannot take the new database. Remove it if it is empty; mount a volume above it, not on it.`,
      {
        cause: error,
      },
    )
  })
  if (sync) await syncDirectory(home)
}

// biome-ignore format: one line an option and its value
const initdbArguments = [
  '-U', userName,
  // Whoever reaches the socket is trusted: it lies in a directory that only the server's user and root can enter.
  '-A', 'trust',
  '-E', 'UTF8',
  '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8',
  '--no-instructions', '--no-sync',
]

async function removeUnfinished(home: string, name: string): Promise<void> {
  for (const each of await readdir(home)) {
    // What an orphaned initdb still writes to cannot be removed; the next initialisation tries again.
    if (each.startsWith(`${name}.new-`)) await rm(join(home, each), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

async function initdb({ home, runAs }: Location, binaries: string, args: readonly string[]): Promise<void> {
  const user = runAs === null ? {} : { uid: runAs.uid, gid: runAs.gid }
  try {
    // An explicit working directory: the caller's may be closed to the server's user.
    await run(join(binaries, 'bin', 'initdb'), args, { ...user, cwd: home, env: { TZ: 'UTC', LC_ALL: 'C' }, timeout: initdbMaxMs })
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new DataDirectoryError('cannot_run', `The database could not be created in ${home}: ${said === '' ? String(error) : said}`, {
      cause: error,
    })
  }
}

/** The rename itself is on disk only after the directory is. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** Leaves a link where the data was expected, so that it is found again even when the gateway's directory has been moved. */
export async function linkData(dataDir: string, dataDirectory: string): Promise<void> {
  const entry = entryOf(dataDir)
  if (dirname(dataDirectory) === dataDir || (await lstat(entry).catch(() => null)) !== null) return
  await symlink(dataDirectory, entry)
}
