import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { postmasterOf, processState } from './process-state.ts'

/**
 * What `postmaster.pid` says, checked against the process it names.
 *
 * - `none`: no file, so the last server stopped cleanly or never ran.
 * - `serving` and `stopping`: a living postmaster of this data directory.
 * - `stale`: PostgreSQL would believe the file, and would be wrong.
 * - `left`: PostgreSQL judges it rightly itself, or we cannot see enough to know better.
 */
export type PidFile = { kind: 'none' } | { kind: 'serving' | 'stopping' | 'stale' | 'left'; pid: number }

export async function readPidFile(dataDirectory: string): Promise<PidFile> {
  const text = await readFile(pidFilePath(dataDirectory), 'utf8').catch(() => null)
  if (text === null) return { kind: 'none' }
  const lines = text.split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  if (!(pid > 0)) return { kind: 'left', pid: 0 }
  const state = await processState(pid)
  if (state === 'gone') return { kind: 'left', pid }
  if (state === 'zombie') return { kind: 'stale', pid }
  const whose = await postmasterOf(pid, dataDirectory)
  if (whose !== 'ours') return { kind: whose === 'other' ? 'stale' : 'left', pid }
  return { kind: lines[7]?.trim() === 'stopping' ? 'stopping' : 'serving', pid }
}

/**
 * Removes a stale file. Only ever called for a pid that was seen to be dead or another program, and after nobody answered on
 * the server's socket. Should server processes without a postmaster still be running, PostgreSQL finds them by the shared
 * memory segment, whose key is the data directory's inode, and refuses to start until they are gone.
 */
export async function removeStalePidFile(dataDirectory: string): Promise<void> {
  await rm(pidFilePath(dataDirectory), { force: true })
}

const pidFilePath = (dataDirectory: string) => join(dataDirectory, 'postmaster.pid')
