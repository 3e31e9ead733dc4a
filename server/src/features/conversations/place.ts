import { lowestUuidAt, momentOf, parseId, type Uuid } from '../../base/id.ts'
import type { FeedPlace } from '../messages/public.ts'

/** A place of the feed as clients keep it: opaque to them. */
export function formatPlace({ xid, id }: FeedPlace): string {
  return `${xid}-${id.replaceAll('-', '')}`
}

/** Null: it is none. */
export function parsePlace(text: string): FeedPlace | null {
  const found = /^([0-9]{1,19})-([0-9a-f]{32})$/.exec(text)
  const id = found && parseId('evt', `evt_${found[2]}`)
  return found?.[1] === undefined || !id ? null : { xid: found[1], id }
}

/** When somebody was there. */
export const momentOfPlace = ({ id }: FeedPlace): Date => momentOf(id as Uuid)

/**
 * The end of the feed, as a place: every change below the oldest open transaction is before it, every other one after. Its id only says
 * when that was.
 */
export const endPlace = ({ xid }: { xid: string }, now: Date): FeedPlace => ({ xid: (BigInt(xid) - 1n).toString(), id: lowestUuidAt(now) })
