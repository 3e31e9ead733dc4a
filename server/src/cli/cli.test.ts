import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase, urlOf } from '../../test/support/database.ts'
import { runPombo, runPomboHere } from '../../test/support/run-pombo.ts'
import { sql } from '../../test/support/stage.ts'
import { systemClock } from '../base/clock.ts'
import { formatId, newUuid, parseId } from '../base/id.ts'
import { createKeyVerifier } from '../features/api-keys/public.ts'

let own: TestDatabase
let dataDir: string
let upstream: Server
let env: Record<string, string>

beforeAll(async () => {
  own = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'pombo-cli-'))
  upstream = await startUpstream()
  env = { DATABASE_URL: urlOf(own.connection), SECRET_KEY: Buffer.alloc(32, 1).toString('base64'), DATA_DIR: dataDir, PORT: '0' }
  await writeFile(join(dataDir, 'sandbox.json'), JSON.stringify({ graphUrl: addressOf(upstream), appSecret: 'x' }))
})
afterAll(async () => {
  await own.close()
  upstream.close()
  await rm(dataDir, { recursive: true })
})

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** Whether the WABA's notices go to our app, as upstream says. */
let subscribed = true

/** Meta as far as connecting a number needs it; the token `expired` is refused. */
async function startUpstream(): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.headers.authorization === 'Bearer expired') {
      response.writeHead(401).end(JSON.stringify({ error: { code: 190, message: 'Session has expired' } }))
    } else if (request.method === 'GET' && request.url?.includes('/phone_numbers')) {
      response.end(JSON.stringify({ data: [{ id: '555' }] }))
    } else if (request.method === 'GET' && request.url?.endsWith('/subscribed_apps')) {
      response.end(JSON.stringify({ data: subscribed ? [{ whatsapp_business_api_data: { id: '4177' } }] : [] }))
    } else if (request.method === 'GET') {
      response.end(JSON.stringify({ display_phone_number: '+55 11 91234-5678', status: 'CONNECTED', platform_type: 'CLOUD_API' }))
    } else response.end(JSON.stringify({ success: true }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Runs a command with --json and answers its one object. */
async function json(...args: string[]) {
  const ended = await runPomboHere([...args, '--json'], env)
  return { code: ended.code, stderr: ended.stderr, object: JSON.parse(ended.stdout) }
}

describe('the operator’s tool', () => {
  test('makes an account and a key that works, and shows the key once', async () => {
    await runPomboHere(['plan', 'set', 'silver', '--franchise', '500'], env)
    const account = await json('account', 'create', '--name', 'Padaria', '--plan', 'silver')
    expect(account.object).toMatchObject({ object: 'account', name: 'Padaria', plan: 'silver', suspended_at: null })
    const key = await json('key', 'create', '--account', account.object.id, '--test', '--scopes', 'messages:send')
    expect(key.object).toMatchObject({ object: 'api_key', account_id: account.object.id, livemode: false, scopes: ['messages:send'] })
    const verifier = createKeyVerifier({ database: own.database, clock: systemClock() })
    expect(await verifier.verify(key.object.key)).toMatchObject({ livemode: false })

    const list = await runPomboHere(['key', 'list', '--account', account.object.id], env)
    expect(list.stdout).toContain(key.object.id)
    expect(list.stdout).not.toContain(key.object.key)

    expect((await json('key', 'revoke', key.object.id)).object.revoked_at).not.toBeNull()
    expect(await verifier.verify(key.object.key)).toBeNull()
    await verifier.close()
  })

  test('lets somebody into an account, lists them, makes links that are good once, and takes them out but for the last owner', async () => {
    const account = await json('account', 'create', '--name', 'Padaria')
    const given = ['--account', account.object.id, '--email', 'Ana@Example.com']
    const made = await json('user', 'create', ...given, '--name', 'Ana')
    expect(made).toMatchObject({ code: 0, object: { object: 'user', email: 'ana@example.com', name: 'Ana', role: 'owner' } })
    expect(made.object.link).toMatch(/^http:\/\/localhost:0\/sign-in\/link#[A-Za-z0-9_-]{43}$/)
    expect(Date.parse(made.object.link_expires_at) - Date.now()).toBeGreaterThan(23 * 3_600_000)
    // Once more only makes another link.
    expect((await json('user', 'create', ...given, '--role', 'viewer')).object).toMatchObject({ id: made.object.id, role: 'owner' })
    expect(
      (await json('user', 'create', '--account', account.object.id, '--email', 'eva@example.com', '--role', 'agent')).object.name,
    ).toBe('eva')

    const link = await json('user', 'link', '--email', 'ana@example.com')
    expect(link.object.link).toMatch(/#[A-Za-z0-9_-]{43}$/)
    expect(link.object.link).not.toBe(made.object.link)
    const list = await json('user', 'list', '--account', account.object.id)
    expect(list.object.data).toMatchObject([
      { account_id: account.object.id, email: 'ana@example.com', role: 'owner', two_factor: false },
      { email: 'eva@example.com', role: 'agent' },
    ])
    expect((await runPomboHere(['user', 'list'], env)).stdout).toContain('ana@example.com')

    expect((await json('user', 'remove', ...given)).object.error.code).toBe('conflict')
    expect((await json('user', 'remove', '--account', account.object.id, '--email', 'eva@example.com')).code).toBe(0)
    expect((await json('user', 'list', '--account', account.object.id)).object.data).toHaveLength(1)
  })

  test.each([
    [['user', 'create', '--account', 'ID', '--email', 'nobody'], 'email'],
    [['user', 'create', '--account', 'ID', '--email', 'a@example.com', '--role', 'king'], 'role'],
    [['user', 'create', '--account', 'ID', '--email', 'a@example.com', '--name', 'x'.repeat(121)], 'name'],
    [['user', 'create', '--account', 'ID'], 'email'],
    [['user', 'link'], 'email'],
  ])('%j is refused and names its mistake: %s', async (args, field) => {
    const account = await json('account', 'create', '--name', 'Padaria')
    const refused = await json(...args.map((each) => (each === 'ID' ? account.object.id : each)))
    expect([refused.code, refused.object.error.details?.[0].field]).toEqual([1, field])
  })

  test('nobody is let into an account that does not exist, and nobody unknown gets a link', async () => {
    const nowhere = formatId('acc', newUuid(new Date()))
    expect((await json('user', 'create', '--account', nowhere, '--email', 'a@example.com')).object.error.code).toBe('not_found')
    expect((await json('user', 'link', '--email', 'stranger@example.com')).object.error.code).toBe('not_found')
    expect((await json('user', 'remove', '--account', nowhere, '--email', 'a@example.com')).object.error.code).toBe('not_found')
  })

  test('sets a plan, changes it, and makes accounts only under a plan that there is', async () => {
    expect(await json('plan', 'set', 'gold', '--franchise', '0')).toMatchObject({
      code: 0,
      object: { object: 'plan', name: 'gold', franchise: 0 },
    })
    expect((await json('plan', 'set', 'gold', '--franchise', '20000')).object.franchise).toBe(20_000)
    expect((await json('account', 'create', '--name', 'Feira', '--plan', 'gold')).object.plan).toBe('gold')
    expect(await json('account', 'create', '--name', 'Feira', '--plan', 'bronze')).toMatchObject({
      code: 1,
      object: { error: { code: 'invalid_request', details: [{ field: 'plan' }] } },
    })
  })

  test('makes up to twenty active keys of an account, says which key was used last, and makes room by revoking one', async () => {
    const { id } = (await json('account', 'create', '--name', 'Chaves')).object
    const create = () => json('key', 'create', '--account', id, '--live')
    const first = (await create()).object
    for (let i = 2; i <= 20; i += 1) expect((await create()).code).toBe(0)
    expect(await create()).toMatchObject({ code: 1, object: { error: { code: 'conflict' } } })

    const verifier = createKeyVerifier({ database: own.database, clock: systemClock() })
    await verifier.verify(first.key)
    await verifier.close()
    const keys = (await json('key', 'list', '--account', id)).object.data
    expect(
      keys.filter((each: { last_used_at: string | null }) => each.last_used_at !== null).map((each: { id: string }) => each.id),
    ).toEqual([first.id])

    await json('key', 'revoke', first.id)
    expect((await create()).code).toBe(0)
  })

  test('suspends and resumes an account, and switches its opt-out words', async () => {
    const { id } = (await json('account', 'create', '--name', 'Bar')).object
    expect((await json('account', 'suspend', id)).object.suspended_at).not.toBeNull()
    expect((await json('account', 'resume', id)).object.suspended_at).toBeNull()
    expect((await json('account', 'set', id, '--opt-out-words', 'on')).object.opt_out_words).toBe(true)
    expect((await runPomboHere(['account', 'list'], env)).stdout).toContain(id)
  })

  test('connects, disconnects and connects a number again with another token', async () => {
    const { id: account } = (await json('account', 'create', '--name', 'Loja')).object
    const number = ['--account', account, '--phone-number-id', '555', '--waba-id', '777']
    const made = (await json('channel', 'connect', ...number, '--token', 'EAA')).object
    expect(made).toMatchObject({ object: 'channel', status: 'connected', phone: '5511912345678', waba_id: '777' })
    expect((await json('channel', 'disconnect', made.id)).object.status).toBe('disconnected')
    const refused = await json('channel', 'set-token', made.id, '--token', 'expired')
    expect(refused).toMatchObject({ code: 1, object: { error: { code: 'meta_error', details: [{ code: 190 }] } } })
    expect((await json('channel', 'set-token', made.id, '--token', 'EAB')).object.status).toBe('connected')
    const seen = { id: made.id, subscribed: true, last_notice_at: null, disconnected_because: null }
    expect((await json('channel', 'list', '--account', account)).object.data).toMatchObject([seen])
    const { stdout } = await runPomboHere(['channel', 'list', '--account', account], env)
    expect(stdout).toMatch(/notices +last notice/)
    expect(stdout).toMatch(/connected +on +never/)

    // What goes wrong most often in the field: the token works, and no notice ever comes.
    const partOf = async () => (await json('doctor')).object.checks.find((each: { name: string }) => each.name === 'channel 5511912345678')
    expect(await partOf()).toMatchObject({ ok: true, message: expect.stringContaining('the last notice came: never') })
    subscribed = false
    expect(await partOf()).toMatchObject({
      ok: false,
      message: expect.stringContaining('does not send the notices of the WABA 777'),
      advice: expect.stringContaining('channel connect'),
    })
    const refusedAgain = await json('channel', 'connect', ...number, '--token', 'EAC')
    subscribed = true
    expect(refusedAgain).toMatchObject({
      code: 1,
      object: { error: { code: 'meta_error', message: expect.stringContaining('no app is subscribed') } },
    })
  })
})

describe('notices', () => {
  const body = (phoneNumberId: string) =>
    JSON.stringify({
      entry: [{ changes: [{ field: 'messages', value: { metadata: { phone_number_id: phoneNumberId }, messages: [{}] } }] }],
    })
  const aside = async (reason: string, accountId: string | null) => {
    const now = new Date()
    const [id, inboxId] = [newUuid(now), newUuid(now)]
    const uuid = accountId === null ? null : parseId('acc', accountId)
    await sql(own.database, 'insert into inbox (id, livemode, body, state, due_at, received_at) values ($1, true, $2, 1, $3, $3)', [
      inboxId,
      Buffer.from(body('1')),
      now,
    ])
    await sql(
      own.database,
      `insert into notice_set_aside (id, inbox_id, account_id, field, body, reason, created_at) values ($1, $2, $3, 'message', $4, $5, $6)`,
      [id, inboxId, uuid, Buffer.from(body('1')), reason, now],
    )
    return formatId('itm', id)
  }
  const waiting = async () => (await sql<{ n: number }>(own.database, 'select count(*) as n from inbox where state = 2'))[0]?.n

  // rule: receive 20
  test('that lie set aside are listed with their reason and without their content, and marked to be worked through again', async () => {
    expect(await runPomboHere(['notices', 'list'], env)).toMatchObject({ code: 0, stdout: 'Nothing lies set aside.\n' })
    const { id: account } = (await json('account', 'create', '--name', 'Feira')).object
    const [first, second] = [await aside('it has\nno id', account), await aside('boom', null)]
    const list = await json('notices', 'list')
    expect(list.object).toMatchObject({ object: 'list', has_more: false, data: [{ id: second, account_id: null }, { id: first }] })
    expect(list.object.data[1]).toEqual({
      object: 'notice_item',
      id: first,
      account_id: account,
      livemode: true,
      field: 'message',
      reason: 'it has\nno id',
      awaits_phone_number_id: null,
      replaying: false,
      created_at: expect.stringMatching(/Z$/),
    })
    expect((await json('notices', 'list', '--limit', '1')).object).toMatchObject({ has_more: true, data: [{ id: second }] })
    expect((await runPomboHere(['notices', 'list'], env)).stdout).toMatch(/it has no id$/m)

    expect(await json('notices', 'replay', first)).toMatchObject({ code: 0, object: { replayed: 1 } })
    expect(await waiting()).toBe(1)
    expect((await json('notices', 'list')).object.data[1].replaying).toBe(true)
    expect((await json('notices', 'replay', first)).object).toEqual({ replayed: 0 })
    expect((await json('notices', 'replay', '--since', '1h')).object).toEqual({ replayed: 1 })
    expect(await waiting()).toBe(2)
    expect((await runPomboHere(['notices', 'replay', '--since', new Date(Date.now() - 60_000).toISOString()], env)).stdout).toContain(
      'nothing',
    )
  })

  test.each([
    [['list', '--limit', '0'], 'limit', '1 to 1000'],
    [['list', '--limit', '1001'], 'limit', '1 to 1000'],
    [['replay'], null, '--since'],
    [['replay', `itm_${'0'.repeat(32)}`, '--since', '1h'], null, '--since'],
    [['replay', 'itm_1'], 'id', 'itm_1'],
    [['replay', '--since', 'yesterday'], 'since', '3d'],
    [['replay', '--since', '1w'], 'since', '3d'],
    [['replay', '--since', '2100-01-01'], 'since', 'future'],
  ])('%j is refused in words', async (args, field, words) => {
    const ended = await json('notices', ...args)
    expect(ended.code).toBe(1)
    expect(ended.object.error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(words) })
    if (field !== null) expect(ended.object.error.details[0].field).toBe(field)
  })

  test('an item that does not lie there is not found', async () => {
    const ended = await json('notices', 'replay', `itm_${'0'.repeat(32)}`)
    expect(ended).toMatchObject({ code: 1, object: { error: { code: 'not_found' } } })
  })
})

describe('mistakes', () => {
  test('with --json are one error of the API on standard output, and the exit code is 1', async () => {
    const { code, stdout, stderr } = await runPombo(['key', 'create', '--account', 'acc_1', '--live', '--json'], env)
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'invalid_request',
        message: expect.any(String),
        details: [{ field: 'account', message: expect.any(String) }],
        request_id: expect.stringMatching(/^req_[0-9a-f]{32}$/),
      },
    })
    expect([code, stderr]).toEqual([1, ''])
  })

  test('without it are words on standard error', async () => {
    const ended = await runPombo(['account', 'suspend', `acc_${'0'.repeat(32)}`], env)
    expect(ended).toEqual({ code: 1, stdout: '', stderr: 'There is no account with this id.\n' })
  })

  test.each([
    [['acount', 'list'], '"acount list"'],
    [['account'], 'account create, account list'],
    [['key', 'create', '--acount', 'x'], '--acount'],
    [['key', 'create', '--account', `acc_${'0'.repeat(32)}`], '--live and --test'],
    [['key', 'create', '--account', `acc_${'0'.repeat(32)}`, '--live', '--scopes', 'all'], '"all"'],
    [['plan', 'set', 'gold', '--franchise', '1.5'], 'whole number'],
  ])('%j is refused in words that name it', async (args, words) => {
    const ended = await runPomboHere(args, env)
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toContain(words)
  })

  test('of the configuration are listed together', async () => {
    const ended = await runPomboHere(['account', 'list'], { ...env, PORT: 'x', LOG_LEVEL: 'y' })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(/PORT [\s\S]*LOG_LEVEL /)
  })

  test('a database without this version’s migrations is named, and left as it is', async () => {
    const empty = urlOf({ ...own.connection, database: 'postgres' })
    const ended = await runPomboHere(['account', 'list'], { ...env, DATABASE_URL: empty })
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Start the gateway once') })
  })
})

