import type { Clock } from '../../base/clock.ts'
import { momentOf } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { findByPhoneNumberIds } from '../channels/public.ts'
import { replayItems } from './replay.ts'
import { listAwaitedNumbers, releaseAwaiting } from './set-aside-store.ts'

type Deps = { database: Database; clock: Clock }

const everyMs = 5_000
const numbersMax = 500
const itemsMax = 500

/**
 * Every few seconds: items of numbers that were connected since they were set aside are put into the queue of replays
 * (rule: receive 22), where upstream told them within the hour before. What is older may be of somebody who had the number before: it stays set
 * aside. Looked for, and not told by whoever connects a number: that may be another process, and it may crash.
 */
export function createReleases({ database, clock }: Deps): () => Promise<void> {
  let nextMs = 0
  // Some of the numbers at a time, round and round: there may be many that are never connected.
  let after = ''
  return async () => {
    const nowMs = clock.monotonicMs()
    if (nowMs < nextMs) return
    nextMs = nowMs + everyMs
    const awaited = await listAwaitedNumbers(database, after, numbersMax)
    after = awaited.length < numbersMax ? '' : (awaited.at(-1) ?? '')
    if (awaited.length === 0) return
    for (const [number, channel] of await findByPhoneNumberIds(database, awaited)) {
      const since = momentOf(channel.id).getTime() - limits.awaitedNoticeMs
      const released = await database.repeatable(async (tx) => {
        const items = await releaseAwaiting(tx, number, itemsMax)
        const recent = items.filter((each) => each.receivedAt.getTime() >= since)
        await replayItems(
          tx,
          clock,
          recent.map((each) => each.id),
        )
        return items.length
      })
      // The rest, at once: new ones of this number are not set aside for this any more.
      if (released === itemsMax) [after, nextMs] = ['', nowMs]
    }
  }
}
