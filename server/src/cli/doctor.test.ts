import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase, urlOf } from '../../test/support/database.ts'
import { runPombo, runPomboHere } from '../../test/support/run-pombo.ts'
import { sql } from '../../test/support/stage.ts'
import { newUuid } from '../base/id.ts'
import type { Check } from './check.ts'

let own: TestDatabase
let dataDir: string
let env: Record<string, string>

beforeAll(async () => {
  own = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'pombo-doctor-'))
  env = { DATABASE_URL: urlOf(own.connection), SECRET_KEY: Buffer.alloc(32, 1).toString('base64'), DATA_DIR: dataDir, PORT: '0' }
})
afterAll(async () => {
  await own.close()
  await rm(dataDir, { recursive: true })
})

async function examined(change: Record<string, string> = {}) {
  const { code, stdout } = await runPomboHere(['doctor', '--json'], { ...env, ...change })
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Check[] }
  return { code, ok, checks, problems: checks.filter((check) => !check.ok) }
}

/** Something that listens on loopback and answers /ready like this. */
async function answering(status: number, body: unknown) {
  const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(body)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: String((server.address() as AddressInfo).port), close: () => server.close() }
}

describe('doctor', () => {
  test('finds nothing wrong with a sound installation, and exits with 0', async () => {
    const found = await examined()
    expect(found).toMatchObject({ code: 0, ok: true, problems: [] })
    const names = found.checks.map((check) => check.name)
    for (const name of ['configuration', 'data directory', 'disk', 'gateway', 'database', 'migrations', 'clock', 'notices', 'channels'])
      expect(names).toContain(name)
  })

  test('says that items of notices lie set aside, and that notices wait for longer than they should', async () => {
    const at = new Date(Date.now() - 120_000)
    const id = newUuid(at)
    await sql(
      own.database,
      `insert into notice_set_aside (id, inbox_id, field, reason, created_at) values ($1, $1, 'message', 'boom', $2)`,
      [id, at],
    )
    expect((await examined()).problems).toMatchObject([
      { name: 'notices', message: expect.stringContaining('1 items'), advice: expect.stringContaining('notices list') },
    ])
    await sql(own.database, 'delete from notice_set_aside')
    await sql(own.database, `insert into inbox (id, livemode, body, due_at, received_at) values ($1, true, '', $2, $2)`, [id, at])
    expect((await examined()).problems).toMatchObject([{ name: 'notices', message: expect.stringMatching(/oldest for 1[2-9]\d s/) }])
    await sql(own.database, 'delete from inbox')
  })

  test('names every mistake of the configuration and what to do', async () => {
    const found = await examined({ PORT: 'x', UPSTREAM: 'y' })
    expect(found.code).toBe(1)
    expect(found.problems.map((check) => check.message.split(' ')[0])).toEqual(['PORT', 'UPSTREAM'])
    expect(found.problems.every((check) => check.advice !== null)).toBe(true)
  })

  test('says that the database cannot be reached', async () => {
    const found = await examined({ DATABASE_URL: 'postgresql://u@127.0.0.1:1/x' })
    expect(found).toMatchObject({ code: 1, problems: [{ name: 'database', advice: expect.stringContaining('DATABASE_URL') }] })
  })

  test('says that migrations are missing', async () => {
    const found = await examined({ DATABASE_URL: urlOf({ ...own.connection, database: 'postgres' }) })
    expect(found.problems.map((check) => check.name)).toEqual(['migrations'])
  })

  test('tells a gateway that is ready, one that is not, and a stranger on its port apart', async () => {
    for (const [status, body, words, ok] of [
      [200, { status: 'ready', checks: { database: { ok: true } } }, 'is ready', true],
      [
        503,
        { status: 'not_ready', checks: { database: { ok: false, note: 'away' }, files: { ok: true } } },
        'not ready: database (away)',
        false,
      ],
      [200, { hello: 'world' }, 'Something else', false],
    ] as const) {
      const listener = await answering(status, body)
      const gateway = (await examined({ PORT: listener.port })).checks.find((check) => check.name === 'gateway')
      listener.close()
      expect(gateway?.message).toContain(words)
      expect(gateway?.ok).toBe(ok)
    }
  })

  test('knows what Meta needs beyond valid settings', async () => {
    const meta = { UPSTREAM: 'meta', META_APP_SECRET: 's' }
    expect((await examined(meta)).problems).toMatchObject([{ name: 'upstream', message: expect.stringContaining('META_VERIFY_TOKEN') }])
    const withToken = await examined({ ...meta, META_VERIFY_TOKEN: 'v' })
    expect(withToken.problems).toMatchObject([{ name: 'upstream', message: expect.stringContaining('PUBLIC_URL') }])
    expect((await examined({ ...meta, META_VERIFY_TOKEN: 'v', PUBLIC_URL: 'https://gateway.example' })).problems).toEqual([])
  })

  test('without --json prints a line for each part, and what to do below a problem', async () => {
    const { code, stdout } = await runPombo(['doctor'], { ...env, DATABASE_URL: 'postgresql://u@127.0.0.1:1/x' })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ok +disk /m)
    expect(stdout).toMatch(/^PROBLEM +database .*\n +→ Check DATABASE_URL/m)
  })
})
