import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DataDirectoryError } from './data-directory-error.ts'

/** The user that the server's processes run as. */
export type RunAs = { name: string; uid: number; gid: number }

/**
 * The user to run the server as when we are root, which PostgreSQL refuses to run as; null when we run it as ourselves.
 * `postgres` is preferred: whoever else runs as `nobody` would share the right to read the data.
 */
export async function chooseRunAs(): Promise<RunAs | null> {
  if (process.getuid?.() !== 0) return null
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => ''))
  const user = users.find((each) => each.name === 'postgres') ?? users.find((each) => each.name === 'nobody')
  if (user === undefined || user.uid === 0) {
    throw new DataDirectoryError(
      'cannot_run',
      'PostgreSQL does not run as root, and this system has neither a user "postgres" nor a user "nobody". Run the gateway as an ordinary user, or add a user named postgres.',
    )
  }
  return user
}

function parsePasswd(text: string): RunAs[] {
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

/** The user who owns an existing data directory keeps it, although `postgres` may have been added to the system since. */
export async function ownerOf(path: string, preferred: RunAs): Promise<RunAs> {
  const { uid, gid } = await stat(path)
  return uid === 0 || uid === preferred.uid ? preferred : { name: `user ${uid}`, uid, gid }
}

/**
 * The nearest directory on the way to `path` that the user may not pass through (or `path` itself, when it may not be entered or
 * run), or null when the way is open. Supplementary groups do not count: Node drops them when it starts a process as another user.
 */
export async function closedOnTheWay(path: string, user: RunAs): Promise<string | null> {
  for (let each = await realpath(path); ; each = dirname(each)) {
    if (!maySearch(await stat(each), user)) return each
    if (each === dirname(each)) return null
  }
}

function maySearch(directory: { mode: number; uid: number; gid: number }, user: RunAs): boolean {
  if (directory.uid === user.uid) return (directory.mode & 0o100) !== 0
  if (directory.gid === user.gid) return (directory.mode & 0o010) !== 0
  return (directory.mode & 0o001) !== 0
}
