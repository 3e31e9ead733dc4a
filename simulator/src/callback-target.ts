import { Pool } from 'undici'
import type { OutboxLimits } from './settings.ts'
import { signatureOf } from './wire-form.ts'

/** Where notices go and what signs them. */
export type Callback = { url: string; appSecret: string }

/** How the callback answered: its HTTP status, or null with the reason why there is none. */
export type PostResult = { status: number | null; error: string | null }

/** What stands in the signature header. */
export type Signing = 'right' | 'wrong' | 'none'

/** An open way to a callback. Posting never rejects; after `close` it answers with an error. */
export type Target = { post(body: string, signing: Signing): Promise<PostResult>; close(): Promise<void> }

/** Opens connections as they are needed, at most as many as the limits say. Without a callback every post fails at once. */
export function openTarget(callback: Callback | null, limits: OutboxLimits): Target {
  if (callback === null)
    return { post: () => Promise.resolve({ status: null, error: 'no callback is set' }), close: () => Promise.resolve() }
  const { origin, pathname, search } = new URL(callback.url)
  const { timeoutMs, connections } = limits
  const pool = new Pool(origin, { connections, allowH2: false, pipelining: 1, connect: { timeout: timeoutMs } })
  const usual = { method: 'POST', path: pathname + search, headersTimeout: timeoutMs, bodyTimeout: timeoutMs } as const
  const post = async (body: string, signing: Signing): Promise<PostResult> => {
    try {
      const answer = await pool.request({ ...usual, headers: headersFor(body, signing, callback.appSecret), body })
      await answer.body.dump()
      return { status: answer.statusCode, error: null }
    } catch (error) {
      return { status: null, error: error instanceof Error ? error.message || error.name : String(error) }
    }
  }
  return { post, close: () => pool.destroy() }
}

function headersFor(body: string, signing: Signing, appSecret: string): { [name: string]: string } {
  const headers = { 'content-type': 'application/json', 'user-agent': 'facebookexternalua' }
  if (signing === 'none') return headers
  return { ...headers, 'x-hub-signature-256': signatureOf(body, signing === 'wrong' ? `not ${appSecret}` : appSecret) }
}
