import { open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../../base/make-directory.ts'
import type { Storage, StorageKey } from './storage.ts'

/** Files below one directory, which is made when it is first needed. Only this user can read them. */
export function openDiskStorage(directory: string): Storage {
  let checks = 0
  return {
    async put(key, path) {
      const place = placeOf(directory, key)
      await sync(path)
      await makeDirectory(dirname(place))
      await rename(path, place)
      // A name is durable once its directory is, and a new directory once the one above it is. Who made which is not worth knowing: another
      // upload may have made one and not have come here yet.
      const leaf = dirname(place)
      for (const each of [leaf, dirname(leaf), directory, dirname(directory)]) await sync(each)
    },
    async read(key, range) {
      const file = await open(placeOf(directory, key), 'r')
      return file.createReadStream(range)
    },
    async delete(key) {
      await rm(placeOf(directory, key), { force: true })
    },
    async check() {
      checks += 1
      const path = join(directory, `check-${process.pid}-${checks}`)
      await makeDirectory(directory)
      try {
        await writeFile(path, 'x', { mode: 0o600 })
      } finally {
        await rm(path, { force: true })
      }
    },
    close() {},
  }
}

/** Fanned out by the last two characters: those of an id are random, while its first ones are its time. */
function placeOf(directory: string, key: StorageKey): string {
  const [owner = '', file = ''] = key.split('/')
  return join(directory, owner, file.slice(-2), file)
}

/** Waits until a file's bytes, or a directory's names, are on the disk. */
async function sync(path: string): Promise<void> {
  const opened = await open(path, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
