import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A system of the company's that is told of events: answers `status`, and keeps what came. */
export type Receiver = {
  url: string
  status: number
  receipts: { headers: IncomingHttpHeaders; body: Buffer }[]
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  // The port may have been another program's a moment ago, whose callers still call it.
  const path = `/eventos/${randomUUID()}`
  const server = createServer((request, response) => {
    if (request.url !== path) return void response.writeHead(404).end()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      receiver.receipts.push({ headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(receiver.status).end(receiver.status === 200 ? 'ok' : 'em manutenção')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    status: 200,
    receipts: [],
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
