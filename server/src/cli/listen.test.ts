import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase, urlOf } from '../../test/support/database.ts'
import { runPomboHere, startPombo } from '../../test/support/run-pombo.ts'
import { present } from '../base/assert.ts'
import { systemClock } from '../base/clock.ts'
import { parseId, type Uuid } from '../base/id.ts'
import { parseSecretKey, type Sealed, unseal } from '../base/seal.ts'
import { listWebhooks } from '../features/webhooks/public.ts'

const key = Buffer.alloc(32, 1).toString('base64')
let own: TestDatabase
let dataDir: string
let gateway: Server
let env: Record<string, string>
let accountId: Uuid

beforeAll(async () => {
  own = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'pombo-listen-'))
  // As much of a gateway as this command asks for.
  gateway = createServer((_request, response) => response.end(JSON.stringify({ status: 'ready', checks: {} })))
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const port = String((gateway.address() as AddressInfo).port)
  env = { DATABASE_URL: urlOf(own.connection), SECRET_KEY: key, DATA_DIR: dataDir, PORT: port }
  const made = await runPomboHere(['account', 'create', '--name', 'Padaria', '--json'], env)
  accountId = present(parseId('acc', JSON.parse(made.stdout).id), 'made just now')
})
afterAll(async () => {
  await own.close()
  gateway.close()
  await rm(dataDir, { recursive: true })
})

const webhooks = () => listWebhooks(own.database, accountId)

/** A listener that is ready, the lines that it prints, and an event as the gateway would post it. */
async function startListening(...flags: string[]) {
  const child = startPombo(['listen', ...flags], env)
  const notes = linesOf(present(child.stderr, 'piped'))
  const notesSeen: string[] = []
  for (let note = ''; !note.startsWith('Listening'); ) {
    note = present((await notes.next()).value, 'it says that it listens')
    notesSeen.push(note)
  }
  const lines = linesOf(present(child.stdout, 'piped'))
  return {
    child,
    notes: notesSeen,
    nextLine: async () => present((await lines.next()).value, 'another line'),
    nextNote: async () => present((await notes.next()).value, 'another note'),
    ended: once(child, 'exit').then(([code]) => code as number | null),
  }
}

const linesOf = (stream: NodeJS.ReadableStream) => createInterface(stream)[Symbol.asyncIterator]()

async function post(body: string, sign: (body: string, secret: string) => string): Promise<number> {
  const [webhook] = await webhooks()
  const rows = await own.database.run<{ secret: Sealed }>({ name: 'sealed_secret', text: 'select secret from webhook where id = $1' }, [
    webhook?.id,
  ])
  const secret = unseal(present(parseSecretKey(key), '32 bytes'), present(rows[0], 'registered').secret)
  const headers = { 'service-signature': sign(body, secret), 'content-type': 'application/json' }
  return (await fetch(present(webhook, 'registered').url, { method: 'POST', body, headers })).status
}

const rightly = (body: string, secret: string) => {
  const t = Math.floor(systemClock().now().getTime() / 1000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}
const wrongly = (body: string) => rightly(body, 'whsec_wrong')

const event = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'message.received',
  data: { object: 'message', id: 'msg_1', status: 'received', text: 'Olá' },
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  'prints each event with the verdict on its signature, and takes its webhook away at %s',
  async (signal) => {
    const listening = await startListening()
    expect(await webhooks()).toMatchObject([
      { description: 'pombo listen', events: ['*'], url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) },
    ])
    expect(await post(event, rightly)).toBe(204)
    expect(await listening.nextLine()).toMatch(/^\d\d:\d\d:\d\d {2}message\.received {2}msg_1 {2}received {2}"Olá" {2}signature verified$/)
    expect(await post(event, wrongly)).toBe(400)
    expect(await listening.nextLine()).toMatch(/NOT VERIFIED: the signature does not match$/)
    listening.child.kill(signal)
    expect(await listening.ended).toBe(0)
    expect(await webhooks()).toEqual([])
  },
)

test('with --json prints the raw bytes of verified events only', async () => {
  const listening = await startListening('--json')
  expect(await post(event, wrongly)).toBe(400)
  expect(await listening.nextNote()).toContain('not verified')
  const spaced = event.replace(',"data"', ' , "data"')
  expect(await post(spaced, rightly)).toBe(204)
  expect(await listening.nextLine()).toBe(spaced)
  listening.child.kill('SIGINT')
  expect(await listening.ended).toBe(0)
})

test('takes away what a killed listener left, and leaves a living one alone', async () => {
  const killed = await startListening()
  killed.child.kill('SIGKILL')
  await killed.ended
  const [left] = await webhooks()
  const living = await startListening()
  expect(living.notes[0]).toContain('earlier listen')
  expect((await webhooks()).map((each) => each.id)).not.toContain(left?.id)
  const second = await startListening()
  expect(await webhooks()).toHaveLength(2)
  for (const each of [living, second]) {
    each.child.kill('SIGINT')
    expect(await each.ended).toBe(0)
  }
  expect(await webhooks()).toEqual([])
})

test('says what to do when no gateway runs, when it may not post to loopback, and when there are several accounts', async () => {
  const none = await runPomboHere(['listen'], { ...env, PORT: '1' })
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('npm start') })
  const closed = await runPomboHere(['listen'], { ...env, ALLOW_PRIVATE_WEBHOOKS: 'false' })
  expect(closed).toMatchObject({ code: 1, stderr: expect.stringContaining('ALLOW_PRIVATE_WEBHOOKS=true') })
  await runPomboHere(['account', 'create', '--name', 'Second'], env)
  expect(await runPomboHere(['listen'], env)).toMatchObject({ code: 1, stderr: expect.stringContaining('--account ID') })
  const bundled = await runPomboHere(['listen'], { DATA_DIR: dataDir })
  expect(bundled).toMatchObject({ code: 1, stderr: expect.stringContaining('No gateway is running') })
  expect(await webhooks()).toEqual([])
})
