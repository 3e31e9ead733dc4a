import { execFile } from 'node:child_process'
import { readFile, readlink, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { isErrorCode } from './error-code.ts'

const run = promisify(execFile)

/**
 * Whether a process runs. A zombie is dead: `kill(pid, 0)` would call it alive until somebody reaps it, which takes up to 2 s
 * in a container and may never happen under a first process that reaps nothing.
 */
export async function processState(pid: number): Promise<'alive' | 'zombie' | 'gone'> {
  if (process.platform !== 'linux') return stateByPs(pid)
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return 'gone'
  // The name in brackets may hold brackets and blanks itself: the state letter follows the last one.
  const letter = text[text.lastIndexOf(')') + 2]
  return letter === 'Z' || letter === 'X' ? 'zombie' : 'alive'
}

async function stateByPs(pid: number): Promise<'alive' | 'zombie' | 'gone'> {
  const { stdout } = await run('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  if (stdout.trim() === '') return 'gone'
  return stdout.trim().startsWith('Z') ? 'zombie' : 'alive'
}

/**
 * Whether a living process is the postmaster of this data directory, some other program, or `unknown` when the system does not
 * let us see. A postmaster's working directory is its data directory; the inode is compared, since either path may be a link
 * or the directory may have been moved under the running server.
 */
export async function postmasterOf(pid: number, dataDirectory: string): Promise<'ours' | 'other' | 'unknown'> {
  if (process.platform !== 'linux') return postmasterByPs(pid, dataDirectory)
  try {
    // The link reads "… (deleted)" once an upgrade has replaced the binary.
    const program = basename(await readlink(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '')
    if (program !== 'postgres') return 'other'
    const [its, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(dataDirectory)])
    if (its.ino !== ours.ino || its.dev !== ours.dev) return 'other'
    // The server's other processes run in the same directory under a title of their own, "postgres: checkpointer".
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).startsWith('postgres: ') ? 'other' : 'ours'
  } catch (error) {
    if (!isErrorCode(error, 'EACCES', 'EPERM')) return 'unknown'
    const [command = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
    return command === '' || /(^|\/)postgres\b/.test(command) ? 'unknown' : 'other'
  }
}

async function postmasterByPs(pid: number, dataDirectory: string): Promise<'ours' | 'other' | 'unknown'> {
  const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  if (stdout.includes(` -D ${dataDirectory} `)) return 'ours'
  return stdout === '' || /(^|\/)postgres\b/.test(stdout) ? 'unknown' : 'other'
}
