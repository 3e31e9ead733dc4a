import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeDirectory } from '../../base/make-directory.ts'
import type { HistoryMark, MarkKeeper } from './history-guard.ts'

/** Keeps the mark in a file, which is replaced whole. One that cannot be read counts as none. */
export function markFile(path: string): MarkKeeper {
  return {
    async read() {
      try {
        const mark: HistoryMark = JSON.parse(await readFile(path, 'utf8'))
        return Number.isSafeInteger(mark.value) && typeof mark.installation === 'string' ? mark : null
      } catch {
        return null
      }
    },
    async write(mark) {
      await makeDirectory(dirname(path))
      const file = await open(`${path}.${process.pid}`, 'w', 0o600)
      try {
        await file.writeFile(JSON.stringify(mark))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(`${path}.${process.pid}`, path)
    },
  }
}
