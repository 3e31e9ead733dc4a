import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalStore, startLocalStore } from '../../../test/support/local-store.ts'
import { systemClock } from '../../base/clock.ts'
import { newUuid } from '../../base/id.ts'
import { readConfig } from '../../config.ts'
import { openStorage } from './open-storage.ts'
import { type Bucket, type Storage, storageKey } from './storage.ts'

const clock = systemClock()
let directory: string
let store: LocalStore
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pombo-storage-'))
  store = await startLocalStore(join(directory, 's3'))
})
afterAll(async () => {
  await store.close()
  await rm(directory, { recursive: true })
})

const newKey = () => storageKey(newUuid(clock.now()), newUuid(clock.now()))
const opened = (bucket: Bucket | null) => openStorage({ clock }, { bucket, directory: join(directory, 'data', 'files') })

async function localFile(bytes: Buffer | string): Promise<string> {
  const path = join(directory, newUuid(clock.now()))
  await writeFile(path, bytes)
  return path
}

/** By hand against any store: STORAGE_URL=s3://bucket?endpoint=… with its credentials. It leaves nothing behind. */
const realStore = process.env.STORAGE_URL === undefined ? null : readConfig({ STORAGE_URL: process.env.STORAGE_URL }).storage
const kinds: [string, () => Bucket | null][] = [
  ['a directory', () => null],
  ['a simulated store in the manner of S3', () => store.bucket],
  ...(realStore === null ? [] : [['the store of STORAGE_URL', () => realStore] as [string, () => Bucket]]),
]

describe.each(kinds)('files in %s', (_what, bucket) => {
  let storage: Storage
  beforeAll(async () => {
    storage = await opened(bucket())
  })
  afterAll(() => storage.close())

  const put = async (bytes: Buffer) => {
    const key = newKey()
    await storage.put(key, await localFile(bytes), bytes.length)
    return key
  }

  test('come back byte for byte, also large ones', async () => {
    const bytes = Buffer.alloc(6_000_000, 'ação ')
    const key = await put(bytes)
    expect((await buffer(await storage.read(key))).equals(bytes)).toBe(true)
    await storage.delete(key)
  })

  test.each([
    ['the beginning', 0, 99],
    ['the middle', 1_000, 70_000],
    ['the end', 99_990, 99_999],
    ['one byte', 5, 5],
    ['the first byte', 0, 0],
    ['all of it', 0, 99_999],
  ])('are read in part: %s', async (_part, start, end) => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251))
    const key = await put(bytes)
    expect((await buffer(await storage.read(key, { start, end }))).equals(bytes.subarray(start, end + 1))).toBe(true)
    await storage.delete(key)
  })

  test('of two owners with one id are two files', async () => {
    const [one, other] = [await put(Buffer.from('one')), await put(Buffer.from('other'))]
    expect((await buffer(await storage.read(one))).toString()).toBe('one')
    expect((await buffer(await storage.read(other))).toString()).toBe('other')
    await Promise.all([storage.delete(one), storage.delete(other)])
  })

  test('that are stored twice are there once, whole', async () => {
    const key = newKey()
    for (const words of ['first', 'second']) await storage.put(key, await localFile(words), words.length)
    expect((await buffer(await storage.read(key))).toString()).toBe('second')
    await storage.delete(key)
  })

  test('that are not there reject before anything is read, and can be deleted again', async () => {
    const key = await put(Buffer.from('gone'))
    await storage.delete(key)
    await storage.delete(key)
    await expect(storage.read(key)).rejects.toThrow()
    await expect(storage.read(key, { start: 0, end: 1 })).rejects.toThrow()
  })

  test('whose reader leaves in the middle stay readable', async () => {
    const key = await put(Buffer.alloc(2_000_000, 7))
    const reading: Readable = await storage.read(key)
    reading.on('error', () => {})
    for await (const _chunk of reading) break
    expect((await buffer(await storage.read(key))).length).toBe(2_000_000)
    await storage.delete(key)
  })

  test('many at once are each whole', async () => {
    const keys = await Promise.all(Array.from({ length: 40 }, (_, i) => put(Buffer.alloc(50_000, i))))
    const read = await Promise.all(keys.map(async (key) => buffer(await storage.read(key))))
    expect(read.map((bytes) => [bytes.length, new Set(bytes).size, bytes[0]])).toEqual(keys.map((_, i) => [50_000, 1, i]))
    await Promise.all(keys.map((key) => storage.delete(key)))
  })

  test('can be stored now', async () => {
    await storage.check()
  })
})

describe('a directory', () => {
  test('cannot be used when something else is in its place', async () => {
    const storage = await openStorage({ clock }, { bucket: null, directory: await localFile('in the way') })
    await expect(storage.check()).rejects.toThrow()
    await expect(storage.put(newKey(), await localFile('x'), 1)).rejects.toThrow()
  })

  test('takes the file itself, lets only its user in, and leaves nothing of its checks', async () => {
    const files = join(directory, 'own')
    const storage = await openStorage({ clock }, { bucket: null, directory: files })
    await Promise.all([storage.check(), storage.check()])
    expect(await readdir(files)).toEqual([])
    const path = await localFile('x')
    const key = newKey()
    await storage.put(key, path, 1)
    await expect(stat(path)).rejects.toThrow()
    const [owner = '', file = ''] = key.split('/')
    expect(await readdir(join(files, owner))).toEqual([file.slice(-2)])
    expect((await stat(join(files, owner))).mode & 0o077).toBe(0)
  })
})

describe('a store', () => {
  test('that is away or lacks the bucket cannot be used', async () => {
    const { bucket } = store
    for (const wrong of [
      { ...bucket, bucket: 'missing' },
      { ...bucket, endpoint: 'http://127.0.0.1:1' },
    ]) {
      const storage = await opened(wrong)
      await expect(storage.check()).rejects.toThrow()
      await expect(storage.put(newKey(), await localFile('x'), 1)).rejects.toThrow()
      storage.close()
    }
  })

  test('keeps files under the prefix', async () => {
    const [storage, plain] = [await opened({ ...store.bucket, prefix: 'pombo/eu' }), await opened(store.bucket)]
    const key = newKey()
    await storage.put(key, await localFile('x'), 1)
    await expect(plain.read(key)).rejects.toThrow()
    expect((await buffer(await storage.read(key))).toString()).toBe('x')
    storage.close()
    plain.close()
  })
})
