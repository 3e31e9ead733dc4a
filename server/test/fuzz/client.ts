import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Answer } from '../support/caller.ts'
import type { FuzzRequest } from './request.ts'

export type Client = { send(asked: FuzzRequest): Promise<Answer>; close(): void }

/** Longer than any answer may take, on a busy machine too. */
const answerMsMax = 60_000

/** Node's own client, which sends nearly everything that it is told to. */
export function createClient(url: string): Client {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const outgoing = request({ hostname, port, agent, method, path, headers: { ...headers, ...lengthOf(body) }, timeout: answerMsMax })
        outgoing.once('timeout', () => outgoing.destroy(new Error(`no answer within ${answerMsMax / 1000} seconds`)))
        outgoing.once('error', reject)
        outgoing.once('response', (incoming) => {
          const { statusCode = 0, headers: answered } = incoming
          buffer(incoming).then((bytes) => {
            const text = bytes.toString('utf8')
            resolve({ status: statusCode, headers: answered as Answer['headers'], bytes, text, body: parsed(text) })
          }, reject)
        })
        outgoing.end(body ?? undefined)
      }),
    close: () => agent.destroy(),
  }
}

const lengthOf = (body: string | Buffer | null) => (body === null ? {} : { 'content-length': Buffer.byteLength(body) })

function parsed(words: string): unknown {
  try {
    return JSON.parse(words)
  } catch {
    return null
  }
}
