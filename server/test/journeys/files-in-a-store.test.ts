import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { movie } from '../support/files.ts'
import { formOf, upload } from '../support/forms.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type LocalStore, startLocalStore } from '../support/local-store.ts'

let directory: string
let store: LocalStore
let gateway: TestGateway
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pombo-store-'))
  store = await startLocalStore(directory)
  gateway = await startTestGateway({ settings: { STORAGE_URL: `s3://files/pombo?endpoint=${store.bucket.endpoint}` } })
})
afterAll(async () => {
  await gateway.close()
  await store.close().catch(() => {})
  await rm(directory, { recursive: true })
})

const bytes = movie({ dataBytes: 3_000_000 })
const send = (key: string) => upload(gateway.call, formOf([{ name: 'file', fileName: 'a.mp4', bytes }]), { key })

// rule: media 3, files 2
test('with STORAGE_URL a file lies in the bucket alone, once, and is read from there whole and in part', async () => {
  const account = await gateway.account()
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(account.live)))
  expect(new Set(answers.map((each) => `${each.status} ${each.text}`)).size).toBe(1)
  const path = new URL(answers[0]?.body.url).pathname
  const whole = await gateway.call('GET', path)
  expect([whole.status, whole.bytes.equals(bytes)]).toEqual([200, true])
  const part = await gateway.call('GET', path, { headers: { range: 'bytes=1000-1999999' } })
  expect([part.status, part.bytes.equals(bytes.subarray(1_000, 2_000_000))]).toEqual([206, true])
  const objects = (await readdir(directory, { recursive: true })).filter((each) => /[0-9a-f]{32}\/[0-9a-f]{32}\._S3rver_object$/.test(each))
  expect(objects).toHaveLength(1)
  expect((await readdir(gateway.config.dataDir)).toSorted()).toEqual(['database-mark.json', 'temporary'])
  expect(await readdir(join(gateway.config.dataDir, 'temporary'))).toEqual([])
})

test('while the bucket is away, uploads are 500, /ready says so, and nothing is left of them', async () => {
  const account = await gateway.account()
  expect((await gateway.call('GET', '/ready')).body.checks.storage).toEqual({ ok: true })
  await store.close()
  const { status, body } = await send(account.live)
  expect([status, body.error.code]).toEqual([500, 'internal_error'])
  // It is looked at once a second at most.
  await vi.waitFor(
    async () => {
      const ready = await gateway.call('GET', '/ready')
      expect([ready.status, ready.body.checks.storage.ok]).toEqual([503, false])
    },
    { timeout: 10_000, interval: 100 },
  )
  expect(await readdir(join(gateway.config.dataDir, 'temporary'))).toEqual([])
})
