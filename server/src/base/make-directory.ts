import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a directory for this user alone, and those above it that are missing. Returns the first that it made, or undefined when it was there.
 * Rejects at once where none can be made: Node's own recursive way never ends below file systems such as /proc.
 */
export async function makeDirectory(path: string): Promise<string | undefined> {
  const above = dirname(path)
  const made = await makeOne(path, { orMissing: above !== path })
  if (made !== 'missing') return made
  const first = await makeDirectory(above)
  return (await makeOne(path, { orMissing: false })) === undefined ? first : (first ?? path)
}

/** Undefined: it was there. `missing`: what is above it is not. */
async function makeOne(path: string, { orMissing }: { orMissing: boolean }): Promise<string | undefined> {
  try {
    await mkdir(path, { mode: 0o700 })
    return path
  } catch (error) {
    if (orMissing && (error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing'
    if (await isDirectory(path)) return undefined
    throw error
  }
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
