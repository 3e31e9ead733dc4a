import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { newDataDir, removeDataDirs } from '../../server/test/support/processes/data-dir.ts'
import { environment, freePort } from '../../server/test/support/processes/gateway-process.ts'
import { runs } from '../../server/test/support/processes/program.ts'
import { bundledConnection } from '../../server/test/support/processes/rows.ts'
import { until } from '../../server/test/support/processes/until.ts'
import { runPomboHere } from '../../server/test/support/run-pombo.ts'
import type { Rows } from '../audit.ts'
import { bulkMessagesSql } from '../bulk-messages.ts'
import { describeGateway, type Gateway } from '../gateways.ts'
import { uuidOf } from '../histories.ts'
import { type SideProgram, startSideProgram } from '../side-program.ts'
import { ask } from './ask.ts'

/** An account with a number, people who have written to it, and somebody of its team who has signed in to the console. */
export type Resident = {
  accountId: string
  channelId: string
  phoneNumberId: string
  key: string
  people: readonly string[]
  /** What its member's browser sends. */
  cookie: string
}

/** One gateway as it comes, with its own PostgreSQL and with no limit lifted, and who lives on it. */
export type Town = {
  port: number
  gateway: Gateway
  rows: Rows
  connection(): Promise<ClientConfig>
  /** Who has the long history. */
  noisy: Resident
  /** Somebody new, who has used up no limit yet. */
  newcomer(): Promise<Resident>
  others: readonly Resident[]
  /** Bad receivers, by the first part of their path: `hangs`, `drips`, `floods`. */
  badReceiversUrl: string
  /** How many of everything: 1 at full size. */
  share: number
}

const secrets = { META_APP_SECRET: 'upstream-app-secret', META_VERIFY_TOKEN: 'upstream-verify-token' }
const residents = 5
/** One for each scenario that asks for one, and for each time that it is tried again. */
const newcomersMax = 40
/** More than a number sends in a second, so that hardly one waits behind another to the same person. */
const peopleEach = 60
const rowsPerStatement = 100_000
const fullSize = 1_000_000

type Options = { messages: number; folder: string; undo: (() => Promise<unknown>)[] }

const numberOf = (i: number) => ({
  phoneNumberId: `1183509277645${100 + i}`,
  wabaId: `2048173965502${100 + i}`,
  displayDigits: `55114002${9_000 + i}`,
  token: `upstream-token-${i}`,
  people: Array.from({ length: peopleEach }, (_each, person) => `5511${980_000_000 + 1_000 * i + person}`),
})

/** Builds it. Nothing of it stays once all of `undo` is done, the last first. */
export async function openTown({ messages, folder, undo }: Options): Promise<Town> {
  undo.push(removeDataDirs)
  const dataDir = await newDataDir()
  const side = async (args: readonly string[]): Promise<SideProgram> => {
    const program = await startSideProgram(args, { logFile: join(folder, 'side-programs.log'), printsUrl: true })
    undo.push(() => program.end(5_000))
    return program
  }
  const numbers = Array.from({ length: residents + newcomersMax }, (_, i) => numberOf(i))
  const simulator = await side(simulatorArguments(numbers))
  const receivers = await side([join(import.meta.dirname, '../receivers.ts'), join(folder, 'bad-receipts.jsonl')])
  const settings = {
    ...secrets,
    ...{ UPSTREAM: 'meta', META_GRAPH_URL: simulator.url, ALLOW_PRIVATE_WEBHOOKS: 'true', DATA_DIR: dataDir },
    SMTP_URL: await silentMailServer(undo),
  }
  const port = await freePort()
  const gateway = describeGateway(0, { port, folder, settings: { ...settings, PUBLIC_URL: `http://127.0.0.1:${port}` }, tell: () => {} })
  undo.push(() => gateway.end('SIGTERM'))
  await gateway.start()
  await command(simulator.url, 'callback', { url: `http://127.0.0.1:${port}/upstream/notices` })
  const connection = () => bundledConnection(dataDir)
  const rows = rowsOver(connection)
  let settled = 0
  const newcomer = async () => {
    const number = numbers[settled]
    settled += 1
    if (number === undefined) throw new Error('The town is full.')
    const resident = await settle({ ...settings, PUBLIC_URL: `http://127.0.0.1:${port}` }, port, number)
    await letPeopleWrite(simulator.url, number, rows)
    return resident
  }
  const made: Resident[] = []
  while (made.length < residents) made.push(await newcomer())
  const [noisy, ...others] = made
  if (noisy === undefined) throw new Error('bug: nobody lives there')
  for (let written = 0; written < messages; written += rowsPerStatement)
    await rows(bulkMessagesSql, [uuidOf(noisy.accountId), uuidOf(noisy.channelId), Math.min(rowsPerStatement, messages - written), written])
  await rows('vacuum analyze message')
  return {
    port,
    gateway,
    rows,
    connection,
    noisy,
    newcomer,
    others,
    badReceiversUrl: receivers.url,
    share: Math.min(1, messages / fullSize),
  }
}

