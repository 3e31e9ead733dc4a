import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a directory for this user alone, and those above it that are missing. Returns the first that it made, or undefined when it was there.
 * Rejects at once where none can be made: Node's own recursive way never ends below file systems such as /proc.
 */
export async function makeDirectory(path: string): Promise<string | undefined> {
  try {
    return await makeOne(path)
  } catch (error) {
    const above = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error
    const first = await makeDirectory(above)
    const made = await makeOne(path)
    return first ?? made
  }
}

/** Returns undefined when it was there. */
async function makeOne(path: string): Promise<string | undefined> {
  try {
    await mkdir(path, { mode: 0o700 })
    return path
  } catch (error) {
    if (await isDirectory(path)) return undefined
    throw error
  }
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
