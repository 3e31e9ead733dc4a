import { Client } from 'pg'
import type { Address } from '../stage/postgres.ts'
import { readOrders } from '../stage/program.ts'

/** B1: so many connections, each inserting one row after the other, every one a commit. */
const { address, connections, count } = await readOrders<{ address: Address; connections: number; count: number }>()
const clients = Array.from({ length: connections }, () => new Client({ ...address, ssl: false }))
await Promise.all(clients.map((client) => client.connect()))
await clients[0]?.query('create table if not exists single_row (id bigint generated always as identity primary key, words text not null)')
const words = 'x'.repeat(100)
let left = count
const insertOn = async (client: Client) => {
  for (; left > 0; ) {
    left -= 1
    await client.query({ name: 'insert', text: 'insert into single_row (words) values ($1)', values: [words] })
  }
}
const startedMs = performance.now()
await Promise.all(clients.map(insertOn))
const tookMs = performance.now() - startedMs
await Promise.all(clients.map((client) => client.end()))
process.stdout.write(JSON.stringify({ perSecond: (count * 1_000) / tookMs }))
