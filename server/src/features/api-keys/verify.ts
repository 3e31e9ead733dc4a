import DataLoader from 'dataloader'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Caller } from './key.ts'
import { createLastUsed } from './last-used.ts'
import { hashOf, isWellFormed } from './secret.ts'
import { callersByHash } from './store.ts'

/** How many keys one query looks up. */
const keysPerQueryMax = 1_000

export type KeyVerifier = {
  /** Who sends this key; null when it is malformed, unknown or revoked. Throws while the database is away. */
  verify(bearer: string): Promise<Caller | null>
  /** Writes the moments of use that are still in memory. */
  close(): Promise<void>
}

/**
 * Looks up the keys of all requests of one event-loop turn in one prepared query. Nothing is remembered between turns: a
 * revoked key is refused by the very next call, on every process.
 */
// rule: authentication 5
export function createKeyVerifier(deps: { database: Database; clock: Clock }): KeyVerifier {
  const lastUsed = createLastUsed(deps)
  const loader = new DataLoader<Buffer, Caller | null>(
    async (hashes) => {
      const callers = await callersByHash(deps.database, hashes)
      return hashes.map((hash) => callers.get(hash.toString('hex')) ?? null)
    },
    { cache: false, maxBatchSize: keysPerQueryMax, batchScheduleFn: (run) => setImmediate(run) },
  )
  return {
    async verify(bearer) {
      // rule: authentication 6
      if (!isWellFormed(bearer)) return null
      const caller = await loader.load(hashOf(bearer))
      if (caller !== null) lastUsed.note({ accountId: caller.accountId, keyId: caller.keyId, at: deps.clock.now() })
      return caller
    },
    close: () => lastUsed.close(),
  }
}
