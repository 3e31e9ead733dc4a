import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { png } from '../../../test/support/files.ts'
import { refuseInDatabase } from '../../../test/support/notice-stage.ts'
import { newStage, person, type Stage, secretKey, sql } from '../../../test/support/stage.ts'
import { type ManualClock, manualClock, pause } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { createUnsealer } from '../../base/seal.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { createTemporaryFiles } from '../../platform/storage/temporary-files.ts'
import type { DownloadOutcome } from '../../platform/upstream/download.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { type FetchFileDeps, fetchFile } from './fetch-file.ts'
import type { DueFetch } from './file-fetch.ts'
import { cancelFetches, findDueFetches, queueFileFetches } from './file-fetch-store.ts'
import { startFiles } from './file-lanes.ts'
import { createInboundQuota } from './inbound-quota.ts'
import { retryFile } from './retry-file.ts'

const allShards = Array.from({ length: 256 }, (_, i) => i)
let own: TestDatabase
let clock: ManualClock
let stage: Stage
let folder: string
let storage: Storage
beforeAll(async () => {
  own = await testDatabase()
  folder = await mkdtemp(join(tmpdir(), 'pombo-fetch-'))
  storage = await openStorage({ clock: manualClock('2026-01-01T00:00:00Z') }, { bucket: null, directory: join(folder, 'files') })
})
afterAll(async () => {
  storage.close()
  await own.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  // Today, because the test database has today's partitions.
  clock = manualClock(new Date().toISOString())
  stage = await newStage(own.database, clock)
})

let shades = 0
/** The platform, which answers every look-up, and whose downloads are those of the list; when it has run out, the last again. */
function platform(bytes: Buffer, outcomes: readonly (Exclude<DownloadOutcome, { kind: 'downloaded' }> | null)[] = [null]) {
  const sha256 = createHash('sha256').update(bytes).digest()
  const graph: Graph = {
    concurrentMax: 1,
    call: async () => ({
      kind: 'answer',
      statusCode: 200,
      body: JSON.stringify({
        url: 'https://lookaside.fbsbx.com/x',
        mime_type: 'image/png',
        sha256: sha256.toString('hex'),
        file_size: bytes.length,
      }),
    }),
    close: async () => {},
  }
  let n = 0
  const download: FetchFileDeps['downloads']['download'] = async ({ path }) => {
    const wrong = outcomes[Math.min(n, outcomes.length - 1)] ?? null
    n += 1
    if (wrong !== null) return wrong
    await writeFile(path, bytes)
    return { kind: 'downloaded', sizeBytes: bytes.length, sha256, mimeType: 'image/png' }
  }
  const deps: FetchFileDeps = {
    ...{ database: own.database, clock, observe: () => {}, graph, downloads: { download }, storage },
    temporaryFiles: createTemporaryFiles({ clock }, join(folder, 'temporary')),
    quota: createInboundQuota(clock),
    unseal: createUnsealer(secretKey),
    filesUrl: 'https://files.example',
  }
  return { deps, downloads: () => n }
}

/** A message of a person whose file is still upstream. */
async function received(text: string | null = 'A vitrine'): Promise<Uuid> {
  const contact = await person(own.database, clock, stage, `55119${String(80_000_000 + ++shades)}`)
  const id = newUuid(clock.now())
  const { accountId, channelId } = stage
  await sql(
    own.database,
    `insert into message (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, text, source, wamid)
    values ($1, $2, true, $3, $4, 'inbound', 'image', 'image', 'received', $5, 'chat', $6)`,
    [accountId, id, channelId, contact.id, text, `wamid.${id}`],
  )
  const fetch = {
    accountId,
    messageId: id,
    channelId,
    livemode: true,
    upstreamId: '1037',
    sha256: null,
    mimeType: 'image/png',
    fileName: null,
  }
  await own.database.transaction((tx) => queueFileFetches(tx, [{ ...fetch, kind: 'image' }], clock.now()))
  return id
}

