import { chmod, chown, mkdtemp, readlink, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readPidFile } from '../../../src/platform/database/bundled/pid-file.ts'
import { areGone, kill } from './program.ts'

const folders: { path: string; dataDir: string }[] = []

/**
 * A data directory that does not exist yet, in a temporary folder of its own. `open`: whoever wants may pass through the
 * folder; `closed`: nobody but its owner, as in many homes; an owner: it belongs to that user.
 */
export async function newDataDir(folder: 'open' | 'closed' | { uid: number; gid: number } = 'open'): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'pombo-journey-')))
  await chmod(path, folder === 'closed' ? 0o700 : 0o755)
  if (typeof folder === 'object') await chown(path, folder.uid, folder.gid)
  const dataDir = join(path, 'data')
  folders.push({ path, dataDir })
  return dataDir
}

/** Kills whatever server a failed test left there, and removes all that `newDataDir` led to: for `afterAll`, after `endPrograms`. */
export async function removeDataDirs(): Promise<void> {
  for (const { path, dataDir } of folders.splice(0)) {
    const pid = await postmasterOf(dataDir)
    if (pid !== null) {
      kill(pid, 'SIGCONT')
      kill(pid, 'SIGKILL')
      await areGone([pid], 10_000)
    }
    // Under a closed home the data lie elsewhere, behind a link.
    const elsewhere = await readlink(join(dataDir, 'postgres')).catch(() => null)
    if (elsewhere !== null) await rm(dirname(elsewhere), { recursive: true, force: true, maxRetries: 5 })
    await rm(path, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The pid of the server that runs on a gateway's data directory, or null. */
export async function postmasterOf(dataDir: string): Promise<number | null> {
  const found = await readPidFile(await realpath(join(dataDir, 'postgres')).catch(() => dataDir))
  return found.kind === 'serving' || found.kind === 'stopping' ? found.pid : null
}
