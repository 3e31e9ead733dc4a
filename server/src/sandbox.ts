import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { makeDirectory } from './base/make-directory.ts'
import { stopMsMax } from './stop-bounds.ts'

/** The simulated network that runs beside the gateway: a program of its own, over real HTTP. */
export type Sandbox = {
  graphUrl: string
  appSecret: string
  verifyToken: string
  /** Tells the network where this gateway takes notices. */
  sendNoticesTo(gatewayUrl: string): Promise<void>
  /** Puts numbers in place; the network keeps nothing over a restart. */
  addNumber(number: SandboxNumber): Promise<void>
  /** Lets a person write; resolves when the gateway has taken the notice. */
  letWrite(message: { from: string; name: string; text: string; phoneNumberId: string }): Promise<void>
  /** Calls back when the network ends by itself. */
  onEnd(listener: (code: number | null) => void): void
  stop(): Promise<void>
}

export type SandboxNumber = { phoneNumberId: string; wabaId: string; displayDigits: string; token: string }

type Kept = { graphUrl: string; appSecret: string; verifyToken: string }

const run = fileURLToPath(new URL('../../tools/run.mjs', import.meta.url))
const readyMsMax = 15_000

/** Starts the network on a port that the system gives, and writes down where, for the operator's tool. It ends when this process does, however that ends. */
export async function startSandbox(dataDir: string): Promise<Sandbox> {
  await makeDirectory(dataDir)
  const file = join(dataDir, 'sandbox.json')
  const known = await readKept(file)
  const appSecret = known?.appSecret ?? randomBytes(16).toString('hex')
  const verifyToken = known?.verifyToken ?? randomBytes(16).toString('hex')
  const child = spawn(
    process.execPath,
    [run, 'simulator/src/main.ts', '--port', '0', '--subscribed', '--notice-batch', '50', '--with-parent'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      // Arguments can be seen by everybody on the machine. Of our own settings it needs none.
      env: { ...inherited(), SIMULATOR_APP_SECRET: appSecret, SIMULATOR_VERIFY_TOKEN: verifyToken },
      // Ctrl-C of the terminal goes to the whole group: the gateway still drains into the network, and then ends it.
      detached: true,
    },
  )
  const graphUrl = await addressOf(child)
  await writeKept(file, { graphUrl, appSecret, verifyToken })
  const command = (path: string, body: object) => post(`${graphUrl}/_sim/${path}`, body)
  return {
    graphUrl,
    appSecret,
    verifyToken,
    sendNoticesTo: (gatewayUrl) => command('callback', { url: `${gatewayUrl}/upstream/notices` }),
    addNumber: (number) => command('numbers', { ...number, subscribed: true }),
    letWrite: ({ phoneNumberId, ...message }) => command('inbound', { ...message, phone_number_id: phoneNumberId }),
    onEnd: (listener) => child.once('exit', listener),
    stop: () => stopChild(child),
  }
}

const inherited = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TZ|LANG|TMPDIR|NODE_.*)$/.test(name)))

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('bug: the sandbox network has no output')
  const lines = createInterface({ input: child.stdout })
  const timeout = AbortSignal.timeout(readyMsMax)
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The sandbox network ended at its start (code ${code}).`)))
    child.once('error', reject)
    timeout.addEventListener('abort', () => reject(new Error('The sandbox network did not start in time.')))
    lines.once('line', (line) => resolve((JSON.parse(line) as { url: string }).url))
  })
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), stopMsMax.sandbox)
  await ended
  clearTimeout(late)
}

async function post(url: string, body: object): Promise<void> {
  // Loaded by the gateway by then: before it, the network's process is on its way.
  const { request } = await import('undici')
  const { statusCode, body: answer } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (statusCode >= 300) throw new Error(`The sandbox network refused ${new URL(url).pathname}: ${text.slice(0, 200)}`)
}

async function readKept(file: string): Promise<Kept | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Kept)
}

async function writeKept(file: string, kept: Kept): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(kept)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
