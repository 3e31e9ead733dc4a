import type { ClientConfig } from 'pg'
import type { Rows } from './audit.ts'
import type { Trouble } from './histories.ts'
import { dumpBesidePartitions } from './nightly-dump.ts'
import type { NoisyAccount } from './noisy-account.ts'
import { mendTokenSql, spoilTokenSql } from './spoilt-token.ts'
import { announceBodies, dripHeaders, type Nuisance, postUnsignedNotices } from './strangers.ts'
import type { PlannedTrouble } from './troubles.ts'

/** Where trouble is made. */
export type Scene = {
  /** Of the balancer. */
  url: string
  /** Of the gateways themselves, for strangers: they come from another address. */
  ports: readonly number[]
  /** Past every proxy. */
  connection: () => Promise<ClientConfig>
  rows: Rows
  noisy: NoisyAccount
  channelUuid: string
  /** Notes what the noisy account asked for and was answered. */
  write: (line: object) => void
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Makes the trouble for as long as it was planned, and takes it away. */
export async function makeTrouble(scene: Scene, { name, ms }: PlannedTrouble): Promise<Omit<Trouble, 'cycle' | 'calmFromMs'>> {
  const fromMs = Date.now()
  await troubles[name](scene, ms)
  return { kind: 'trouble', name, fromMs, toMs: Date.now() }
}

const aWhile = async (nuisance: Nuisance, ms: number) => {
  await pause(ms)
  nuisance.end()
}

const troubles: { [Name in PlannedTrouble['name']]: (scene: Scene, ms: number) => Promise<void> } = {
  'announced-bodies': ({ ports }, ms) => aWhile(announceBodies(ports), ms),
  'slow-headers': ({ ports }, ms) => aWhile(dripHeaders(ports), ms),
  'unsigned-notices': ({ ports }, ms) => aWhile(postUnsignedNotices(ports), ms),
  async 'costly-lists'(scene, ms) {
    const untilMs = Date.now() + ms
    await Promise.all(costlyLists.map((path) => listAgainAndAgain(scene, path, untilMs)))
  },
  'damaged-token': damageToken,
  async 'nightly-dump'(scene, ms) {
    const end = await dumpBesidePartitions(scene)
    await pause(ms)
    await end()
  },
  'operators-ddl': changeTables,
}

/** Each reads all of an account and finds little or nothing. */
const costlyLists = ['status=failed', 'status=read', 'status=sent', 'source=ai', 'source=crm', 'status=failed&direction=outbound'] as const
const listMsMax = 15_000

async function listAgainAndAgain({ url, noisy }: Scene, query: string, untilMs: number): Promise<void> {
  while (Date.now() < untilMs) {
    const headers = { authorization: `Bearer ${noisy.liveKey}` }
    const signal = AbortSignal.timeout(listMsMax)
    // Whatever it is answered: it is the others who are judged.
    await fetch(`${url}/v1/messages?limit=100&${query}`, { headers, signal }).then(
      (response) => response.arrayBuffer().catch(() => {}),
      () => pause(100),
    )
  }
}

let noisySends = 0

/** A token that nobody can open, of a number that has something to send. */
async function damageToken(scene: Scene, ms: number): Promise<void> {
  await scene.rows(spoilTokenSql, [scene.channelUuid])
  const sending = scene.noisy.people.map((to) => sendNoisily(scene, to))
  await pause(ms)
  await Promise.all(sending)
  await scene.rows(mendTokenSql, [scene.channelUuid])
}

async function sendNoisily({ url, noisy, write }: Scene, to: string): Promise<void> {
  noisySends += 1
  const key = `noisy-${noisySends}`
  const asked = { key, attempt: 1, accountId: noisy.accountId, channelId: noisy.channelId, to, livemode: true, keyed: false }
  write({ kind: 'request', atMs: Date.now(), ...asked })
  const answered = { kind: 'answer', key, attempt: 1, replayed: false }
  try {
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${noisy.liveKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to, channel_id: noisy.channelId, type: 'text', text: { body: 'Oi' }, client_reference: key }),
      signal: AbortSignal.timeout(listMsMax),
    })
    const { id } = (await response.json()) as { id?: string }
    write({ ...answered, atMs: Date.now(), status: response.status, id: id ?? null })
  } catch {
    write({ ...answered, atMs: Date.now(), status: null, id: null })
  }
}

/** What an operator does with care: each lock is asked for with a limit and given back soon. */
async function changeTables({ rows }: Scene, ms: number): Promise<void> {
  const statements = [
    'lock table message in access exclusive mode',
    'alter table webhook set (fillfactor = 90)',
    'alter table send_queue set (autovacuum_vacuum_threshold = 5000)',
    'lock table event, delivery in share row exclusive mode',
    'alter table channel alter column phone set statistics 200',
  ]
  const untilMs = Date.now() + ms
  for (let i = 0; Date.now() < untilMs; i += 1) {
    const text = `begin; set local lock_timeout = '100ms'; ${statements[i % statements.length]}; select pg_sleep(0.05); commit`
    await rows(text).catch(() => {})
    await pause(100)
  }
}
