import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A call as it came over the wire. */
export type Heard = { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer }

/** How one call is answered: as told, or by doing something to the connection. */
export type Reply = { status: number; headers?: Record<string, string>; body?: unknown } | ((response: ServerResponse) => void)

export type StandIn = { url: string; heard: Heard[]; close(): Promise<void> }

/**
 * Stands where the gateway would, to fail in ways that a gateway cannot be asked for. Answers by the script, and from its end on with the
 * last of it. Takes the port that the system gives.
 */
export async function startStandIn(...script: Reply[]): Promise<StandIn> {
  const heard: Heard[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const reply = script[heard.length] ?? script.at(-1) ?? { status: 200 }
    heard.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    if (typeof reply === 'function') return reply(response)
    response.writeHead(reply.status, { 'content-type': 'application/json', 'request-id': 'req_stand-in', ...reply.headers })
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}))
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    heard,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The gateway's own form of a refusal. */
export function refusal(status: number, code: string, more: { headers?: Record<string, string>; details?: object[] } = {}): Reply {
  const { headers = {}, details } = more
  const error = { code, message: `refused: ${code}`, request_id: 'req_stand-in', ...(details === undefined ? {} : { details }) }
  return { status, headers, body: { error } }
}
