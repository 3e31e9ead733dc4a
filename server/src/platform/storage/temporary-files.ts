import { readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { lowestUuidAt, newUuid } from '../../base/id.ts'
import { makeDirectory } from '../../base/make-directory.ts'
import { limits } from '../../limits.ts'

export type TemporaryFiles = {
  /** A path where nothing is yet. Whoever asks for it deletes the file, whatever happens; what a crash leaves behind, `sweep` does. */
  newPath(): Promise<string>
  /** Whether the disk has room for files beside what the database needs. */
  hasRoom(): Promise<boolean>
  /** Deletes what is older than anybody works on a file. Other processes may use the same directory. */
  sweep(): Promise<void>
}

/** No upload and no download may take this long. */
const ageMsMax = 3_600_000

/** Files of work in progress, in a directory that is made when it is first needed. Their names hold their time. */
export function createTemporaryFiles(
  { clock }: { clock: Clock },
  directory: string,
  freeBytesMin: number = limits.freeBytesMin,
): TemporaryFiles {
  return {
    async newPath() {
      await makeDirectory(directory)
      return join(directory, newUuid(clock.now()))
    },
    async hasRoom() {
      await makeDirectory(directory)
      const { bavail, bsize } = await statfs(directory)
      return bavail * bsize >= freeBytesMin
    },
    async sweep() {
      const names = await readdir(directory).catch(ifMissing)
      const youngest = lowestUuidAt(new Date(clock.now().getTime() - ageMsMax))
      for (const name of names) if (/^[0-9a-f-]{36}$/.test(name) && name < youngest) await rm(join(directory, name), { force: true })
    },
  }
}

function ifMissing(error: unknown): string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
  throw error
}
