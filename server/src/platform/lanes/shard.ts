import type { Uuid } from '../../base/id.ts'

/** Never changes: the rows of every queue carry their shard. */
export const shardCount = 256

/** The shard of a lane: FNV-1a over the account and the channel or webhook, so that a lane always falls to the same owner. */
export function shardOf(accountId: Uuid, laneId: Uuid): number {
  let hash = 0x811c9dc5
  for (const id of [accountId, laneId]) {
    for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  }
  return ((hash >>> 24) ^ (hash >>> 16) ^ (hash >>> 8) ^ hash) & 0xff
}
