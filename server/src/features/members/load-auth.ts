import type { Auth, AuthOptions } from './auth.ts'

export type AuthLoader = {
  /** The library, loaded by whoever asks first: it costs 0.4 s and 50 MB, which no start waits for. */
  auth(): Promise<Auth>
  close(): Promise<void>
}

export function createAuthLoader(options: AuthOptions): AuthLoader {
  let loading: Promise<Auth> | null = null
  return {
    auth() {
      loading ??= import('./auth.ts').then(({ openAuth }) => openAuth(options))
      return loading
    },
    async close() {
      await (await loading)?.close()
    },
  }
}
