import { Client } from 'undici'
import type { World } from './world.ts'

/** Whether the callback gave the challenge back, and what it answered. */
export type HandshakeResult = { echoed: boolean; status: number | null; error: string | null }

const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 1024

/** Asks the callback as the platform does when its address is registered: no signature, the verify token in the query. */
export async function shakeHands(world: World, verifyToken: string = world.callback.verifyToken): Promise<HandshakeResult> {
  if (world.callback.url === null) return { echoed: false, status: null, error: 'no callback is set' }
  const challenge = String(1_000_000_000 + world.random.below(1_000_000_000))
  const url = new URL(world.callback.url)
  url.searchParams.set('hub.mode', 'subscribe')
  url.searchParams.set('hub.challenge', challenge)
  url.searchParams.set('hub.verify_token', verifyToken)
  const client = new Client(url.origin, { allowH2: false })
  try {
    const answer = await client.request({ method: 'GET', path: url.pathname + url.search, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = (await answer.body.text()).slice(0, ANSWER_BYTES_MAX)
    return { echoed: answer.statusCode === 200 && text === challenge, status: answer.statusCode, error: null }
  } catch (error) {
    return { echoed: false, status: null, error: error instanceof Error ? error.message : String(error) }
  } finally {
    await client.destroy()
  }
}
