import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startGateway } from '../../server/src/app.ts'
import { systemClock } from '../../server/src/base/clock.ts'
import { readConfig } from '../../server/src/config.ts'
import { connectChannel } from '../../server/src/features/channels/public.ts'
import { startBundledPostgres } from '../../server/src/platform/database/bundled/start.ts'
import { done, makeAccount } from '../../server/test/support/accounts.ts'
import type { Simulator } from '../../simulator/src/simulator.ts'
import type { Recorder } from './recorder.ts'
import { everyKind } from './sends.ts'

type Ask = (method: string, path: string, body?: object | FormData) => Promise<Answer>
// biome-ignore lint/suspicious/noExplicitAny: answers have every shape.
type Answer = { status: number; json: any }

const appSecret = 'app-secret-of-the-exchanges'
const person = '15550107713'

/** Lets a whole gateway, on a database of its own, do all that it does upstream. Answers what it would not do, one sentence each. */
export async function playGateway(recorder: Recorder, simulator: Simulator): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pombo-meta-contract-'))
  const clock = systemClock()
  const quick = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const postgres = await startBundledPostgres({ clock, observe: () => {} }, { dataDir: join(dataDir, 'postgres'), settings: quick })
  try {
    const secretKey = randomBytes(32)
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: 'postgres://unused@127.0.0.1/unused',
      SECRET_KEY: secretKey.toString('base64'),
      META_APP_SECRET: appSecret,
      META_VERIFY_TOKEN: 'verify-me',
      META_GRAPH_URL: recorder.url,
      META_GRAPH_VERSION: 'v23.0',
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
    })
    const network = { graphUrl: recorder.url, appSecrets: [appSecret], verifyToken: 'verify-me', connection: postgres.connection }
    if (config.secretKey === null) throw new Error('the secret key was just set')
    const gateway = await startGateway({ ...network, config, clock, observe: () => {}, alone: true })
    try {
      simulator.setCallback({ url: `${gateway.url}/upstream/notices`, appSecret })
      recorder.label = 'gateway connects a number'
      const deps = { database: gateway.database, clock, graph: gateway.graph, secretKey: config.secretKey }
      const account = await makeAccount(deps, simulator, 1)
      done(await connectChannel(deps, { accountId: account.uuid, ...account.channel, pin: '123456' }))
      return await playAccount(askerOf(gateway.url, account.live), { recorder, simulator, phoneNumberId: account.channel.phoneNumberId })
    } finally {
      await gateway.stop()
    }
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Stage = { recorder: Recorder; simulator: Simulator; phoneNumberId: string }

async function playAccount(ask: Ask, stage: Stage): Promise<string[]> {
  const refused: string[] = []
  const tryTo = async (label: string, method: string, path: string, body?: object | FormData): Promise<Answer> => {
    stage.recorder.label = `gateway: ${label}`
    const answer = await ask(method, path, body)
    if (answer.status >= 400) refused.push(`${label}: answered ${answer.status} ${answer.json?.error?.code ?? ''}`)
    return answer
  }
  const inbound = await openWindow(ask, stage)
  for (const { name, content } of everyKind(null)) await sendAndWait(tryTo, stage, name, content)
  await sendAndWait(tryTo, stage, 'reaction', { type: 'reaction', reaction: { message_id: inbound, emoji: '👍' } })
  await sendAndWait(tryTo, stage, 'quotation', { type: 'text', text: { body: 'Hi' }, reply_to: inbound })
  await tryTo('mark as read', 'POST', `/v1/messages/${encodeURIComponent(inbound)}/read`, { typing_indicator: true })
  const { json } = await tryTo('upload', 'POST', '/v1/media', pictureForm())
  if (typeof json?.url === 'string') await sendAndWait(tryTo, stage, 'own file', { type: 'image', image: { link: json.url } })
  await tryTo('list numbers', 'GET', '/v1/channels')
  await tryTo('list templates', 'GET', '/v1/templates')
  await tryTo('submit a template', 'POST', '/v1/templates', template)
  await tryTo('read a template', 'GET', '/v1/templates/order_update')
  await tryTo('delete a template', 'DELETE', '/v1/templates/parcel_update_two')
  return refused
}

const template = {
  name: 'parcel_update_two',
  language: 'en_US',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Parcel {{1}} is on its way.', example: { body_text: [['4711']] } }],
}

/** A picture of one pixel: the gateway looks at the bytes. */
function pictureForm(): FormData {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(Buffer.from(png, 'base64'))], { type: 'image/png' }), 'a.png')
  return form
}

const waitMs = 50
const waitsMax = 200

/** The person writes first, so that everything may be sent. Answers the id by which the gateway knows that message. */
async function openWindow(ask: Ask, { simulator, phoneNumberId }: Stage): Promise<string> {
  const told = await simulator.inbound({ from: person, text: 'Hi', phone_number_id: phoneNumberId })
  if (told.status !== 200) throw new Error(`the gateway answered a notice with ${told.status}: ${told.error}`)
  for (let i = 0; i < waitsMax; i += 1) {
    const { json } = await ask('GET', '/v1/messages')
    const id = (json?.data ?? []).find((each: { direction: string }) => each.direction === 'inbound')?.id ?? json?.data?.[0]?.id
    if (typeof id === 'string') return id
    await pause(waitMs)
  }
  throw new Error('the gateway does not show the message of a notice that it took')
}

type TryTo = (label: string, method: string, path: string, body?: object) => Promise<Answer>

/** Sends, and waits until the platform has seen it, so that what passes by is known to be this send. */
async function sendAndWait(tryTo: TryTo, { simulator }: Stage, name: string, content: object): Promise<void> {
  const before = simulator.sends.at(-1)?.sequence ?? 0
  const { status } = await tryTo(`send ${name}`, 'POST', '/v1/messages', { to: `+${person}`, ...content })
  if (status !== 202) return
  for (let i = 0; i < waitsMax; i += 1) {
    if (simulator.sendsAfter(before).length > 0) return
    await pause(waitMs)
  }
}

function askerOf(url: string, key: string): Ask {
  return async (method, path, body) => {
    const json = body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...json },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : null }
  }
}
