import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { freePort } from '../support/processes/gateway-process.ts'
import { endPrograms, projectRoot, startProgram } from '../support/processes/program.ts'
import { until } from '../support/processes/until.ts'

const readme = await readFile(join(projectRoot, 'sdk', 'README.md'), 'utf8')
const exampleMsMax = 60_000
/** Who has written to the account, and whom the examples answer. */
const maria = '5511987654321'

/** The examples of the README by the name beside their language; those without a client of their own go on from the first. */
const examples = new Map([...readme.matchAll(/^```ts ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, name = '', code = '']) => [name, code]))
const codeOf = (name: string) => {
  const code = examples.get(name) ?? ''
  return code.includes('createPombo(') || name.startsWith('receive') ? code : `${examples.get('client')}\n${code}`
}

const tried: string[] = []
let gateway: TestGateway
let folder: string
beforeAll(async () => {
  gateway = await startTestGateway()
  folder = await mkdtemp(join(tmpdir(), 'pombo-readme-'))
  // As a customer's project has it: the SDK is found in node_modules.
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await mkdir(join(folder, 'examples'))
  for (const name of examples.keys()) await writeFile(fileOf(name), `${codeOf(name)}\nexport {}\n`)
})
afterAll(async () => {
  await endPrograms()
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

const fileOf = (name: string) => join(folder, 'examples', `${name}.ts`)

/** An account to which Maria has just written. */
async function shop(): Promise<TestAccount> {
  const account = await gateway.account()
  await gateway.letWrite(account, maria, { text: 'Vocês entregam?' })
  return account
}

/** Runs an example as a program of its own, and answers the lines that it prints. */
async function run(name: string, account: TestAccount): Promise<string[]> {
  tried.push(name)
  const program = await start(name, { POMBO_API_KEY: account.live })
  const { code } = await program.ended
  expect([code, program.stderr()]).toEqual([0, ''])
  return program.stdout().trim().split('\n')
}

function start(name: string, env: Record<string, string>) {
  const path = process.env.PATH ?? ''
  return startProgram({
    command: process.execPath,
    args: [fileOf(name)],
    env: { PATH: path, POMBO_URL: `${gateway.url}/v1`, ...env },
    cwd: folder,
  })
}

describe('the examples of the README of the SDK', { timeout: exampleMsMax }, () => {
  test('client: the client is made', async () => {
    expect(await run('client', await shop())).toEqual([''])
  })

  test('send: a message is accepted', async () => {
    const account = await shop()
    const [line = ''] = await run('send', account)
    expect(line).toMatch(/^msg_[0-9a-f]{32} queued$/)
    const { body } = await gateway.call('GET', `/v1/messages/${line.split(' ')[0]}`, { key: account.live })
    expect(body).toMatchObject({ text: 'Olá, Maria! Entregamos, sim.', client_reference: 'order 4711', contact: { phone: maria } })
  })

  test('send-once: the second send is the first', async () => {
    const account = await shop()
    expect(await run('send-once', account)).toEqual(['true', 'true'])
    const { body } = await gateway.call('GET', '/v1/messages', { key: account.live, query: { direction: 'outbound' } })
    expect(body.data).toHaveLength(1)
  })

  test('errors: what is refused can be told apart', async () => {
    expect(await run('errors', await shop())).toEqual(['Only a template can be sent now.'])
  })

  test('list: everything is read, and a page is a page', async () => {
    const account = await shop()
    await run('send', account)
    await run('send', account)
    const lines = await run('list', account)
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\S+Z 5511987654321 (queued|sent|delivered|read)$/)
    expect(lines.at(-1)).toBe('1 true')
  })

  test('webhook, rotate, deliveries: an address is registered, gets another secret, and has nothing to retry', async () => {
    const account = await shop()
    const [line = ''] = await run('webhook', account)
    expect(line).toMatch(/^whk_[0-9a-f]{32} whsec_\S+$/)
    const [rotated = ''] = await run('rotate', account)
    expect(rotated).toMatch(/^whsec_\S+$/)
    expect(line).not.toContain(rotated)
    expect(await run('deliveries', account)).toEqual(['0'])
  })

  test('receive: an event is believed, and what was tampered with is not', async () => {
    tried.push('receive')
    const { receive } = (await import(fileOf('receive'))) as { receive(request: Request): Promise<Response> }
    const told: number[] = []
    const take = async (incoming: IncomingMessage) => {
      const headers = { 'service-signature': String(incoming.headers['service-signature']) }
      const rawBody = await buffer(incoming)
      const tampered = Buffer.concat([rawBody, Buffer.from(' ')])
      for (const body of [rawBody, tampered]) {
        const { status } = await receive(new Request('https://shop.example/pombo', { method: 'POST', headers, body: new Uint8Array(body) }))
        told.push(status)
      }
    }
    const server = createServer((incoming, response) => void take(incoming).finally(() => response.writeHead(204).end()))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const account = await gateway.account()
    process.env.POMBO_WEBHOOK_SECRET = await registered(account, `http://127.0.0.1:${port}/pombo`)
    await gateway.letWrite(account, gateway.newPerson())
    await until('the event was posted', async () => told.length >= 2, exampleMsMax)
    expect(told).toEqual([204, 400])
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  test('receive-node: an event is believed, and what is not signed is not', async () => {
    tried.push('receive-node')
    const port = await freePort()
    const account = await gateway.account()
    const url = `http://127.0.0.1:${port}/`
    const program = await start('receive-node', { PORT: String(port), POMBO_WEBHOOK_SECRET: await registered(account, url) })
    const answer = () => fetch(url, { method: 'POST', body: '{}' }).catch(() => null)
    await until('it listens', async () => (await answer())?.status === 400, exampleMsMax)
    await gateway.letWrite(account, gateway.newPerson())
    await program.printed(/^evt_[0-9a-f]{32} message\.received$/m, exampleMsMax)
    await program.end('SIGKILL', exampleMsMax)
  })

  test('media: a file is stored and sent', async () => {
    expect(await run('media', await shop())).toEqual(['22'])
  })

  test('mark-read: a message is marked as read', async () => {
    expect(await run('mark-read', await shop())).toEqual(['true'])
  })

  test('templates: those that are approved are listed', async () => {
    await run('templates', await shop())
  })

  test('opt-outs: a person is added, listed and removed', async () => {
    expect(await run('opt-outs', await shop())).toEqual([`${maria} api`])
  })

  test('usage: the month is told', async () => {
    expect((await run('usage', await shop())).join()).toMatch(/^\d{4}-\d\d \d+ -?\d+$/)
  })

  test('inicio: the quick start in Portuguese sends too', async () => {
    expect((await run('inicio', await shop())).join()).toMatch(/^msg_[0-9a-f]{32} queued$/)
  })

  test('are all run', () => {
    const runnable = [...examples.keys()]
    expect(runnable.filter((name) => !tried.includes(name))).toEqual([])
    expect(readme.match(/^```(?!ts |sh$|$)/gm)).toBeNull()
  })

  test('have no mistake of types', async () => {
    const options = { typeRoots: [join(projectRoot, 'node_modules', '@types')], noUnusedLocals: false }
    const tsconfig = { extends: join(projectRoot, 'tsconfig.json'), compilerOptions: options, include: ['examples'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
    const tsc = join(projectRoot, 'node_modules', '.bin', 'tsc')
    const checked = await startProgram({ command: tsc, args: ['-p', folder], env: { PATH: process.env.PATH ?? '' } })
    const { code } = await checked.ended
    expect([code, checked.stdout()]).toEqual([0, ''])
  })
})

async function registered(account: TestAccount, url: string): Promise<string> {
  const { status, body } = await gateway.call('POST', '/v1/webhooks', { key: account.live, body: { url, events: ['*'] } })
  expect(status).toBe(201)
  return body.secret
}
