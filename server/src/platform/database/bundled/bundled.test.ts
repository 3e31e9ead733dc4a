import { execFile, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import {
  appendFile,
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../base/clock.ts'
import { packagedFolder, usableBinaries } from './binaries.ts'
import type { BundledConnection } from './connection.ts'
import { findRunningPostgres } from './find-running.ts'
import type { BundledObservation } from './observation.ts'
import { readPidFile } from './pid-file.ts'
import { processState } from './process-state.ts'
import { chooseRunAs } from './run-as.ts'
import { type BundledPostgres, startBundledPostgres } from './start.ts'

const run = promisify(execFile)
const clock = systemClock()
const isRoot = process.getuid?.() === 0
const gatewayScript = fileURLToPath(new URL('../../../../test/support/bundled-postgres-process.ts', import.meta.url))

/** What a test has started; all of it is gone when the test ends, however it ends. */
const folders: string[] = []
const servers: BundledPostgres[] = []
const pids: number[] = []
const dataDirs: string[] = []

/**
 * An initialised data directory. Tests that leave it stopped and as it was use it as it is, the others a copy: either a new one or
 * a copy takes about a second.
 */
let shared = ''
let sharedFolder = ''

beforeAll(async () => {
  sharedFolder = await realpath(await mkdtemp(join(tmpdir(), 'pombo-bundled-')))
  await chmod(sharedFolder, 0o755)
  shared = join(sharedFolder, 'data')
  const server = await startBundledPostgres({ clock, observe: () => {} }, { dataDir: shared, settings: { fsync: 'off' } })
  await query(server.connection, `create table kept (word text); insert into kept values ('pigeon')`)
  await server.stop()
})

afterAll(() => rm(sharedFolder, { recursive: true, force: true }))

afterEach(async () => {
  await Promise.all(servers.splice(0).map((each) => each.stop()))
  for (const pid of pids.splice(0)) await killAndWait(pid)
  for (const dataDir of dataDirs.splice(0)) await killServerOf(join(dataDir, 'postgres'))
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

describe('the first start', () => {
  test('makes the database, and the next start keeps what was written', async () => {
    const dataDir = join(await folder(), 'data')
    const first = await start(dataDir)
    await query(first.server.connection, `create table note (body text); insert into note values ('coo')`)
    await first.server.stop()
    const second = await start(dataDir)
    expect(await query(second.server.connection, 'select body from note')).toEqual([{ body: 'coo' }])
    expect(first.kinds()).toEqual(['postgres_initialised', 'postgres_started', 'postgres_stopped'])
    expect(second.kinds()).toEqual(['postgres_started'])
  })

  test('leaves nothing behind that other users could enter', async () => {
    const dataDir = join(await folder(), 'data')
    const { server } = await start(dataDir)
    expect((await stat(server.dataDirectory)).mode & 0o777).toBe(0o700)
    // As root the server's user passes through it; nobody but root lists it.
    expect((await stat(dataDir)).mode & 0o777).toBe(isRoot ? 0o711 : 0o700)
    expect((await stat(join(dataDir, 'postgres.log'))).mode & 0o777).toBe(0o600)
    const [setting] = await query(server.connection, `select current_setting('listen_addresses') as tcp, current_setting('fsync') as fsync`)
    expect(setting).toEqual({ tcp: '', fsync: 'off' })
  })

  test('cuts a log above 10 MB', async () => {
    const log = join(shared, 'postgres.log')
    await truncate(log, 11 * 1024 * 1024)
    await start(shared)
    expect((await stat(log)).size).toBeLessThan(10_000)
    expect(await readFile(log, 'utf8')).toContain('ready to accept connections')
  })

  test('that was killed in the middle of initialising is begun again', async () => {
    const dataDir = join(await folder(), 'data')
    const gateway = await spawnGateway(dataDir)
    await appears(dataDir, /^postgres\.new-/)
    // The whole group: initdb dies with its gateway, as in a power cut.
    process.kill(-gateway.pid, 'SIGKILL')
    await gateway.exited
    expect(await readdir(dataDir)).not.toContain('postgres')
    const { server } = await start(dataDir)
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log'])
  })
})

describe('a gateway that was killed', () => {
  test('leaves its server running, and the next gateway adopts it', async () => {
    const gateway = await spawnGateway(shared)
    const started = await gateway.told('postgres_started')
    await gateway.told('ready')
    process.kill(gateway.pid, 'SIGKILL')
    await gateway.exited
    const { server, observations } = await start(shared)
    expect(server.adopted).toBe(true)
    expect(observations).toEqual([{ kind: 'postgres_adopted', pid: started.pid }])
    expect(await readPidFile(server.dataDirectory)).toEqual({ kind: 'serving', pid: started.pid })
    expect(await query(server.connection, 'select word from kept')).toEqual([{ word: 'pigeon' }])
    await server.stop()
    expect(await processState(Number(started.pid))).not.toBe('alive')
  })

  test('together with its server is followed by one that recovers', async () => {
    const gateway = await spawnGateway(shared)
    const started = await gateway.told('postgres_started')
    await gateway.told('ready')
    process.kill(gateway.pid, 'SIGKILL')
    process.kill(Number(started.pid), 'SIGKILL')
    await gateway.exited
    const { server } = await start(shared)
    expect(server.adopted).toBe(false)
    expect(await query(server.connection, 'select word from kept')).toEqual([{ word: 'pigeon' }])
  })

  test('gives its adopted server back when that one is killed too', async () => {
    const gateway = await spawnGateway(shared)
    const started = await gateway.told('postgres_started')
    await gateway.told('ready')
    process.kill(gateway.pid, 'SIGKILL')
    await gateway.exited
    const { server, seen } = await start(shared)
    process.kill(Number(started.pid), 'SIGKILL')
    await seen('postgres_started')
    expect(await query(server.connection, 'select word from kept')).toEqual([{ word: 'pigeon' }])
  })
})

describe('a server that dies', () => {
  test('comes back by itself, each time, on the same connection and with its data', async () => {
    const { server, observations, seen } = await start(await copied())
    for (const round of [1, 2, 3]) {
      await query(server.connection, `insert into kept values ('round ${round}')`)
      const started = observations.findLast((each) => each.kind === 'postgres_started')
      const back = seen('postgres_started')
      process.kill(started?.pid ?? 0, 'SIGKILL')
      await back
    }
    expect(await query(server.connection, 'select count(*)::int as n from kept')).toEqual([{ n: 4 }])
    expect(observations.filter((each) => each.kind === 'postgres_ended')).toEqual(
      Array(3).fill({ kind: 'postgres_ended', code: null, signal: 'SIGKILL' }),
    )
  })

  test('can be stopped while it cannot come back, and is retried until then', async () => {
    const { server, observations, seen } = await start(await copied())
    const started = observations.find((each) => each.kind === 'postgres_started')
    await rename(server.dataDirectory, `${server.dataDirectory}.away`)
    const failed = seen('postgres_start_failed', 2)
    process.kill(started?.pid ?? 0, 'SIGKILL')
    await failed
    await server.stop()
    // An empty database must never take the place of a missing one.
    expect(await lstat(server.dataDirectory).catch(() => null)).toBe(null)
  })
})

describe('one gateway for a data directory', () => {
  test('a second one is refused at once, and only while the first lives', async () => {
    const gateway = await spawnGateway(shared)
    await gateway.told('ready')
    await expect(start(shared)).rejects.toMatchObject({ code: 'in_use', message: expect.stringContaining('Another gateway is running') })
    gateway.end()
    await gateway.told('stopped')
    await gateway.exited
    const { server } = await start(shared)
    expect(server.adopted).toBe(false)
  })

  test('a server that answers on the socket but is no process of ours is left alone', async () => {
    const socketPath = join(shared, 'postgres', '.s.PGSQL.5432')
    const foreign = createServer((socket) => socket.destroy()).listen(socketPath)
    await once(foreign, 'listening')
    await expect(start(shared)).rejects.toMatchObject({ code: 'in_use', message: expect.stringContaining('another container') })
    foreign.close()
    await once(foreign, 'close')
  })

  test('the operator finds the running server, and null where none runs', async () => {
    expect(await findRunningPostgres({ clock }, join(shared, 'missing'))).toBe(null)
    expect(await findRunningPostgres({ clock }, shared)).toBe(null)
    const { server } = await start(shared)
    expect(await findRunningPostgres({ clock }, shared)).toEqual(server.connection)
    await server.stop()
    expect(await findRunningPostgres({ clock }, shared)).toBe(null)
  })

  test('two gateways run side by side on two data directories', async () => {
    // Copied while no server runs on it, or its files come and go under the copy.
    const copy = await copied()
    const [one, two] = await Promise.all([start(shared), start(copy)])
    await query(two.server.connection, `insert into kept values ('only here')`)
    expect(await query(one.server.connection, 'select word from kept')).toEqual([{ word: 'pigeon' }])
  })
})

describe('a pid file that lies', () => {
  test('naming a living program of another kind is removed', async () => {
    const runAs = await chooseRunAs()
    // Of the same user as the server, or PostgreSQL would not believe the file in the first place.
    const sleeper = spawn('sleep', ['600'], { ...(runAs === null ? {} : { uid: runAs.uid, gid: runAs.gid }), cwd: '/' })
    await once(sleeper, 'spawn')
    pids.push(sleeper.pid ?? 0)
    await writePidFile(shared, sleeper.pid ?? 0)
    const { observations } = await start(shared)
    expect(observations[0]).toEqual({ kind: 'postgres_stale_pid_file_removed', pid: sleeper.pid })
    expect(await processState(sleeper.pid ?? 0)).toBe('alive')
  })

  test.skipIf(process.platform !== 'linux')('naming a zombie is removed', async () => {
    // The program that has replaced the shell knows nothing of the shell's child, and never asks how it ended.
    const parent = spawn('sh', ['-c', 'sleep 600 & exec sh -c "echo $!; exec cat"'])
    pids.push(parent.pid ?? 0)
    const [line] = await once(parent.stdout, 'data')
    const zombie = Number(String(line))
    // Until `cat` answers, a shell is there that would reap the child.
    parent.stdin.write('coo\n')
    await once(parent.stdout, 'data')
    process.kill(zombie, 'SIGKILL')
    while ((await processState(zombie)) === 'alive') await new Promise(setImmediate)
    await writePidFile(shared, zombie)
    const { observations } = await start(shared)
    expect(observations[0]).toEqual({ kind: 'postgres_stale_pid_file_removed', pid: zombie })
  })

  test('naming the server of another data directory is removed, and that server left alone', async () => {
    const other = await start(await copied())
    const started = other.observations.find((each) => each.kind === 'postgres_started')
    await writePidFile(shared, started?.pid ?? 0)
    const { server, observations } = await start(shared)
    expect(server.adopted).toBe(false)
    expect(observations[0]).toEqual({ kind: 'postgres_stale_pid_file_removed', pid: started?.pid })
    expect(await query(other.server.connection, 'select word from kept')).toEqual([{ word: 'pigeon' }])
  })

  test('because it was cut off is removed', async () => {
    await writeFile(join(shared, 'postgres', 'postmaster.pid'), '')
    const { server } = await start(shared)
    expect(server.adopted).toBe(false)
  })
})

describe('a data directory that cannot be served', () => {
  test('of another major version is refused and left as it is', async () => {
    const dataDir = await holding('PG_VERSION', '17\n')
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'other_major_version',
      message: expect.stringMatching(/written by PostgreSQL 17.* brings PostgreSQL 18\. .*DATABASE_URL\.$/),
    })
    expect(await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')).toBe('17\n')
  })

  test('with files that are no database is refused and left as it is', async () => {
    const dataDir = await holding('thesis.txt', 'x')
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'not_ours' })
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['thesis.txt'])
  })

  test('with a configuration that PostgreSQL refuses is told in its words, at once', async () => {
    const dataDir = await copied()
    await appendFile(join(dataDir, 'postgres', 'postgresql.conf'), 'max_wombats = 3\n')
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'cannot_run', message: expect.stringContaining('max_wombats') })
  })

  test('behind a link to nowhere is not replaced by an empty database', async () => {
    const dataDir = await folder()
    await symlink(join(shared, 'postgres'), join(dataDir, 'postgres'))
    const { server } = await start(dataDir)
    expect(server.dataDirectory).toBe(join(shared, 'postgres'))
    await server.stop()
    await rm(join(dataDir, 'postgres'))
    await symlink(join(dataDir, 'unmounted'), join(dataDir, 'postgres'))
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'cannot_run', message: expect.stringContaining('is missing') })
  })
})

