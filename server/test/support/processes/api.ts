import { request } from 'undici'

export type Answer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire says, not what our types promise
  body: any
}

export type Api = {
  get(path: string): Promise<Answer>
  post(path: string, body: object, headers?: Record<string, string>): Promise<Answer>
  delete(path: string): Promise<Answer>
}

const answerMsMax = 120_000

/** Calls a gateway with one key, as a customer's program does; each call on a connection of its own, so that a restart goes unnoticed. */
export function apiOf(url: string, key: string): Api {
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, sent?: { body: object; headers: Record<string, string> }) => {
    const { statusCode, headers, body } = await request(`${url}${path}`, {
      method,
      headers: {
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json', ...sent.headers }),
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent.body) }),
      reset: true,
      signal: AbortSignal.timeout(answerMsMax),
    })
    const text = await body.text()
    return { status: statusCode, headers, body: text === '' ? null : JSON.parse(text) }
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body, headers = {}) => call('POST', path, { body, headers }),
    delete: (path) => call('DELETE', path),
  }
}
