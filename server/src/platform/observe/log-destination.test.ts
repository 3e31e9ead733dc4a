import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openLogDestination } from './log-destination.ts'

describe('the destination of the log', () => {
  test('has written everything once it is closed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pombo-test-log-'))
    const file = join(folder, 'deeper', 'pombo.log')
    const destination = openLogDestination(file)
    const lines = Array.from({ length: 1_000 }, (_, i) => `{"line":${i}}\n`)
    for (const line of lines) destination.write(line)
    await destination.close()
    expect(await readFile(file, 'utf8')).toBe(lines.join(''))
    // Nobody else on the machine reads it.
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await rm(folder, { recursive: true })
  })

  // A device of Linux that is always full.
  test.skipIf(!existsSync('/dev/full'))('lives on a full disk, and is closed all the same', async () => {
    const destination = openLogDestination('/dev/full')
    for (let i = 0; i < 10_000; i += 1) destination.write(`{"line":${i}}\n`)
    await new Promise((resolve) => setImmediate(resolve))
    await destination.close()
  })
})
