import type { Pool } from 'undici'

/** The connections to one origin, with what decides when they may go. */
export type OriginPool = { readonly pool: Pool; running: number; idleSinceMs: number }

/** One pool of connections per origin, kept only while it is used. */
export type OriginPools = {
  /** The pool for this URL's origin, counted as used until `release`. */
  take(url: URL): OriginPool
  release(origin: OriginPool, nowMs: number): void
  closeIdle(nowMs: number): void
  closeAll(): Promise<void>
  size(): number
}

/**
 * undici's Agent would do, but it keeps the pool of an origin whose connecting was given up (checked with 8.13), so that dead receivers would
 * gather for as long as the process lives.
 */
export function originPools(deps: { open: (origin: URL) => Pool; idleMs: number }): OriginPools {
  const pools = new Map<string, OriginPool>()
  return {
    take(url) {
      let origin = pools.get(url.origin)
      if (origin === undefined) {
        origin = { pool: deps.open(url), running: 0, idleSinceMs: 0 }
        pools.set(url.origin, origin)
      }
      origin.running += 1
      return origin
    },
    release(origin, nowMs) {
      origin.running -= 1
      origin.idleSinceMs = nowMs
    },
    closeIdle(nowMs) {
      for (const [key, { pool, running, idleSinceMs }] of pools) {
        if (running > 0 || nowMs - idleSinceMs < deps.idleMs) continue
        pools.delete(key)
        void pool.destroy()
      }
    },
    async closeAll() {
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map(({ pool }) => pool.destroy()))
    },
    size: () => pools.size,
  }
}
