import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isLockFileHeld, takeLockFile } from './lock-file.ts'

describe('the lock file of systems without abstract sockets', () => {
  let folder = ''
  let path = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pombo-lock-'))
    path = join(folder, 'gateway.lock')
  })
  afterEach(() => rm(folder, { recursive: true }))

  test('is held by one until it is released', async () => {
    const release = await takeLockFile(path)
    expect(await isLockFileHeld(path)).toBe(true)
    expect(await takeLockFile(path)).toBe(null)
    await release?.()
    expect(await isLockFileHeld(path)).toBe(false)
    expect(await takeLockFile(path)).not.toBe(null)
  })

  test('is taken over from a process that is gone', async () => {
    const child = spawn('true')
    await once(child, 'exit')
    await writeFile(path, `${child.pid} Sat Nov 28 00:00:00 2026`)
    expect(await isLockFileHeld(path)).toBe(false)
    expect(await takeLockFile(path)).not.toBe(null)
    expect(await readFile(path, 'utf8')).toMatch(new RegExp(`^${process.pid} `))
  })

  test('is taken over from an earlier owner of a pid that another program has now', async () => {
    await writeFile(path, `${process.pid} Thu Jan  1 00:00:00 1970`)
    expect(await takeLockFile(path)).not.toBe(null)
  })

  test('goes to one of many that start at once beside a stale one', async () => {
    await writeFile(path, 'cut off')
    const taken = await Promise.all(Array.from({ length: 8 }, () => takeLockFile(path)))
    expect(taken.filter((each) => each !== null)).toHaveLength(1)
    expect(await readdir(folder)).toEqual(['gateway.lock'])
  })
})
