import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closedOnTheWay } from '../../src/platform/database/bundled/run-as.ts'
import { apiOf } from '../support/processes/api.ts'
import { newDataDir, postmasterOf, removeDataDirs } from '../support/processes/data-dir.ts'
import { type GatewayProcess, startGatewayProcess, startRefused, stopMsMax } from '../support/processes/gateway-process.ts'
import { endPrograms, projectRoot } from '../support/processes/program.ts'
import { readWelcome, type Welcome } from '../support/processes/welcome.ts'

const isRoot = process.getuid?.() === 0
const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }
/** A process that only says no. Starting Node alone takes a second or two on a loaded machine. */
const refusedMsMax = 30_000
const stopped = { code: 0, signal: null }

// The first gateway belongs to an ordinary user and the second to root, whose home nobody else may enter. Without root, or where
// the project itself lies in such a home, both belong to whoever runs the tests.
const ordinary = isRoot && (await closedOnTheWay(projectRoot, nobody)) === null ? nobody : undefined

describe('two gateways side by side', { timeout: 120_000 }, () => {
  let first: { dataDir: string; gateway: GatewayProcess; welcome: Welcome }
  let second: typeof first
  let before: unknown

  beforeAll(async () => {
    const [one, two] = [await newDataDir(ordinary ?? 'open'), await newDataDir('closed')]
    ;[first, second] = await Promise.all([start(one, ordinary), start(two)])
  }, 120_000)
  afterAll(async () => {
    await endPrograms()
    await removeDataDirs()
  })

  test('each has its own address, database and network', async () => {
    expect(first.welcome.url).not.toBe(second.welcome.url)
    expect((await firstMessages(first)).status).toBe(200)
    expect((await firstMessages(second)).status).toBe(200)
    // The key of one opens nothing at the other.
    expect((await apiOf(first.gateway.url, second.welcome.liveKey ?? '').get('/v1/messages')).status).toBe(401)
  })

  test.skipIf(ordinary === undefined)(
    'one of an ordinary user leaves nothing that belongs to root (needs root, to become another user)',
    async () => {
      for (const path of ['', 'postgres', 'secret-key', 'sandbox.json'])
        expect((await stat(join(first.dataDir, path))).uid).toBe(nobody.uid)
    },
  )

  test('a second gateway on the same data directory says so in one sentence, and the first goes on', async () => {
    const refused = await startRefused({ DATA_DIR: first.dataDir }, ordinary)
    expect(refused).toMatchObject({ code: 1, printed: '' })
    expect(refused.words).toMatch(/^Another gateway is running on [^\n]+\.$/)
    expect(refused.ms).toBeLessThan(refusedMsMax)
    expect((await firstMessages(first)).status).toBe(200)
  })

  test('a port that is taken is told in a sentence, and nothing is left running', async () => {
    before = (await firstMessages(second)).body
    expect(await second.gateway.program.end('SIGINT', stopMsMax)).toEqual(stopped)
    const refused = await startRefused({ DATA_DIR: second.dataDir, PORT: new URL(first.gateway.url).port })
    expect(refused.code).toBe(1)
    expect(refused.words).toMatch(/^The port \d+ is taken by another program\. Set PORT [^\n]+$/)
    expect(await postmasterOf(second.dataDir)).toBeNull()
    const { graphUrl } = JSON.parse(await readFile(join(second.dataDir, 'sandbox.json'), 'utf8'))
    await expect(apiOf(graphUrl, '').get('/_sim')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('in a closed home the data lie elsewhere, and are found again at the next start', async () => {
    second.gateway = await startGatewayProcess({ DATA_DIR: second.dataDir })
    expect((await firstMessages(second)).body).toEqual(before)
    if (isRoot) expect(await realpath(join(second.dataDir, 'postgres'))).not.toContain(second.dataDir)
    const ends = [first, second].map((each) => each.gateway.program.end('SIGTERM', stopMsMax))
    expect(await Promise.all(ends)).toEqual([stopped, stopped])
  })

  async function start(dataDir: string, user?: { uid: number; gid: number }) {
    const gateway = await startGatewayProcess({ DATA_DIR: dataDir }, user)
    return { dataDir, gateway, welcome: readWelcome(gateway.program.stdout()) }
  }

  const firstMessages = ({ gateway, welcome }: typeof first) => apiOf(gateway.url, welcome.liveKey ?? '').get('/v1/messages')
})

describe('a start that is refused', { timeout: 60_000 }, () => {
  afterAll(async () => {
    await endPrograms()
    await removeDataDirs()
  })

  test('on the data of another PostgreSQL: says which, what to do, and leaves them as they are', async () => {
    const dataDir = await newDataDir()
    await mkdir(join(dataDir, 'postgres'), { recursive: true })
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    const refused = await startRefused({ DATA_DIR: dataDir })
    expect(refused.code).toBe(1)
    expect(refused.words).toMatch(
      /^The data in [^\n]+ was written by PostgreSQL 17, and this gateway brings PostgreSQL 18\. [^\n]*DATABASE_URL\.$/,
    )
    expect(await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')).toBe('17\n')
  })

  test('with wrong settings: names every mistake at once, and touches nothing', async () => {
    const dataDir = await newDataDir()
    const refused = await startRefused({
      DATA_DIR: dataDir,
      PORT: 'eighty',
      META_GRAPH_VERSION: '25',
      ROLES: 'api,janitor',
      DATABASE_URL: 'mysql://localhost/pombo',
      SECRET_KEY: 'short',
      METRICS_TOKEN_FILE: join(dirname(dataDir), 'missing'),
      UPSTREAM: 'meta',
    })
    expect(refused.code).toBe(1)
    for (const name of ['PORT', 'META_GRAPH_VERSION', 'ROLES', 'DATABASE_URL', 'SECRET_KEY', 'METRICS_TOKEN', 'META_APP_SECRET']) {
      expect(refused.words).toMatch(new RegExp(`^ +${name} `, 'm'))
    }
    expect(refused.words.split('\n')).toHaveLength(8)
    await expect(stat(dataDir)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('with a database that does not answer: one sentence, without a password', async () => {
    const silent = createServer((socket) => socket.destroy())
    const port = await listening(silent)
    const refused = await startRefused({
      DATA_DIR: await newDataDir(),
      DATABASE_URL: `postgresql://pombo:s3cret-word@127.0.0.1:${port}/pombo`,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    })
    silent.close()
    expect(refused.code).toBe(1)
    expect(refused.words).toMatch(/^The database cannot be used: [^\n]+ Check DATABASE_URL, [^\n]+\.$/)
    expect(refused.words + refused.printed).not.toContain('s3cret-word')
  })
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
