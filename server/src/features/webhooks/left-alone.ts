import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'

/**
 * What was posted and whose result the database refuses, by the id of the delivery or retry. It is still due there, so this process keeps the
 * delays of the ladder in memory: else its receiver would get it again and again.
 */
export type LeftAlone = {
  /** Leaves it alone for the next delay of the ladder. */
  add(id: Uuid, webhookId: Uuid): void
  /** What is left alone now. At most a thousand; beyond that the oldest are forgotten. */
  ids(): Uuid[]
  /** Whether something of this webhook is left alone now. */
  holds(webhookId: Uuid): boolean
}

const keptMax = 1_000

export function createLeftAlone(clock: Pick<Clock, 'monotonicMs'>): LeftAlone {
  const kept = new Map<Uuid, { webhookId: Uuid; times: number; untilMs: number }>()
  const now = () => [...kept].filter(([, { untilMs }]) => untilMs > clock.monotonicMs())
  return {
    add(id, webhookId) {
      const times = kept.get(id)?.times ?? 0
      const delayMs = limits.webhookRetryDelaysMs[times] ?? limits.webhookRetryDelaysMs.at(-1) ?? 0
      kept.delete(id)
      kept.set(id, { webhookId, times: times + 1, untilMs: clock.monotonicMs() + delayMs })
      const [oldest] = kept.keys()
      if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
    },
    ids: () => (kept.size === 0 ? [] : now().map(([id]) => id)),
    holds: (webhookId) => kept.size > 0 && now().some(([, each]) => each.webhookId === webhookId),
  }
}