function simulatorArguments(numbers: readonly ReturnType<typeof numberOf>[]): string[] {
  const named = numbers.flatMap((each) => ['--number', `${each.phoneNumberId}:${each.wabaId}:${each.displayDigits}:${each.token}`])
  const signing = ['--app-secret', secrets.META_APP_SECRET, '--verify-token', secrets.META_VERIFY_TOKEN]
  return [...runs('simulator/src/main.ts'), ...named, ...signing, '--subscribed', '--notice-batch', '20']
}

async function command(simulatorUrl: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${simulatorUrl}/_sim/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`The simulator refused ${path}: ${await response.text()}`)
}

async function settle(settings: Record<string, string>, port: number, number: ReturnType<typeof numberOf>): Promise<Resident> {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runPomboHere([...args, '--json'], environment(settings))
    if (code !== 0) throw new Error(`${args[0]} ${args[1]} failed: ${stdout}${stderr}`)
    return JSON.parse(stdout)
  }
  const { id: accountId } = await run('account', 'create', '--name', 'Loja')
  const { key } = await run('key', 'create', '--account', accountId, '--live')
  const upstream = ['--phone-number-id', number.phoneNumberId, '--waba-id', number.wabaId, '--token', number.token]
  const channel = await run('channel', 'connect', '--account', accountId, ...upstream)
  const { link } = await run('user', 'create', '--account', accountId, '--email', `${number.token}@example.com`)
  const cookie = await signIn(port, link)
  return { accountId, channelId: channel.id, phoneNumberId: number.phoneNumberId, key, people: number.people, cookie }
}

async function signIn(port: number, link: string): Promise<string> {
  const headers = { origin: `http://127.0.0.1:${port}` }
  const body = JSON.stringify({ token: link.split('#')[1] })
  const { status, body: told, setCookie } = await ask({ port, method: 'POST', path: '/console/api/sign-in/link/open', headers, body })
  if (status !== 200) throw new Error(`The link does not sign in: ${told}`)
  return setCookie
}

async function letPeopleWrite(simulatorUrl: string, number: ReturnType<typeof numberOf>, rows: Rows): Promise<void> {
  const { phoneNumberId, people } = number
  await Promise.all(people.map((from) => command(simulatorUrl, 'inbound', { from, text: 'Oi!', phone_number_id: phoneNumberId })))
  const windows = 'select count(*)::int as count from contact_window join channel on channel.id = channel_id where phone_number_id = $1'
  const written = async () => (await rows<{ count: number }>(windows, [phoneNumberId]))[0]?.count === people.length
  await until('everybody has written', written, 60_000)
}

function rowsOver(connection: () => Promise<ClientConfig>): Rows {
  return async <Row>(sql: string, values?: readonly unknown[]) => {
    const client = new Client(await connection())
    client.on('error', () => {})
    await client.connect()
    try {
      return (values === undefined ? await client.query(sql) : await client.query(sql, [...values])).rows as Row[]
    } finally {
      await client.end()
    }
  }
}

/** A mail server that takes every connection and never says a word. */
async function silentMailServer(undo: (() => Promise<unknown>)[]): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  undo.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}
