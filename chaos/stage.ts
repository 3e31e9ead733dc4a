import { writeFileSync } from 'node:fs'
import { apiOf } from '../server/test/support/processes/api.ts'
import { environment } from '../server/test/support/processes/gateway-process.ts'
import { until } from '../server/test/support/processes/until.ts'
import { runPomboHere } from '../server/test/support/run-pombo.ts'
import type { Auditor } from './audit.ts'
import type { ClientOrders } from './client.ts'
import { type Account, uuidOf } from './histories.ts'
import { fillNoisyAccount, type NoisyAccount } from './noisy-account.ts'

/** A number that the simulator has, and who writes to it. */
export type UpstreamNumber = { phoneNumberId: string; wabaId: string; displayDigits: string; token: string; people: readonly string[] }

const accountCount = 3
const numbersPerAccount = 2
/** Few, so that several sends to one person wait behind each other. */
const peoplePerNumber = 12
/** How each account's receivers answer: the first part of their path. */
const receiverKinds = [
  ['ok', 'sometimes'],
  ['slow', 'ok'],
  ['flapping', 'hangs-up'],
] as const

/** The numbers of the run; the same in every run. */
export function upstreamNumbers(): UpstreamNumber[] {
  // The last is the number of the account that makes trouble.
  return Array.from({ length: accountCount * numbersPerAccount + 1 }, (_, i) => ({
    phoneNumberId: `11835092776440${i}`,
    wabaId: `20481739655012${Math.floor(i / numbersPerAccount)}`,
    displayDigits: `55114002892${i}`,
    token: `upstream-token-${i}`,
    people: Array.from({ length: peoplePerNumber }, (_each, person) => `551198${i}77${String(1_000 + person)}`),
  }))
}

type Options = { settings: Record<string, string>; url: string; simulatorUrl: string; receiversUrl: string; auditor: Auditor }

type Set = { accounts: Account[]; numbers: ClientOrders['numbers']; noisy: NoisyAccount }

/** Makes accounts with keys, connected numbers, webhooks, and lets everybody write once, so that each may be answered. */
export async function setStage(options: Options): Promise<Set> {
  const accounts: Account[] = []
  const numbers: ClientOrders['numbers'][number][] = []
  for (let i = 0; i < accountCount; i += 1) {
    const mine = upstreamNumbers().slice(i * numbersPerAccount, (i + 1) * numbersPerAccount)
    const made = await makeAccount(options, mine)
    const webhooks = await registerWebhooks(
      options,
      made.liveKey,
      (receiverKinds[i] ?? []).map((kind) => `/${kind}/${i}`),
    )
    accounts.push({
      id: uuidOf(made.id),
      channels: made.channels.map(({ id, phoneNumberId }) => ({ id: uuidOf(id), phoneNumberId })),
      webhooks,
    })
    for (const { id, phoneNumberId, people } of made.channels)
      numbers.push({ accountId: made.id, channelId: id, phoneNumberId, liveKey: made.liveKey, testKey: made.testKey, people })
  }
  const made = await makeAccount(options, upstreamNumbers().slice(-1))
  const noisy = noisyOf(made)
  accounts.push({
    id: uuidOf(made.id),
    channels: made.channels.map(({ id, phoneNumberId }) => ({ id: uuidOf(id), phoneNumberId })),
    webhooks: [],
  })
  await letPeopleWrite(options)
  await fillNoisyAccount(options.auditor.rows, { accountUuid: uuidOf(noisy.accountId), channelUuid: uuidOf(noisy.channelId) })
  return { accounts, numbers, noisy }
}

function noisyOf({ id, liveKey, channels }: Awaited<ReturnType<typeof makeAccount>>): NoisyAccount {
  const [channel] = channels
  if (channel === undefined) throw new Error('bug: the noisy account has no number')
  return { accountId: id, channelId: channel.id, liveKey, people: channel.people }
}

async function makeAccount({ settings }: Options, numbers: readonly UpstreamNumber[]) {
  const run = async (...args: string[]) => {
    const { code, stdout } = await runPomboHere([...args, '--json'], environment(settings))
    if (code !== 0) throw new Error(`${args[0]} ${args[1]} failed: ${stdout}`)
    return JSON.parse(stdout)
  }
  const { id } = await run('account', 'create', '--name', 'Loja')
  const { key: liveKey } = await run('key', 'create', '--account', id, '--live')
  const { key: testKey } = await run('key', 'create', '--account', id, '--test')
  const channels: { id: string; phoneNumberId: string; people: readonly string[] }[] = []
  for (const { phoneNumberId, wabaId, token, people } of numbers) {
    const number = ['--phone-number-id', phoneNumberId, '--waba-id', wabaId, '--token', token]
    const channel = await run('channel', 'connect', '--account', id, ...number)
    channels.push({ id: channel.id, phoneNumberId, people })
  }
  return { id: String(id), liveKey: String(liveKey), testKey: String(testKey), channels }
}

async function registerWebhooks({ url, receiversUrl }: Options, key: string, paths: readonly string[]) {
  const webhooks: Account['webhooks'][number][] = []
  for (const path of paths) {
    const { status, body } = await apiOf(url, key).post('/v1/webhooks', { url: `${receiversUrl}${path}`, events: ['*'] })
    if (status !== 201) throw new Error(`The webhook was refused: ${JSON.stringify(body)}`)
    webhooks.push({ id: uuidOf(body.id), path, secret: body.secret })
  }
  return webhooks
}

async function letPeopleWrite({ simulatorUrl, auditor }: Options): Promise<void> {
  const simulator = apiOf(simulatorUrl, '')
  for (const { phoneNumberId, people } of upstreamNumbers())
    await Promise.all(people.map((from) => simulator.post('/_sim/inbound', { from, text: 'Oi!', phone_number_id: phoneNumberId })))
  const wanted = (accountCount * numbersPerAccount + 1) * peoplePerNumber
  const written = async () => (await auditor.count('select count(*)::int as count from contact_window')) === wanted
  await until('everybody has written', written, 60_000)
}

/** The client's orders, as a file. */
export function writeOrders(file: string, orders: ClientOrders): void {
  writeFileSync(file, JSON.stringify(orders))
}