describe('where it runs', () => {
  test('a path longer than a socket address may be', async () => {
    const dataDir = join(await folder(), 'a'.repeat(80), 'b'.repeat(80), 'data')
    await mkdir(dirname(dataDir), { recursive: true })
    await copy(shared, dataDir)
    const { server, observations, seen } = await start(dataDir)
    expect(await query(server.connection, 'select word from kept')).toEqual([{ word: 'pigeon' }])
    const found = await findRunningPostgres({ clock }, dataDir)
    expect(found === null ? null : await query(found, 'select word from kept')).toEqual([{ word: 'pigeon' }])
    // The short form of the address must outlive a crash as well.
    const started = observations.find((each) => each.kind === 'postgres_started')
    const back = seen('postgres_started')
    process.kill(started?.pid ?? 0, 'SIGKILL')
    await back
    expect(await query(server.connection, 'select word from kept')).toEqual([{ word: 'pigeon' }])
  })

  test.skipIf(!isRoot)('as an ordinary user (needs root, to become one)', async () => {
    const [uid, gid] = [65_534, 65_534]
    const home = await folder()
    await chown(home, uid, gid)
    const gateway = await spawnGateway(join(home, 'data'), { uid, gid })
    const ready = await gateway.told('ready')
    expect((await stat(String(ready.dataDirectory))).uid).toBe(uid)
    gateway.end()
    await gateway.told('stopped')
  })

  test.skipIf(!isRoot)('a closed home keeps its data elsewhere, and finds it again after a move (needs root)', async () => {
    const closed = await folder()
    await chmod(closed, 0o700)
    const first = await start(join(closed, 'data'))
    folders.push(dirname(first.server.dataDirectory))
    expect(first.server.dataDirectory).toMatch(/^\/var\/lib\/pombo\/[0-9a-f]{16}\/postgres$/)
    await query(first.server.connection, 'create table moved ()')
    await first.server.stop()
    await rename(join(closed, 'data'), join(closed, 'renamed'))
    const second = await start(join(closed, 'renamed'))
    expect(second.server.dataDirectory).toBe(first.server.dataDirectory)
    expect(await query(second.server.connection, 'select * from moved')).toEqual([])
  })

  test.skipIf(!isRoot)('data that has become unreachable is not replaced by an empty database (needs root)', async () => {
    const dataDir = await holding('PG_VERSION', '18\n')
    await chmod(dirname(dataDir), 0o700)
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'cannot_run',
      message: expect.stringContaining(`chmod o+x ${dirname(dataDir)}`),
    })
  })

  test('binaries without their links, or out of reach, are copied to where they run', async () => {
    const closed = await folder()
    const home = join(await folder(), 'home')
    await mkdir(home)
    // What the server needs to say its version: a thousand small files less to copy.
    const wanted = async (path: string) => !/\/(share|postgresql)$/.test(path) && !(await lstat(path)).isSymbolicLink()
    await cp(join(packagedFolder(), '..'), closed, { recursive: true, filter: wanted })
    if (isRoot) await chmod(closed, 0o700)
    const runAs = await chooseRunAs()
    const binaries = await usableBinaries(join(closed, 'native'), home, runAs)
    expect(dirname(binaries)).toBe(home)
    const user = runAs === null ? {} : { uid: runAs.uid, gid: runAs.gid }
    const { stdout } = await run(join(binaries, 'bin', 'postgres'), ['--version'], { ...user, cwd: '/', env: {} })
    expect(stdout).toContain('PostgreSQL) 18')
  })
})

