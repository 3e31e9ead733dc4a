import { Agent, request } from 'node:http'

type Asked = {
  port: number
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: Buffer | string
  /** The address of this machine that it comes from. */
  from?: string
}
type Told = { status: number; body: string; setCookie: string }

/** Of strangers: an address that no customer has. */
export const strangersAddress = '127.0.0.66'
const answerMsMax = 30_000
const agents = new Map<string, Agent>()

/** Asks a gateway as a program at that address does. Rejects when no answer comes. */
export function ask({ port, method = 'GET', path, headers = {}, body, from = '127.0.0.1' }: Asked): Promise<Told> {
  const agent = agents.get(from) ?? new Agent({ keepAlive: true, maxSockets: 512, localAddress: from })
  agents.set(from, agent)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(answerMsMax)
    const asked = request(
      { host: '127.0.0.1', port, method, path, agent, signal, headers: { ...type, ...length, ...headers } },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        answer.once('error', reject)
        answer.once('end', () => {
          const cookies = (answer.headers['set-cookie'] ?? []).map((each) => each.split(';')[0])
          resolve({ status: answer.statusCode ?? 0, body: text, setCookie: cookies.join('; ') })
        })
      },
    )
    asked.once('error', reject)
    asked.end(body)
  })
}

/** So many callers, each of whom asks, waits at least so long since it asked, and asks again, whatever was answered. Answers what ends them. */
export function callers(count: number, everyMs: number, act: (n: number) => Promise<unknown>): () => Promise<void> {
  let ended = false
  let n = 0
  const call = async () => {
    while (!ended) {
      n += 1
      const rest = new Promise((resolve) => setTimeout(resolve, everyMs))
      await act(n).catch(() => {})
      await rest
    }
  }
  const calling = Promise.all(Array.from({ length: count }, call))
  return async () => {
    ended = true
    await calling
  }
}
