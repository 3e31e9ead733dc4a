import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'

type Sender = { accountId: Uuid; contactId: Uuid }

/** Bounds what people send by files: whoever writes to a number could fill the disk of everybody. Counted in this process alone. */
export type InboundQuota = {
  /** Whether another file of this person may be fetched today: their own bytes of a day are not used up, nor those of their account. */
  allows(sender: Sender): boolean
  add(sender: Sender, bytes: number): void
}

const dayMs = 24 * 3_600_000
const countersMax = 100_000

/** A day begins with the first file. Downloads that run side by side may pass the bound by what each of them brings. */
export function createInboundQuota(clock: Pick<Clock, 'monotonicMs'>): InboundQuota {
  const counters = new Map<string, { bytes: number; endsMs: number }>()
  const counterOf = (key: string) => {
    const nowMs = clock.monotonicMs()
    const found = counters.get(key)
    if (found !== undefined && found.endsMs > nowMs) return found
    const fresh = { bytes: 0, endsMs: nowMs + dayMs }
    counters.delete(key)
    counters.set(key, fresh)
    // All days are equally long, so the first is the one that ends first.
    const [oldest] = counters.size > countersMax ? counters.keys() : []
    if (oldest !== undefined) counters.delete(oldest)
    return fresh
  }
  const both = ({ accountId, contactId }: Sender) => [counterOf(`${accountId} ${contactId}`), counterOf(accountId)] as const
  return {
    allows(sender) {
      const [ofPerson, ofAccount] = both(sender)
      return ofPerson.bytes < limits.inboundBytesPerPersonMax && ofAccount.bytes < limits.inboundBytesPerAccountMax
    },
    add(sender, bytes) {
      for (const counter of both(sender)) counter.bytes += bytes
    },
  }
}
