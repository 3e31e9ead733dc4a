import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One POST as a receiver saw it. */
export type Receipt = { path: string; headers: IncomingHttpHeaders; body: Buffer }

export type LocalReceiver = {
  /** Every POST so far, in order of arrival, recorded before it is answered. */
  readonly receipts: Receipt[]
  urlOf(path: string): string
  /** How a path answers from now on; 200 until told. A function may keep the answer open. */
  answer(path: string, answer: number | ((response: ServerResponse) => void)): void
  of(path: string): Receipt[]
  close(): Promise<void>
}

/** A receiver for tests: real HTTP on a port of the system's choice. */
export async function localReceiver(): Promise<LocalReceiver> {
  const receipts: Receipt[] = []
  const answers = new Map<string, number | ((response: ServerResponse) => void)>()
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const path = request.url ?? ''
    receipts.push({ path, headers: request.headers, body: Buffer.concat(chunks) })
    const answer = answers.get(path) ?? 200
    if (typeof answer === 'function') answer(response)
    else response.writeHead(answer, answer >= 300 && answer < 400 ? { location: '/elsewhere' } : {}).end(`answered ${answer}`)
  }
  // A request that its sender cuts off is none that was received.
  const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    receipts,
    urlOf: (path) => `http://127.0.0.1:${port}${path}`,
    answer: (path, answer) => answers.set(path, answer),
    of: (path) => receipts.filter((each) => each.path === path),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
