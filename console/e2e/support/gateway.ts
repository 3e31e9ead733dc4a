import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A gateway in the sandbox, as `npm start` starts it, on a directory and a port of its own. */
export type Gateway = {
  url: string
  /** A one-time link that signs in to the demo account. */
  link: string
  liveKey: string
  testKey: string
  /** Ends the process, as a signal would; `start` then brings it back on the same data and port. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Where its database is. */
  dataDir: string
  /** Tells the network of the sandbox to do something: `inbound`, `faults` … Answers what it answered. */
  simulate(path: string, body: object): Promise<unknown>
  /** Lets a person write to the demo number, a text or another content; resolves when the gateway has taken the notice. Answers its wamid. */
  letWrite(message: { from: string; name?: string; text?: string; content?: object; context?: string }): Promise<string>
  /** Posts notices to the gateway as upstream would, signed; resolves when they are taken. */
  postNotices(body: string): Promise<void>
  /** Lets somebody into the demo account; answers a one-time link that signs them in. */
  letIn(person: { email: string; name: string; role: string }): Promise<string>
  /** Calls the contract's interface with the live key. */
  call(method: string, path: string, body?: object): Promise<unknown>
  /** Ends it for good and takes its data away. */
  close(): Promise<void>
}

/** The number of the demo account. */
const phoneNumberId = '118350927764405'

const launcher = fileURLToPath(new URL('../../../tools/run.mjs', import.meta.url))
const program = [launcher, 'server/src/main.ts']
const operatorsTool = [launcher, 'server/src/cli/main.ts']
const startMsMax = 50_000

export async function startGateway(settings: Readonly<Record<string, string>> = {}): Promise<Gateway> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pombo-console-'))
  let running = await run({ ...settings, DATA_DIR: dataDir, PORT: settings.PORT ?? (await freePort()) })
  const { url } = running
  const gateway: Gateway = {
    url,
    link: running.link,
    liveKey: running.liveKey,
    testKey: running.testKey,
    stop: () => end(running.child),
    dataDir,
    async simulate(path, body) {
      const { graphUrl } = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')) as { graphUrl: string }
      return post('POST', `${graphUrl}/_sim/${path}`, {}, body)
    },
    async letWrite(message) {
      const answer = (await gateway.simulate('inbound', { ...message, phone_number_id: phoneNumberId })) as { wamid?: string }
      return answer.wamid ?? ''
    },
    async postNotices(body) {
      const { graphUrl } = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')) as { graphUrl: string }
      const answer = await fetch(`${graphUrl}/_sim/notices`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      if (!answer.ok) throw new Error(`the notices were not taken: ${await answer.text()}`)
    },
    async letIn({ email, name, role }) {
      const env = { ...process.env, ...settings, DATA_DIR: dataDir, PORT: new URL(url).port }
      const tool = async (...asked: string[]): Promise<unknown> => {
        const { stdout } = await promisify(execFile)(process.execPath, [...operatorsTool, ...asked, '--json'], { env })
        return JSON.parse(stdout)
      }
      const accounts = (await tool('account', 'list')) as { data: { id: string }[] }
      const account = accounts.data[0]?.id ?? ''
      const made = await tool('user', 'create', '--account', account, '--email', email, '--name', name, '--role', role)
      return (made as { link: string }).link
    },
    call: (method, path, body) => post(method, `${url}/v1${path}`, { authorization: `Bearer ${gateway.liveKey}` }, body),
    async start() {
      running = await run({ ...settings, DATA_DIR: dataDir, PORT: new URL(url).port })
    },
    async close() {
      await end(running.child)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return gateway
}

/** Files are told by their whole address, for which the gateway must know its port beforehand. */
async function freePort(): Promise<string> {
  const server = createServer()
  await once(server.listen(0), 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

async function post(method: string, url: string, headers: Record<string, string>, body?: object): Promise<unknown> {
  const sent =
    body === undefined
      ? { method, headers }
      : { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(url, sent)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${new URL(url).pathname} answered ${answer.status}: ${text.slice(0, 300)}`)
  return text === '' ? null : JSON.parse(text)
}

type Running = { child: ChildProcess; url: string; link: string; liveKey: string; testKey: string }

/** Starts it and reads what it says until it is ready. */
async function run(env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, program, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  const found = { url: '', link: '', liveKey: '', testKey: '' }
  const ready = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      found.url ||= /API +(http:\S+)\/v1/.exec(line)?.[1] ?? ''
      found.link ||= /Console +(http:\S+)/.exec(line)?.[1] ?? ''
      found.liveKey ||= /Live key +(\S+)/.exec(line)?.[1] ?? ''
      found.testKey ||= /Test key +(\S+)/.exec(line)?.[1] ?? ''
      if (line.includes('Ctrl-C stops')) return
    }
    throw new Error('the gateway ended before it was ready')
  })()
  const timeout = AbortSignal.timeout(startMsMax)
  const late = once(timeout, 'abort').then(() => Promise.reject(new Error('the gateway did not start in time')))
  try {
    await Promise.race([ready, late])
  } catch (error) {
    // Nobody else knows of it: it would run on after the tests.
    await end(child)
    throw error
  }
  child.stdout.resume()
  return { child, ...found }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
