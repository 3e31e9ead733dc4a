import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { port } from './connection.ts'
import { postmasterOf, processState } from './process-state.ts'

/**
 * What a lock file of PostgreSQL's says, checked against the process it names.
 *
 * - `none`: no file, so the last server stopped cleanly or never ran.
 * - `serving` and `stopping`: a living postmaster of this data directory.
 * - `stale`: PostgreSQL would believe the file, and would be wrong.
 * - `left`: PostgreSQL judges it rightly itself, or we cannot see enough to know better.
 */
export type PidFile = { kind: 'none' } | { kind: 'serving' | 'stopping' | 'stale' | 'left'; pid: number }

/** Reads `postmaster.pid`. */
export function readPidFile(dataDirectory: string): Promise<PidFile> {
  return readLockFile(dataDirectory, 'postmaster.pid')
}

/**
 * Removes the lock files that name no server and returns the pids that they named; a living server's file stays. Only to be
 * called after nobody answered on the socket. Should server processes without a postmaster still be running, PostgreSQL finds
 * them by the shared memory segment, whose key is the data directory's inode, and refuses to start until they are gone.
 */
export async function removeStalePidFiles(dataDirectory: string): Promise<number[]> {
  const pids = []
  // The socket has a lock file too, and PostgreSQL believes it in the same way.
  for (const name of ['postmaster.pid', `.s.PGSQL.${port}.lock`]) {
    const found = await readLockFile(dataDirectory, name)
    if (found.kind !== 'stale') continue
    await rm(join(dataDirectory, name), { force: true })
    pids.push(found.pid)
  }
  return pids
}

async function readLockFile(dataDirectory: string, name: string): Promise<PidFile> {
  const text = await readFile(join(dataDirectory, name), 'utf8').catch(() => null)
  if (text === null) return { kind: 'none' }
  const lines = text.split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  // Cut off by a crash or a full disk. PostgreSQL would refuse to start beside an empty one for ever.
  if (!(pid > 0)) return { kind: 'stale', pid: 0 }
  const state = await processState(pid)
  if (state === 'gone') return { kind: 'left', pid }
  if (state === 'zombie') return { kind: 'stale', pid }
  const whose = await postmasterOf(pid, dataDirectory)
  if (whose !== 'ours') return { kind: whose === 'other' ? 'stale' : 'left', pid }
  return { kind: lines[7]?.trim() === 'stopping' ? 'stopping' : 'serving', pid }
}