/** Starts a server in this process. `seen` resolves once `count` further observations of a kind have been made. */
async function start(dataDir: string) {
  const observations: BundledObservation[] = []
  const waiting: { kind: string; count: number; done: () => void }[] = []
  const observe = (observation: BundledObservation) => {
    observations.push(observation)
    for (const each of waiting) if (each.kind === observation.kind && --each.count === 0) each.done()
  }
  const seen = (kind: BundledObservation['kind'], count = 1) => new Promise<void>((done) => waiting.push({ kind, count, done }))
  dataDirs.push(dataDir)
  const server = await startBundledPostgres({ clock, observe }, { dataDir, settings: { fsync: 'off' } })
  servers.push(server)
  return { server, observations, seen, kinds: () => observations.map((each) => each.kind) }
}

/** Starts a server under a process of its own. `told` resolves to the next line of a kind. */
async function spawnGateway(dataDir: string, user: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [gatewayScript, dataDir], { ...user, cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = on(createInterface(child.stdout), 'line', { close: ['close'] })
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  pids.push(pid)
  dataDirs.push(dataDir)
  const told = async (kind: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error(`the gateway ended without telling "${kind}"`)
      const line = JSON.parse(String(value[0])) as Record<string, unknown>
      if (line.kind === kind) return line
      if (line.kind === 'refused') throw new Error(String(line.message))
    }
  }
  return { pid, exited, told, end: () => child.stdin.end() }
}