const dueOf = async (most: number) => (await findDueFetches(own.database, { shards: allShards, fromShard: 0, now: clock.now(), most })).due
const due = async (id: Uuid): Promise<DueFetch | undefined> => (await dueOf(100)).find((each) => each.messageId === id)
const messageOf = async (id: Uuid) => {
  const [row] = await sql<{ media: string; text: string | null }>(own.database, 'select media, text from message where id = $1', [id])
  return { text: row?.text, media: JSON.parse(row?.media ?? 'null') }
}
const toldOf = async (id: Uuid) => {
  const rows = await sql<{ body: Buffer }>(own.database, "select body from event where type = 'message.received' and account_id = $1", [
    stage.accountId,
  ])
  return rows.map(({ body }) => JSON.parse(body.toString('utf8')).data).filter((each) => each.id === `msg_${id.replaceAll('-', '')}`)
}

// rule: receive 9
describe('a message with a file', () => {
  test('is told of once its file is here, with its permanent url', async () => {
    const bytes = png(5_000 + ++shades)
    const { deps } = platform(bytes)
    const id = await received()
    await fetchFile(deps, (await due(id)) as DueFetch)
    const [told, ...more] = await toldOf(id)
    expect(more).toEqual([])
    expect(told).toMatchObject({ text: 'A vitrine', media: { mime_type: 'image/png', file_name: null, size_bytes: bytes.length } })
    expect(told.media.url).toMatch(/^https:\/\/files\.example\/files\/[A-Za-z0-9_-]{43}\/file\.png$/)
    expect(await messageOf(id)).toMatchObject({ media: told.media })
    expect(await due(id)).toBeUndefined()
    expect(await readdir(join(folder, 'temporary'))).toEqual([])
  })

  // rule: media 7
  test('of a person whose day is used up is told at once without its file, and comes when the team asks for it', async () => {
    const { deps, downloads } = platform(png(5_000 + ++shades))
    const id = await received()
    const used = { ...deps, quota: { allows: () => false, add: () => {} } }
    await fetchFile(used, (await due(id)) as DueFetch)
    expect([await toldOf(id), downloads(), await due(id)]).toMatchObject([
      [{ text: expect.stringContaining('could not be fetched') }],
      0,
      undefined,
    ])
    await retryFile({ ...deps, wakeFiles: () => {} }, { accountId: stage.accountId, livemode: true, id })
    await fetchFile(used, (await due(id)) as DueFetch)
    expect([(await messageOf(id)).text, downloads()]).toEqual(['A vitrine', 1])
  })

  // rule: media 7
  test('waits while the disk is nearly full', async () => {
    const { deps, downloads } = platform(png(5_000 + ++shades))
    const id = await received()
    const full = { ...deps, temporaryFiles: createTemporaryFiles({ clock }, join(folder, 'temporary'), Number.MAX_SAFE_INTEGER) }
    await fetchFile(full, (await due(id)) as DueFetch)
    expect([await toldOf(id), downloads()]).toEqual([[], 0])
    clock.advance(60_000)
    await fetchFile(deps, (await due(id)) as DueFetch)
    expect(await toldOf(id)).toHaveLength(1)
  })

  test('that two processes fetch at the same time is told of once', async () => {
    const { deps } = platform(png(5_000 + ++shades))
    const id = await received()
    const fetch = (await due(id)) as DueFetch
    await Promise.all([fetchFile(deps, fetch), fetchFile(deps, fetch), fetchFile(deps, fetch)])
    expect(await toldOf(id)).toHaveLength(1)
  })

  // rule: files 4
  test('that is deleted while it is fetched leaves no file behind', async () => {
    const { deps } = platform(png(5_000 + ++shades))
    const id = await received()
    const fetch = (await due(id)) as DueFetch
    await own.database.transaction((tx) => cancelFetches(tx, [{ accountId: stage.accountId, id }]))
    await fetchFile(deps, fetch)
    const rows = await sql<{ hidden: boolean; due: boolean }>(
      own.database,
      `select gone_at is not null as hidden, exists (select from media_removal r where r.account_id = m.account_id and r.media_id = m.id) as due
      from media m where account_id = $1`,
      [stage.accountId],
    )
    expect([rows, (await messageOf(id)).media]).toEqual([[{ hidden: true, due: true }], null])
  })

  test('shares the bytes of an earlier one, and shows its own name', async () => {
    const bytes = png(5_000 + ++shades)
    const { deps } = platform(bytes)
    const [first, second] = [await received(), await received()]
    await fetchFile(deps, (await due(first)) as DueFetch)
    await fetchFile(deps, { ...((await due(second)) as DueFetch), fileName: 'outra.png' })
    const [a, b] = [await messageOf(first), await messageOf(second)]
    expect(b.media).toEqual({ ...a.media, file_name: 'outra.png' })
  })

  test.each<[string, Exclude<DownloadOutcome, { kind: 'downloaded' }>]>([
    ['a dead link', { kind: 'gone', statusCode: 404 }],
    ['other bytes than were announced', { kind: 'unavailable', because: 'its bytes are not those that were announced' }],
  ])('is tried again after %s, five seconds later, with a fresh link', async (_what, wrong) => {
    const { deps, downloads } = platform(png(5_000 + ++shades), [wrong, null])
    const id = await received()
    await fetchFile(deps, (await due(id)) as DueFetch)
    expect(await toldOf(id)).toEqual([])
    clock.advance(4_999)
    expect(await due(id)).toBeUndefined()
    clock.advance(1)
    await fetchFile(deps, (await due(id)) as DueFetch)
    expect([downloads(), (await toldOf(id)).length]).toEqual([2, 1])
  })

  test('goes out without it after ten tries within an hour, and says so', async () => {
    const { deps, downloads } = platform(png(1), [{ kind: 'unavailable', because: 'it answered 500' }])
    const [id, silent] = [await received(), await received(null)]
    const beganMs = clock.now().getTime()
    for (let i = 0; i < 10; i += 1) {
      const fetches = (await Promise.all([due(id), due(silent)])) as DueFetch[]
      for (const fetch of fetches) await fetchFile(deps, fetch)
      const next = await sql<{ next_at: Date }>(own.database, 'select next_at from file_fetch where message_id = $1', [id])
      if (i < 9) clock.advance((next[0]?.next_at.getTime() ?? 0) - clock.now().getTime())
    }
    expect(clock.now().getTime() - beganMs).toBe(3_600_000)
    expect(downloads()).toBe(20)
    const words = '(The file of this message could not be fetched from the platform.)'
    expect(await toldOf(id)).toMatchObject([{ media: null, text: `A vitrine\n${words}` }])
    expect(await toldOf(silent)).toMatchObject([{ media: null, text: words }])
    clock.advance(86_400_000)
    expect(await due(id)).toBeUndefined()
  })

  test('that was given up is fetched when somebody asks for it, and told no second time', async () => {
    const { deps } = platform(png(5_000 + ++shades), [
      ...Array.from({ length: 11 }, () => ({ kind: 'unavailable' as const, because: 'x' })),
      null,
    ])
    const id = await received()
    const again = () =>
      retryFile({ database: own.database, clock, wakeFiles: () => {} }, { accountId: stage.accountId, livemode: true, id })
    expect(await again()).toMatchObject({ ok: false, refusal: { code: 'conflict' } })
    const giveUp = async () => fetchFile(deps, { ...((await due(id)) as DueFetch), tries: 9 })
    for (let i = 0; i < 10; i += 1) {
      if (i < 9) await fetchFile(deps, { ...((await due(id)) as DueFetch), tries: i })
      else await giveUp()
      clock.advance(1_800_000)
    }
    const [told] = await toldOf(id)
    expect(await again()).toMatchObject({ ok: true })
    await giveUp()
    expect((await messageOf(id)).text).toBe(told.text)
    expect(await again()).toMatchObject({ ok: true })
    await fetchFile(deps, (await due(id)) as DueFetch)
    expect(await messageOf(id)).toMatchObject({ text: 'A vitrine', media: { mime_type: 'image/png' } })
    expect(await toldOf(id)).toHaveLength(1)
    expect(await again()).toMatchObject({ ok: false })
  })
})

