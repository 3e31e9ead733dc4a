import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDirectory } from './make-directory.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pombo-directory-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('all that is missing is made for this user alone, and the first of it is returned', async () => {
  expect(await makeDirectory(join(folder, 'a', 'b', 'c'))).toBe(join(folder, 'a'))
  for (const each of ['a', 'a/b', 'a/b/c']) expect((await stat(join(folder, each))).mode & 0o777).toBe(0o700)
  expect(await makeDirectory(join(folder, 'a', 'b', 'c'))).toBeUndefined()
  expect(await makeDirectory(join(folder, 'a', 'd'))).toBe(join(folder, 'a', 'd'))
})

test('several that make the same at once all have it', async () => {
  const path = join(folder, 'at', 'once')
  await Promise.all(Array.from({ length: 20 }, () => makeDirectory(path)))
  expect((await stat(path)).isDirectory()).toBe(true)
})

test.skipIf(process.platform !== 'linux')('where none can be made it is said at once, also below /proc', async () => {
  await expect(makeDirectory('/proc/nope/data')).rejects.toThrow(/ENOENT|EACCES|EPERM/)
})

test('a file in the way is no directory', async () => {
  await writeFile(join(folder, 'file'), '')
  await expect(makeDirectory(join(folder, 'file'))).rejects.toThrow('EEXIST')
  await expect(makeDirectory(join(folder, 'file', 'below'))).rejects.toThrow('ENOTDIR')
})
