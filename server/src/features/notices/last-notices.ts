import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import { noteLastNotices } from '../channels/public.ts'

type Heard = { accountId: Uuid; channelId: Uuid }

export type LastNotices = {
  /** Something came for these numbers. Only remembered: losing it costs a minute of accuracy. */
  heard(numbers: readonly Heard[]): void
  /** Writes down what was remembered, each number at most once a minute. Call it often: mostly it does nothing. */
  write(): Promise<void>
}

const everyMs = 60_000
/** A number that is quiet for longer is written down at its next notice. */
const rememberedMax = 10_000

/**
 * When a notice last came for each number (rule: channels 3): so that one whose notices have stopped is seen. Outside of the transactions
 * that work notices through, which would wait for each other at the row of a busy number.
 */
export function createLastNotices({ database, clock }: { database: Database; clock: Clock }): LastNotices {
  let fresh = new Map<Uuid, Heard>()
  const writtenMs = new Map<Uuid, number>()
  let nextMs = Number.NEGATIVE_INFINITY
  return {
    heard(numbers) {
      const nowMs = clock.monotonicMs()
      for (const each of numbers) if (nowMs - (writtenMs.get(each.channelId) ?? -everyMs) >= everyMs) fresh.set(each.channelId, each)
    },
    async write() {
      const nowMs = clock.monotonicMs()
      if (fresh.size === 0 || nowMs < nextMs) return
      nextMs = nowMs + 1_000
      const [numbers, at] = [[...fresh.values()], clock.now()]
      fresh = new Map()
      if (writtenMs.size + numbers.length > rememberedMax) writtenMs.clear()
      for (const each of numbers) writtenMs.set(each.channelId, nowMs)
      await noteLastNotices(database, at, numbers)
    },
  }
}
