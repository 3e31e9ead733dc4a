import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type SmallDisk = {
  /** Takes every byte that is left; again, what has become free since. */
  fill(): Promise<void>
  free(): Promise<void>
  /** Takes it away, whoever still looks into it. */
  unmount(): Promise<void>
}

/** A disk of so many megabytes at a folder that exists, or null where this user or this machine may not mount one. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk | null> {
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'none', folder]
  const mounted = await run('mount', options).then(
    () => true,
    () => false,
  )
  if (!mounted) return null
  const ballast = join(folder, 'ballast')
  return {
    async fill() {
      const file = await open(ballast, 'a')
      try {
        for (const bytes of [1024 * 1024, 4096]) await writeUntilFull(() => file.write(Buffer.alloc(bytes)))
      } finally {
        await file.close()
      }
    },
    free: () => rm(ballast, { force: true }),
    unmount: async () => void (await run('umount', ['-l', folder])),
  }
}

async function writeUntilFull(write: () => Promise<unknown>): Promise<void> {
  try {
    for (;;) await write()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
