import { closeSync, constants, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'

const bytesMax = 10 * 1024 * 1024
const tailBytesMax = 2_000

const pathIn = (home: string) => join(home, 'postgres.log')

/** Opens the server's log for a new process and says where its part begins. Above 10 MB the log begins anew. */
export function openServerLog(home: string): { file: number; from: number } {
  // Appending, so that cutting the file short is safe while an older process still writes.
  const file = openSync(pathIn(home), constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY, 0o600)
  if (fstatSync(file).size > bytesMax) ftruncateSync(file)
  return { file, from: fstatSync(file).size }
}

/** Cuts the log of a server that has been running for long. */
export function limitServerLog(home: string): void {
  try {
    closeSync(openServerLog(home).file)
  } catch {
    // A full disk or a removed directory is the server's to report; the log's length is not worth more.
  }
}

/** What the server has said since `from`: its last lines, at most 2,000 bytes. */
export async function serverLogSince(home: string, from: number): Promise<string> {
  const file = await open(pathIn(home), 'r')
  try {
    const { size } = await file.stat()
    const start = Math.max(Math.min(from, size), size - tailBytesMax)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(tailBytesMax), 0, tailBytesMax, start)
    return buffer.toString('utf8', 0, bytesRead).trim()
  } finally {
    await file.close()
  }
}