/** A temporary folder that the server's user can pass through. */
async function folder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'pombo-bundled-')))
  await chmod(path, 0o755)
  folders.push(path)
  return path
}

/** A gateway's directory whose data directory holds one file. */
async function holding(name: string, text: string): Promise<string> {
  const dataDir = join(await folder(), 'data')
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  await writeFile(join(dataDir, 'postgres', name), text)
  return dataDir
}

async function copied(): Promise<string> {
  const dataDir = join(await folder(), 'data')
  await copy(shared, dataDir)
  return dataDir
}

/** With owners and modes, which Node's own copy does not keep. */
const copy = (from: string, to: string) => run('cp', ['-a', from, to])

async function query(connection: BundledConnection, sql: string): Promise<unknown[]> {
  const client = new Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function writePidFile(dataDir: string, pid: number): Promise<void> {
  const dataDirectory = join(dataDir, 'postgres')
  await writeFile(join(dataDirectory, 'postmaster.pid'), `${pid}\n${dataDirectory}\n1780000000\n5432\n.\n\n  1 1\nready   \n`)
}

/** Resolves once a name that matches stands in the directory, which may not exist yet itself. */
async function appears(directory: string, name: RegExp): Promise<void> {
  while (!(await readdir(directory).catch(() => [])).some((each) => name.test(each))) await new Promise(setImmediate)
}

/** Whatever a test left running there, also when it failed half-way. */
async function killServerOf(dataDirectory: string): Promise<void> {
  const found = await readPidFile(dataDirectory)
  if (found.kind === 'serving' || found.kind === 'stopping') await killAndWait(found.pid)
}

async function killAndWait(pid: number): Promise<void> {
  if (pid <= 0 || (await processState(pid)) !== 'alive') return
  process.kill(pid, 'SIGKILL')
  while ((await processState(pid)) === 'alive') await new Promise(setImmediate)
}