test('an account with a thousand files to fetch hides nobody else’s', async () => {
  const { accountId, channelId } = stage
  for (let i = 0; i < 1_000; i += 1) {
    const fetch = { accountId, messageId: newUuid(clock.now()), channelId, livemode: true, upstreamId: '1', sha256: null, mimeType: null }
    await own.database.transaction((tx) => queueFileFetches(tx, [{ ...fetch, fileName: null, kind: 'image' }], clock.now()))
  }
  stage = await newStage(own.database, clock)
  const id = await received()
  const found = await dueOf(8)
  expect(found.filter((each) => each.accountId === accountId)).toHaveLength(8)
  expect(found.some((each) => each.messageId === id)).toBe(true)
})

describe('the fetching of files', () => {
  const until = (expectation: () => Promise<void> | void) =>
    vi.waitFor(
      async () => {
        clock.advance(20)
        await expectation()
      },
      { timeout: 20_000, interval: 2 },
    )

  const tried: string[] = []
  async function whileFetching(deps: FetchFileDeps, work: () => Promise<void>): Promise<void> {
    const files = startFiles({
      ...deps,
      observe: (each) => {
        if (each.kind === 'file.tried') tried.push(each.messageId.slice('msg_'.length))
      },
      wakeDeliveries: () => {},
      ownership: { owned: () => new Map(allShards.map((shard) => [shard, 1])) },
    })
    try {
      await work()
    } finally {
      let stopped = false
      const stopping = files.stop().finally(() => {
        stopped = true
      })
      await until(() => expect(stopped).toBe(true))
      await stopping
    }
  }

  beforeEach(() => sql(own.database, 'truncate file_fetch'))

  test('of one number without a usable token, or of one message that the database refuses, stops no other', async () => {
    const mend = await refuseInDatabase(own.database, {
      table: 'message',
      when: 'before update',
      body: "if new.text = 'poison' then raise exception 'boom'; end if;",
    })
    const poison = await received('poison')
    stage = await newStage(own.database, clock)
    await sql(own.database, 'update channel set token = $1 where id = $2', [Buffer.alloc(64, 3), stage.channelId])
    const locked = await received()
    stage = await newStage(own.database, clock)
    const good = [await received(), await received()]
    const { deps } = platform(png(9_000 + ++shades))
    const beganMs = clock.monotonicMs()
    await whileFetching(deps, async () => {
      await until(async () => {
        for (const id of good) expect((await messageOf(id)).media).not.toBeNull()
      })
      const tries = 'select tries from file_fetch where message_id = $1'
      await until(async () => {
        for (const id of [poison, locked])
          expect((await sql<{ tries: number }>(own.database, tries, [id]))[0]?.tries).toBeGreaterThanOrEqual(1)
      })
      // Also what comes afterwards is not held up.
      good.push(await received())
      await until(async () => expect((await messageOf(good[2] as Uuid)).media).not.toBeNull())
    })
    expect(clock.monotonicMs() - beganMs).toBeLessThan(20_000)
    expect((await messageOf(poison)).media).toBeNull()
    await mend()
  })

  test('goes in turns of accounts: with more of them than places, the last comes as often as the first', async () => {
    const accounts: Uuid[] = []
    for (let i = 0; i < 20; i += 1) {
      stage = await newStage(own.database, clock)
      accounts.push(stage.accountId)
      for (let n = 0; n < 4; n += 1) await received()
    }
    const { deps } = platform(png(9_000 + ++shades))
    tried.length = 0
    const slow: FetchFileDeps = {
      ...deps,
      downloads: {
        download: async (wanted) => {
          await pause(clock, 1_000)
          return deps.downloads.download(wanted)
        },
      },
    }
    await whileFetching(slow, () => until(() => expect(tried.length).toBeGreaterThanOrEqual(40)))
    const rows = await sql<{ account_id: Uuid; id: string }>(
      own.database,
      `select account_id, replace(id::text, '-', '') as id from message`,
    )
    const accountOf = new Map(rows.map((row) => [row.id, row.account_id]))
    const counts = accounts.map((each) => tried.slice(0, 40).filter((id) => accountOf.get(id) === each).length)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(1)
    expect(Math.max(...counts)).toBeLessThanOrEqual(3)
  })
})
