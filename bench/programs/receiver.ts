import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { percentile } from '../statistics.ts'

/** What came under the first part of a path since it began anew. Moments by the wall clock, in milliseconds. */
export type Received = { count: number; firstMs: number; lastMs: number; p50Ms: number; p99Ms: number; maxMs: number }

/**
 * A customer's receiver of events, as a program that prints its address. `/count/…` answers 204 at once, `/timed/…` too and notes how
 * long after the event's `created_at` its first byte came, `/hang/…` never answers. `GET /_taken/count` tells what came under
 * `/count/`, `DELETE` too and begins anew.
 */
type Kept = { count: number; firstMs: number; lastMs: number; latencies: number[] }
const kept = new Map<string, Kept>()
const wallMs = () => performance.timeOrigin + performance.now()
const createdAt = /"created_at":"([^"]+)"/

const server = createServer((request, response) => {
  const atMs = wallMs()
  const [, label = '', name = ''] = (request.url ?? '').split('/')
  if (label === '_taken') {
    tell(response, name)
    if (request.method === 'DELETE') kept.delete(name)
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    note(label, atMs, chunks)
    if (label !== 'hang') response.writeHead(204).end()
  })
})
server.keepAliveTimeout = 60_000
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }))
})
process.on('SIGTERM', () => process.exit(0))

function note(label: string, atMs: number, chunks: readonly Buffer[]): void {
  const mine = kept.get(label) ?? { count: 0, firstMs: atMs, lastMs: atMs, latencies: [] }
  kept.set(label, mine)
  mine.count += 1
  mine.lastMs = atMs
  if (label !== 'timed') return
  const created = createdAt.exec(chunks[0]?.toString('latin1', 0, 400) ?? '')?.[1]
  if (created !== undefined) mine.latencies.push(atMs - Date.parse(created))
}

function tell(response: ServerResponse<IncomingMessage>, label: string): void {
  const { count, firstMs, lastMs, latencies } = kept.get(label) ?? { count: 0, firstMs: 0, lastMs: 0, latencies: [] }
  const [p50Ms, p99Ms, maxMs] = [0.5, 0.99, 1].map((share) => (latencies.length === 0 ? 0 : percentile(latencies, share)))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ count, firstMs, lastMs, p50Ms, p99Ms, maxMs }))
}
