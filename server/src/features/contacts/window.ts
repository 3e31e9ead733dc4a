import type { Queries, Tx } from '../../platform/database/database.ts'
import { findLastInbound, upsertWindows, type WindowKey } from './window-store.ts'

/** When each person last wrote to each channel, by upstream's time; null for never. In the order asked. */
export async function lastInboundOf(queries: Queries, wanted: readonly WindowKey[]): Promise<(Date | null)[]> {
  const found: (Date | null)[] = wanted.map(() => null)
  if (wanted.length === 0) return found
  for (const row of await findLastInbound(queries, wanted)) found[row.ord - 1] = row.last_inbound_at
  return found
}

/** Notes that people wrote. Times may come in any order: only the newest counts, and none lies ahead of `now`. */
export async function openWindows(tx: Tx, now: Date, inbound: readonly (WindowKey & { at: Date })[]): Promise<void> {
  const newest = new Map<string, WindowKey & { at: Date }>()
  for (const each of inbound) {
    // A wrong clock upstream must not hold the window open.
    const at = each.at > now ? now : each.at
    const place = `${each.accountId} ${each.channelId} ${each.contactId}`
    const known = newest.get(place)
    if (known === undefined || known.at < at) newest.set(place, { ...each, at })
  }
  if (newest.size > 0) await upsertWindows(tx, [...newest.values()])
}
