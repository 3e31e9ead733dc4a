import { createHash, randomUUID } from 'node:crypto'
import { Pool } from 'pg'
import { newUuid } from '../../server/src/base/id.ts'
import type { Address } from '../stage/postgres.ts'
import { readOrders } from '../stage/program.ts'
import { percentile } from '../statistics.ts'

/**
 * B2: what most would write. The rows of a send (idempotency, message, queue) in a transaction of its own for each request, over
 * node-postgres with prepared statements. No HTTP, no key, no check of anything.
 */
type Orders = { address: Address; connections: number; callers: number; count: number }
const { address, connections, callers, count } = await readOrders<Orders>()
const pool = new Pool({ ...address, ssl: false, max: connections })
const accounts = Array.from({ length: 4 }, () => ({ id: randomUUID(), channelId: randomUUID() }))
const people = Array.from({ length: 4_000 }, () => randomUUID())

const statements = {
  key: {
    name: 'key',
    text: `insert into idempotency (account_id, livemode, key, body_hash, status_code, response, expires_at)
    values ($1, true, $2, $3, 202, $4, $5) on conflict do nothing`,
  },
  message: {
    name: 'message',
    text: `insert into message (account_id, id, livemode, channel_id, contact_id, direction, type, kind, status, text, content, client_reference, source)
    values ($1, $2, true, $3, $4, 'outbound', 'text', 'text', 'queued', $5, $6, $7, 'api')`,
  },
  queue: {
    name: 'queue',
    text: `insert into send_queue (account_id, message_id, channel_id, livemode, shard, contact_id, recipient, accepted_at, expires_at)
    values ($1, $2, $3, true, 7, $4, $5, $6, $7)`,
  },
}

async function accept(i: number): Promise<void> {
  const now = new Date()
  const id = newUuid(now)
  const account = accounts[i % accounts.length] ?? { id: '', channelId: '' }
  const contactId = people[i % people.length]
  const text = `Olá! O seu pedido ${i} saiu para entrega e chega hoje até as 18h.`
  const content = JSON.stringify({ text: { body: text } })
  const hash = createHash('sha256').update(content).digest()
  const answer = JSON.stringify({
    id,
    object: 'message',
    direction: 'outbound',
    channel_id: account.channelId,
    type: 'text',
    status: 'queued',
    text,
  })
  const later = new Date(now.getTime() + 900_000)
  const client = await pool.connect()
  await client.query('begin')
  await client.query({ ...statements.key, values: [account.id, id, hash, answer, later] })
  await client.query({ ...statements.message, values: [account.id, id, account.channelId, contactId, text, content, `ref-${i}`] })
  await client.query({ ...statements.queue, values: [account.id, id, account.channelId, contactId, '5511988770001', now, later] })
  await client.query('commit')
  client.release()
}

const latencies = new Float64Array(count)
let next = 0
const callOn = async () => {
  while (next < count) {
    const i = next
    next += 1
    const atMs = performance.now()
    await accept(i)
    latencies[i] = performance.now() - atMs
  }
}
// Every connection is open and has its statements before it counts.
await Promise.all(Array.from({ length: connections * 2 }, (_, i) => accept(count + i)))
const startedMs = performance.now()
await Promise.all(Array.from({ length: callers }, callOn))
const tookMs = performance.now() - startedMs
await pool.end()
process.stdout.write(JSON.stringify({ perSecond: (count * 1_000) / tookMs, p99Ms: percentile(latencies, 0.99) }))
