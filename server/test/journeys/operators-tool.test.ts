import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPombo } from '@pombo/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase, urlOf } from '../support/database.ts'
import { apiOf } from '../support/processes/api.ts'
import { newDataDir, removeDataDirs } from '../support/processes/data-dir.ts'
import { freePort, startGatewayProcess, stopMsMax } from '../support/processes/gateway-process.ts'
import { endPrograms, type Program } from '../support/processes/program.ts'
import { runTool } from '../support/processes/tool.ts'

const testMsMax = 60_000
/** A second number of the simulated network, beside the one of the demo. */
const number = { phoneNumberId: '118350927764499', wabaId: '204817396550199', displayDigits: '551140028999', token: 'first-token' }

// An operator's afternoon, told in order, beside a gateway that runs.
describe('the operator’s tool beside a running gateway', () => {
  let database: TestDatabase
  let settings: Record<string, string>
  let gateway: Program
  let url = ''
  let network = ''
  let accountId = ''
  let channelId = ''

  beforeAll(async () => {
    database = await testDatabase()
    settings = {
      DATA_DIR: await newDataDir(),
      DATABASE_URL: urlOf(database.connection),
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      PORT: String(await freePort()),
    }
    const started = await startGatewayProcess(settings)
    gateway = started.program
    url = started.url
    network = JSON.parse(await readFile(join(settings.DATA_DIR ?? '', 'sandbox.json'), 'utf8')).graphUrl
    const added = await apiOf(network, '').post('/_sim/numbers', { ...number, subscribed: true })
    expect(added.status).toBe(200)
  }, 90_000)
  afterAll(async () => {
    await endPrograms()
    await removeDataDirs()
    await database.close()
  })

  test('makes an account with a key that works, and revokes it: the very next call is refused', { timeout: testMsMax }, async () => {
    const account = await tool('account', 'create', '--name', 'Padaria')
    expect(account).toMatchObject({ code: 0, object: { object: 'account', name: 'Padaria' } })
    accountId = account.object.id
    const key = await tool('key', 'create', '--account', accountId, '--live')
    expect(key).toMatchObject({ code: 0, object: { object: 'api_key', account_id: accountId, livemode: true } })
    const pombo = createPombo({ apiKey: key.object.key, baseUrl: `${url}/v1` })
    expect((await pombo.messages.list().page()).data).toEqual([])
    expect(await tool('key', 'revoke', key.object.id)).toMatchObject({ code: 0, object: { id: key.object.id } })
    await expect(pombo.messages.list().page()).rejects.toMatchObject({ status: 401, code: 'unauthorized' })
  })

  test('connects a number, lists it, gives it another token and disconnects it; the API shows each', { timeout: testMsMax }, async () => {
    const { object } = await tool('key', 'create', '--account', accountId, '--live')
    const pombo = createPombo({ apiKey: object.key, baseUrl: `${url}/v1` })
    const channels = async () => (await pombo.channels.list().page()).data
    const { phoneNumberId, wabaId, displayDigits, token } = number
    const ids = ['--phone-number-id', phoneNumberId, '--waba-id', wabaId]
    const wrong = await tool('channel', 'connect', '--account', accountId, ...ids, '--token', 'guessed')
    expect(wrong).toMatchObject({ code: 1, object: { error: { code: expect.any(String), message: expect.any(String) } } })
    expect(await channels()).toEqual([])

    const connected = await tool('channel', 'connect', '--account', accountId, ...ids, '--token', token)
    expect(connected).toMatchObject({ code: 0, object: { object: 'channel', status: 'connected', phone: displayDigits } })
    channelId = connected.object.id
    expect((await channels()).map((each) => [each.id, each.status])).toEqual([[channelId, 'connected']])
    expect((await tool('channel', 'list', '--account', accountId)).object.data).toEqual([connected.object])

    expect(await tool('channel', 'disconnect', channelId)).toMatchObject({ code: 0, object: { status: 'disconnected' } })
    expect(await channels()).toMatchObject([{ id: channelId, status: 'disconnected' }])
    expect(await tool('channel', 'set-token', channelId, '--token', token)).toMatchObject({ code: 0, object: { status: 'connected' } })
    expect(await channels()).toMatchObject([{ id: channelId, status: 'connected' }])
  })

  test('the doctor finds nothing wrong, then names the number whose token was taken back, and what to do', {
    timeout: testMsMax,
  }, async () => {
    const healthy = await tool('doctor')
    expect(healthy.object.checks.filter((each: { ok: boolean }) => !each.ok)).toEqual([])
    expect(healthy).toMatchObject({ code: 0, object: { ok: true } })
    await apiOf(network, '').post(`/_sim/numbers/${number.phoneNumberId}`, { tokenRevoked: true })
    const sick = await tool('doctor')
    expect(sick).toMatchObject({ code: 1, object: { ok: false } })
    const wrong = sick.object.checks.filter((each: { ok: boolean }) => !each.ok)
    expect(wrong).toMatchObject([
      { name: `channel ${number.displayDigits}`, advice: expect.stringContaining(`channel set-token ${channelId}`) },
    ])
  })

  test('a mistake is the error envelope, with exit code 1', { timeout: testMsMax }, async () => {
    const unknown = await tool('key', 'revoke', `key_${'0'.repeat(32)}`)
    expect(unknown).toMatchObject({
      code: 1,
      object: { error: { code: 'not_found', message: expect.any(String), request_id: expect.any(String) } },
    })
  })

  test('without a gateway the doctor says that its address is free', { timeout: testMsMax }, async () => {
    expect(await gateway.end('SIGTERM', stopMsMax)).toEqual({ code: 0, signal: null })
    const { object } = await tool('doctor')
    expect(object.checks.find((each: { name: string }) => each.name === 'gateway')).toMatchObject({
      ok: true,
      message: expect.stringContaining('does not run'),
    })
  })

  const tool = (...args: string[]) => runTool(args, settings)
})
