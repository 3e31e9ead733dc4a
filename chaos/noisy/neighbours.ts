import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { openLines } from '../run-folder.ts'
import { ask } from './ask.ts'
import type { Resident } from './town.ts'

/** What they are told, as a JSON file, once the town stands. */
export type NeighbourOrders = { port: number; others: readonly Resident[] }

/**
 * How long something took somebody who does nothing out of the ordinary; null: no answer came, or has come yet, when `status` is null. `reference` tells
 * one from the other; a send and its event have the same. The last line about one counts.
 */
export type Felt = {
  what: 'send' | 'event' | 'console' | 'ready'
  atMs: number
  tookMs: number | null
  status: number | null
  reference: string
}

/** Below the 600 a minute of one key. */
const sendEveryMs = 125
const consoleEveryMs = 250
const lookEveryMs = 250

/**
 * Everybody else, as a program: `neighbours.ts FELT ORDERS`. Each account sends at a steady rate whatever is answered, gets its events, and somebody of
 * its team reads the console; what each felt is a line of FELT. Prints the address of its receiver, begins once ORDERS is there, ends on SIGTERM.
 */
const [, , feltFile = '', ordersFile = ''] = process.argv
const lines = openLines(feltFile)
const felt = (line: Felt) => lines.write(line)
/** When each send was asked for, by its reference. */
const waiting = new Map<string, number>()
let count = 0

const server = createServer((request, response) => {
  buffer(request).then(
    (body) => {
      response.writeHead(204).end()
      const { type, data } = JSON.parse(body.toString()) as { type: string; data: { client_reference?: string } }
      const reference = data.client_reference ?? ''
      const atMs = waiting.get(reference)
      if (type !== 'message.sent' || atMs === undefined) return
      waiting.delete(reference)
      felt({ what: 'event', atMs, tookMs: Date.now() - atMs, status: 200, reference })
    },
    () => response.destroy(),
  )
})

async function timed(what: Felt['what'], asked: Parameters<typeof ask>[0], reference = next(what)): Promise<void> {
  const atMs = Date.now()
  felt({ what, atMs, tookMs: null, status: null, reference })
  const status = await ask(asked).then(
    (told) => told.status,
    () => 0,
  )
  felt({ what, atMs, tookMs: status === 0 ? null : Date.now() - atMs, status, reference })
}

function next(what: Felt['what']): string {
  count += 1
  return `${what}-${count}`
}

function send(port: number, { key, channelId, people }: Resident): void {
  const reference = next('send')
  const text = { body: `Olá ${count}` }
  const body = JSON.stringify({ to: people[count % people.length], channel_id: channelId, type: 'text', text, client_reference: reference })
  waiting.set(reference, Date.now())
  void timed('send', { port, method: 'POST', path: '/v1/messages', headers: { authorization: `Bearer ${key}` }, body }, reference)
}

async function begin(): Promise<void> {
  while (!existsSync(ordersFile)) await new Promise((resolve) => setTimeout(resolve, 50))
  const { port, others } = JSON.parse(readFileSync(ordersFile, 'utf8')) as NeighbourOrders
  others.forEach((each, i) => {
    setTimeout(() => setInterval(() => send(port, each), sendEveryMs), (i * sendEveryMs) / others.length)
    const path = `/console/api/accounts/${each.accountId}/conversations`
    setInterval(() => void timed('console', { port, path, headers: { cookie: each.cookie } }), consoleEveryMs)
  })
  setInterval(() => void timed('ready', { port, path: '/ready' }), lookEveryMs)
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.stdout.write(`{"url":"http://127.0.0.1:${address.port}"}\n`)
})
process.on('SIGTERM', () => {
  lines.close()
  process.exit(0)
})
await begin()
