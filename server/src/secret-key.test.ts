import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { secretKeyIn } from './secret-key.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pombo-key-'))
})
afterEach(() => rm(directory, { recursive: true }))

test('the key is made once, for its owner alone, and stays the same', async () => {
  const dataDir = join(directory, 'data')
  const key = await secretKeyIn(dataDir)
  expect(key).toHaveLength(32)
  expect(await secretKeyIn(dataDir)).toEqual(key)
  expect((await stat(join(dataDir, 'secret-key'))).mode & 0o777).toBe(0o600)
})

test('whoever asks at the same time gets the same key, and nothing else is left in the directory', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => secretKeyIn(directory)))
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
  expect(await readdir(directory)).toEqual(['secret-key'])
})

test('a damaged key is an error and is never replaced: what it sealed would be lost', async () => {
  await writeFile(join(directory, 'secret-key'), 'damaged')
  await expect(secretKeyIn(directory)).rejects.toThrow('does not hold a key')
})
