import { letOthersRun } from '../../base/let-others-run.ts'
import type { Auth, AuthOptions } from './auth.ts'

export type AuthLoader = {
  /** The library, loaded by whoever asks first: it costs 0.6 s and 50 MB, which no start waits for. */
  auth(): Promise<Auth>
  close(): Promise<void>
}

/**
 * The library in pieces, each of which needs those before it. A module keeps the event loop until all that it imports is loaded: at once, the
 * first sign-in after a start made everybody wait for 0.6 s.
 */
const pieces: readonly (() => Promise<unknown>)[] = [
  () => import('better-auth/crypto'),
  () => import('better-auth/cookies'),
  () => import('better-auth/db'),
  () => import('better-auth/api'),
  () => import('better-auth'),
  () => import('better-auth/plugins/two-factor'),
]

export function createAuthLoader(options: AuthOptions): AuthLoader {
  let loading: Promise<Auth> | null = null
  const load = async () => {
    for (const piece of pieces) {
      await piece()
      await letOthersRun()
    }
    const { openAuth } = await import('./auth.ts')
    return openAuth(options)
  }
  return {
    auth() {
      loading ??= load()
      return loading
    },
    async close() {
      await (await loading)?.close()
    },
  }
}
