import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FilePlace, removeReleasedFiles } from '../../src/features/media/public.ts'
import { isFileReferred } from '../../src/features/messages/public.ts'
import { limits } from '../../src/limits.ts'
import { openStorage } from '../../src/platform/storage/open-storage.ts'
import type { Storage } from '../../src/platform/storage/storage.ts'
import type { TestAccount } from '../support/accounts.ts'
import { png } from '../support/files.ts'
import { formOf, upload } from '../support/forms.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type LocalStore, startLocalStore } from '../support/local-store.ts'
import { refuseInDatabase } from '../support/notice-stage.ts'
import { sql } from '../support/stage.ts'

let directory: string
let store: LocalStore
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pombo-go-'))
  store = await startLocalStore(join(directory, 's3'))
})
afterAll(async () => {
  await store.close()
  await rm(directory, { recursive: true })
})

const places: [string, () => Record<string, string>][] = [
  ['a directory', () => ({})],
  ['a store in the manner of S3', () => ({ STORAGE_URL: `s3://files/pombo?endpoint=${store.bucket.endpoint}` })],
]
let shades = 20_000

// rule: files 4
describe.each(places)('a photo in %s that a person sent', (_where, settings) => {
  let gateway: TestGateway
  let account: TestAccount
  let storage: Storage
  beforeAll(async () => {
    gateway = await startTestGateway({ settings: settings() })
    account = await gateway.account()
    const { config } = gateway
    storage = await openStorage(gateway.deps, { bucket: config.storage, directory: join(config.dataDir, 'files') })
  })
  afterAll(async () => {
    storage.close()
    await gateway.close()
  })

  const newBytes = () => {
    shades += 1
    return png(shades)
  }
  /** How many files are stored, of whatever account. */
  async function filesStored(): Promise<number> {
    const { storage: bucket, dataDir } = gateway.config
    const names = await readdir(bucket === null ? join(dataDir, 'files') : join(directory, 's3'), { recursive: true })
    return names.filter((each) => (bucket === null ? /\/[0-9a-f]{32}$/ : /\._S3rver_object$/).test(each)).length
  }
  const read = async (url: string) => (await gateway.call('GET', new URL(url).pathname)).status

  async function inbound(content: object, from = gateway.newPerson()) {
    const told = await gateway.simulator.inbound({ from, content, phone_number_id: account.channel.phoneNumberId } as never)
    expect(told.status).toBe(200)
    await gateway.noticesWorked()
    return { from, wamid: told.wamid }
  }
  async function photo(bytes: Buffer) {
    const sent = await inbound({ type: 'image', bytes })
    for (;;) {
      const seen = gateway.observations.all.length
      const [row] = await sql<{ media: string | null; media_id: string; account_id: string }>(
        gateway.deps.database,
        'select media, media_id, account_id from message where wamid = $1',
        [sent.wamid],
      )
      if (row?.media != null)
        return { ...sent, url: JSON.parse(row.media).url, file: { accountId: row.account_id, mediaId: row.media_id } as FilePlace }
      await gateway.observations.until((each) => each.kind === 'file.tried' && gateway.observations.all.indexOf(each) >= seen)
    }
  }
  const revoke = ({ wamid, from }: { wamid: string; from: string }) => inbound({ type: 'revoke', original_message_id: wamid }, from)

  /** What the task does, so much later. */
  const sweep = (laterMs: number, at: Pick<Storage, 'delete'> = storage) =>
    removeReleasedFiles({
      database: gateway.deps.database,
      clock: { ...gateway.deps.clock, now: () => new Date(gateway.deps.clock.now().getTime() + laterMs) },
      storage: at,
      observe: () => {},
      isReferred: isFileReferred,
    })
  const afterGrace = limits.mediaRemovalMs + 1_000
  const left = async ({ accountId, mediaId }: FilePlace) => {
    const count = (table: string, column: string) =>
      sql(gateway.deps.database, `select 1 from ${table} where account_id = $1 and ${column} = $2`, [accountId, mediaId])
    return { rows: (await count('media', 'id')).length, removals: (await count('media_removal', 'media_id')).length }
  }

  test('is at its url no more once it is deleted for everyone, and its bytes go a minute later', async () => {
    const sent = await photo(newBytes())
    const before = await filesStored()
    expect(await read(sent.url)).toBe(200)
    await revoke(sent)
    expect(await read(sent.url)).toBe(404)
    await sweep(0)
    expect([await filesStored(), await left(sent.file)]).toEqual([before, { rows: 1, removals: 1 }])
    await sweep(afterGrace)
    expect([await filesStored(), await left(sent.file), await read(sent.url)]).toEqual([before - 1, { rows: 0, removals: 0 }, 404])
  })

  test('stays while another message of the account has the same bytes, and goes with the last', async () => {
    const bytes = newBytes()
    const [one, two] = [await photo(bytes), await photo(bytes)]
    expect(two.file).toEqual(one.file)
    await revoke(one)
    await sweep(afterGrace)
    expect([await read(two.url), await left(two.file)]).toEqual([200, { rows: 1, removals: 0 }])
    await revoke(two)
    await sweep(0)
    await sweep(afterGrace)
    expect([await read(two.url), await left(two.file)]).toEqual([404, { rows: 0, removals: 0 }])
  })

  test('goes when two messages that share it are deleted in the same moment', async () => {
    const bytes = newBytes()
    const [one, two] = [await photo(bytes), await photo(bytes)]
    await Promise.all([revoke(one), revoke(two)])
    await sweep(0)
    await sweep(afterGrace)
    expect(await left(one.file)).toEqual({ rows: 0, removals: 0 })
  })

  test('stays where the account uploaded the same bytes itself, before or after', async () => {
    for (const first of ['upload', 'photo']) {
      const bytes = newBytes()
      const give = () => upload(gateway.call, formOf([{ name: 'file', fileName: 'a.png', bytes }]), { key: account.live })
      if (first === 'upload') expect((await give()).status).toBe(201)
      const sent = await photo(bytes)
      if (first === 'photo') expect((await give()).status).toBe(201)
      await revoke(sent)
      await sweep(afterGrace)
      expect([first, await read(sent.url), await left(sent.file)]).toEqual([first, 200, { rows: 1, removals: 0 }])
    }
  })

  test('is there again when the same bytes come before they are gone', async () => {
    const bytes = newBytes()
    const sent = await photo(bytes)
    await revoke(sent)
    const again = await photo(bytes)
    expect(again.file).toEqual(sent.file)
    await sweep(afterGrace)
    expect([await read(again.url), await left(again.file)]).toEqual([200, { rows: 1, removals: 0 }])
  })

  test('whose row the database does not let go stays, and all others go', async () => {
    const [bad, good] = [await photo(newBytes()), await photo(newBytes())]
    await revoke(bad)
    await revoke(good)
    await sweep(0)
    const mend = await refuseInDatabase(gateway.deps.database, {
      table: 'media',
      when: 'before delete',
      body: `if old.id = '${bad.file.mediaId}' then raise check_violation using message = 'no'; end if; if tg_op = 'DELETE' then return old; end if;`,
    })
    await sweep(afterGrace)
    expect([await left(bad.file), await left(good.file)]).toEqual([
      { rows: 1, removals: 1 },
      { rows: 0, removals: 0 },
    ])
    await mend()
    await sweep(2 * afterGrace)
    expect(await left(bad.file)).toEqual({ rows: 0, removals: 0 })
  })

  test('leaves no bytes behind when the storage is away, or the process dies before they are deleted', async () => {
    const sent = await photo(newBytes())
    const before = await filesStored()
    await revoke(sent)
    await sweep(0)
    const away = {
      delete: async () => {
        throw new Error('the storage is away')
      },
    }
    await sweep(afterGrace, away)
    expect([await filesStored(), await left(sent.file), await read(sent.url)]).toEqual([before, { rows: 0, removals: 1 }, 404])
    await sweep(afterGrace + limits.mediaRemovalDelayMsMax)
    expect([await filesStored(), await left(sent.file)]).toEqual([before - 1, { rows: 0, removals: 0 }])
  })
})
