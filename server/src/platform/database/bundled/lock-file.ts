import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { isErrorCode } from './error-code.ts'
import { processState } from './process-state.ts'

const run = promisify(execFile)

/**
 * Takes the lock file for this process, or answers null while another living process holds it. Returns how to release it. For
 * systems without abstract sockets: a file outlives its process, so one whose process is gone is replaced.
 */
export async function takeLockFile(path: string): Promise<(() => Promise<void>) | null> {
  const mine = `${process.pid} ${await startedAt(process.pid)}`
  const stale = await contentOf(path)
  if (stale !== null) {
    if (await isAlive(stale)) return null
    if (!(await moveAway(path, stale))) return null
  }
  // Linked and not written in place: the file appears with its content, and only where there is none.
  const own = nameBeside(path)
  await writeFile(own, mine, { flag: 'wx', mode: 0o600 })
  try {
    await link(own, path)
  } catch (error) {
    if (isErrorCode(error, 'EEXIST')) return null
    throw error
  } finally {
    await unlink(own)
  }
  return () => unlink(path).catch(() => {})
}

/** Whether a living process holds the lock file. */
export async function isLockFileHeld(path: string): Promise<boolean> {
  const content = await contentOf(path)
  return content !== null && (await isAlive(content))
}

/** Of several starters that found the same stale file one moves it away; a later one may catch the winner's, and gives it back. */
async function moveAway(path: string, stale: string): Promise<boolean> {
  const away = nameBeside(path)
  try {
    await rename(path, away)
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return true
    throw error
  }
  const caught = await contentOf(away)
  if (caught !== stale) await link(away, path)
  await unlink(away)
  return caught === stale
}

async function isAlive(content: string): Promise<boolean> {
  const pid = Number.parseInt(content, 10)
  if (!(pid > 0) || (await processState(pid)) !== 'alive') return false
  // After a restart of the system the pid may belong to any program: the moment of its start tells.
  return content === `${pid} ${await startedAt(pid)}`
}

async function startedAt(pid: number): Promise<string> {
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], { env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } })
  return stdout.trim()
}

const contentOf = (path: string) => readFile(path, 'utf8').catch(() => null)

const nameBeside = (path: string) => `${path}.${randomBytes(4).toString('hex')}`