test('help needs neither configuration nor database, for the whole and for each command', async () => {
  const broken = { PORT: 'x' }
  const overview = await runPomboHere(['--help'], broken)
  expect(overview.code).toBe(0)
  for (const command of ['account create', 'plan set', 'key create', 'channel connect', 'notices replay [ID]', 'listen', 'doctor'])
    expect(overview.stdout).toContain(command)
  const one = await runPomboHere(['channel', 'connect', '--help'], broken)
  expect(one).toMatchObject({ code: 0, stderr: '' })
  for (const flag of ['--account', '--phone-number-id', '--waba-id', '--token', '--pin', '--json']) expect(one.stdout).toContain(flag)
})

test('with the bundled database it starts the server for the time of a command, and leaves no process behind', async () => {
  const fresh = await mkdtemp(join(tmpdir(), 'pombo-cli-fresh-'))
  try {
    const made = await runPombo(['account', 'create', '--name', 'First', '--json'], { DATA_DIR: fresh })
    expect(JSON.parse(made.stdout)).toMatchObject({ name: 'First' })
    await expect(readFile(join(fresh, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT')
    const list = await runPombo(['account', 'list', '--json'], { DATA_DIR: fresh })
    expect(JSON.parse(list.stdout)).toMatchObject({ object: 'list', data: [JSON.parse(made.stdout)] })
  } finally {
    await rm(fresh, { recursive: true })
  }
})
