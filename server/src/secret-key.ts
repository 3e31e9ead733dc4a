import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from './base/make-directory.ts'
import { parseSecretKey, type SecretKey } from './base/seal.ts'

/**
 * The key kept in the data directory (`secret-key`, mode 0600), made at the first call. Two processes that make one at once end
 * with the same: the file appears whole and is never replaced. Throws when it is there but holds no key: a new one could not
 * open what the old one sealed.
 */
export async function secretKeyIn(dataDir: string): Promise<SecretKey> {
  const path = join(dataDir, 'secret-key')
  return keyOf(path, (await textOf(path)) ?? (await make(dataDir, path)))
}

/** The key kept in the data directory, or null where there is none yet. Throws when the file holds no key. */
export async function keptSecretKey(dataDir: string): Promise<SecretKey | null> {
  const path = join(dataDir, 'secret-key')
  const text = await textOf(path)
  return text === null ? null : keyOf(path, text)
}

function keyOf(path: string, text: string): SecretKey {
  const key = parseSecretKey(text.trim())
  if (key === null) throw new Error(`${path} does not hold a key of 32 bytes in base64. Restore it from a backup, or set SECRET_KEY.`)
  return key
}

async function make(dataDir: string, path: string): Promise<string> {
  await makeDirectory(dataDir)
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('base64')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    // A link fails when the name exists, where a rename would replace the key of whoever was faster.
    await link(temporary, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(temporary, { force: true })
  }
  return readFile(path, 'utf8')
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

const hasCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code
