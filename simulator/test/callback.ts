import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as it reached the callback: the bytes themselves, so that a signature can be checked over them. */
type Received = { method: string; url: string; signature: string | undefined; bytes: Buffer }

/** A status or message picked out of what was received. */
type Item = { id: string; status?: string; [key: string]: unknown }

/** A callback that records, and answers as it is told to (200 unless told). */
export type TestCallback = {
  url: string
  received: Received[]
  /** The statuses received so far, in the order of arrival. */
  statuses(): Item[]
  messages(): Item[]
  answerWith(answer: (request: IncomingMessage, response: ServerResponse) => void): void
  close(): Promise<void>
}

/** Listens on a port of the system's choice. */
export async function openCallback(): Promise<TestCallback> {
  const received: Received[] = []
  let answer = (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200).end()
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const signature = request.headers['x-hub-signature-256']
      received.push({ method: request.method ?? '', url: request.url ?? '', signature: String(signature), bytes: Buffer.concat(chunks) })
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  const values = () => received.filter((each) => each.method === 'POST').flatMap((each) => valuesIn(each.bytes))
  return {
    url: `http://127.0.0.1:${port}/notices`,
    received,
    statuses: () => values().flatMap((value) => value.statuses ?? []),
    messages: () => values().flatMap((value) => value.messages ?? []),
    answerWith: (next) => {
      answer = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function valuesIn(bytes: Buffer): { statuses?: Item[]; messages?: Item[] }[] {
  const body = JSON.parse(bytes.toString('utf8')) as { entry: { changes: { value: { statuses?: Item[]; messages?: Item[] } }[] }[] }
  return body.entry.flatMap((entry) => entry.changes.map((change) => change.value))
}
