import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { createPombo } from '@pombo/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiOf } from '../support/processes/api.ts'
import { newDataDir, postmasterOf, removeDataDirs } from '../support/processes/data-dir.ts'
import { environment, type GatewayProcess, startGatewayProcess, startMsMax, stopMsMax } from '../support/processes/gateway-process.ts'
import { areGone, childrenOf, endPrograms, type Program, startProgram } from '../support/processes/program.ts'
import { runTool, startTool } from '../support/processes/tool.ts'
import { readWelcome, type Welcome } from '../support/processes/welcome.ts'

const firstStartMsMax = 30_000
const laterStartMsMax = 10_000
/** How many programs want each processor: on a machine that does much else everything takes so many times as long. */
const crowding = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())

// One story, told in order: each test goes on where the one before it stopped.
describe('the first minutes of a newcomer', { timeout: 180_000 }, () => {
  let dataDir = ''
  let gateway: GatewayProcess
  let first: Welcome
  let sentId = ''

  beforeAll(async () => {
    dataDir = await newDataDir()
  })
  afterAll(async () => {
    await endPrograms()
    await removeDataDirs()
  })

  test('a start with nothing set prints the addresses, both keys, and what to do next', async () => {
    gateway = await timed('first start', firstStartMsMax, () => startGatewayProcess({ DATA_DIR: dataDir }))
    first = readWelcome(gateway.program.stdout())
    expect(first.url).toMatch(/^http:\/\/localhost:\d+$/)
    expect(first.liveKey).toMatch(/^svc_live_/)
    expect(first.testKey).toMatch(/^svc_test_/)
    expect(gateway.program.stdout()).toContain('npm run pombo -- listen')
    for (const path of ['/docs', '/openapi.json']) expect(gateway.program.stdout()).toContain(`${first.url}${path}`)
    const open = apiOf(first.url, '')
    expect((await open.get('/ready')).status).toBe(200)
    expect((await open.get('/openapi.json')).body.openapi).toBe('3.1.0')
  })

  test('the printed link of the console signs the owner of the demo account in, once', async () => {
    expect(await ownerBy(first)).toEqual([200, 'demo@example.com', 'owner'])
    expect((await ownerBy(first))[0]).toBe(401)
  })

  test('the printed curl, pasted as it is, is accepted; listen shows its signed events and takes its webhook away', async () => {
    const pombo = clientOf(first.url)
    const listener = await startTool(['listen', '--json'], { DATA_DIR: dataDir })
    await listener.printed(/Listening to acc_/, 20_000)
    expect((await pombo.webhooks.list().page()).data).toHaveLength(1)

    const pasted = await paste(first.curl)
    expect(pasted.status).toBe(202)
    sentId = pasted.body.id
    for (const type of ['sent', 'delivered', 'read']) await listener.printed(lineWith(`"type":"message.${type}"`, sentId), 20_000)
    const events = listener
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const own = events.filter((event) => event.data.id === sentId)
    expect(own.map((event) => [event.type, event.data.status, event.livemode])).toEqual([
      ['message.sent', 'sent', true],
      ['message.delivered', 'delivered', true],
      ['message.read', 'read', true],
    ])
    // What could not be verified would be told there.
    expect(listener.stderr()).not.toContain('not verified')

    expect(await listener.end('SIGINT', stopMsMax)).toEqual({ code: 0, signal: null })
    expect((await pombo.webhooks.list().page()).data).toEqual([])
  })

  test('Ctrl-C ends everything that was started, with exit code 0', async () => {
    await stopsCompletely(gateway.program, 'SIGINT')
  })

  test('a later start has all data, shows no key again and makes no second account', async () => {
    gateway = await timed('later start', laterStartMsMax, () => startGatewayProcess({ DATA_DIR: dataDir }))
    const second = readWelcome(gateway.program.stdout())
    expect([second.liveKey, second.testKey]).toEqual([null, null])
    expect(second.console).not.toBe(first.console)
    expect(await ownerBy(second)).toEqual([200, 'demo@example.com', 'owner'])
    expect(gateway.program.stdout()).not.toMatch(/svc_(live|test)_/)
    expect(gateway.program.stdout()).toContain('key create --account ID --live')

    const messages = clientOf(second.url).messages
    expect(await messages.get(sentId)).toMatchObject({ status: 'read', direction: 'outbound' })
    expect((await messages.list({ direction: 'inbound' }).page()).data).toHaveLength(1)
    const accounts = await runTool(['account', 'list'], { DATA_DIR: dataDir })
    expect(accounts.object.data).toHaveLength(1)
    await stopsCompletely(gateway.program, 'SIGTERM')
  })

  test('npm start is the same program, and ends with npm', async () => {
    const npm = await startProgram({ command: 'npm', args: ['start'], env: environment({ DATA_DIR: dataDir }) })
    const [, url = ''] = await npm.printed(/API +(http:\S+)\/v1/, startMsMax)
    await npm.printed(/Ctrl-C stops everything/, startMsMax)
    expect((await apiOf(url, '').get('/health')).body).toEqual({ status: 'ok' })
    await stopsCompletely(npm, 'SIGTERM')
  })

  /** What a newcomer makes of the lines that were printed: the SDK with the live key. */
  const clientOf = (url: string) => createPombo({ apiKey: first.liveKey ?? '', baseUrl: `${url}/v1` })

  /** Opens the printed link as the console's page does, and says who has then signed in. */
  async function ownerBy({ url, console: link }: Welcome): Promise<(number | string | undefined)[]> {
    const headers = { origin: url, 'content-type': 'application/json' }
    const body = JSON.stringify({ token: link?.split('#')[1] })
    const opened = await fetch(`${url}/console/api/sign-in/link/open`, { method: 'POST', headers, body })
    const cookie = opened.headers.getSetCookie().map((each) => each.split(';')[0])
    if (!opened.ok) return [opened.status]
    const me = (await (await fetch(`${url}/console/api/me`, { headers: { cookie: cookie.join('; ') } })).json()) as {
      user: { email: string }
      accounts: { role: string }[]
    }
    return [opened.status, me.user.email, me.accounts[0]?.role]
  }

  async function stopsCompletely(program: Program, signal: NodeJS.Signals): Promise<void> {
    const below = await descendantsOf(program.pid)
    const postmaster = await postmasterOf(dataDir)
    expect(postmaster).not.toBeNull()
    // The database and the simulated network, at least.
    expect(below.length).toBeGreaterThanOrEqual(2)
    expect(await program.end(signal, stopMsMax)).toEqual({ code: 0, signal: null })
    await areGone([...below, postmaster ?? 0], 5_000)
    expect(await postmasterOf(dataDir)).toBeNull()
  }

  /** Runs the command through a shell. How curl itself is set up (quiet, and the status at the end) stands in its own file. */
  async function paste(command: string) {
    const home = join(dirname(dataDir), 'curl')
    await mkdir(home)
    await writeFile(join(home, '.curlrc'), 'silent\nshow-error\ninclude\n')
    const env = { ...environment({}), CURL_HOME: home, HOME: home }
    const shell = await startProgram({ command: 'sh', args: ['-c', command], env })
    const { code } = await shell.ended
    expect([code, shell.stderr()]).toEqual([0, ''])
    const [, status, body = ''] = /^HTTP\/1\.1 (\d+)[\s\S]*?\r\n\r\n([\s\S]*)\n$/.exec(shell.stdout()) ?? []
    return { status: Number(status), body: JSON.parse(body) }
  }
})

const lineWith = (...parts: string[]) => new RegExp(`^${parts.map((part) => `(?=.*${part})`).join('')}.*$`, 'm')

async function timed<Value>(name: string, msMax: number, work: () => Promise<Value>): Promise<Value> {
  const startedMs = performance.now()
  const value = await work()
  const ms = Math.round(performance.now() - startedMs)
  console.log(`${name}: ${ms} ms, with ${crowding.toFixed(1)} programs for each processor`)
  expect(ms).toBeLessThanOrEqual(msMax * crowding)
  return value
}

async function descendantsOf(pid: number): Promise<number[]> {
  const children = await childrenOf(pid)
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()]
}
