import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A file of this repository, its path with `/` and from the root. */
export type SourceFile = { path: string; text: string }

/** All files that git knows or would add, whose path matches. Without git (a copy of the tree, an archive) it throws. */
export async function sourceFiles(root: string, pattern: RegExp): Promise<SourceFile[]> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 16_777_216,
  })
  const paths = stdout.split('\0').filter((path) => pattern.test(path))
  const files = await Promise.all(paths.map(async (path) => ({ path, text: await readOrNull(join(root, path)) })))
  return files.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]))
}

/** Null for a file that git still lists and that is gone. */
async function readOrNull(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
