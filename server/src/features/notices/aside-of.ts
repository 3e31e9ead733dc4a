import { newUuid, type Uuid } from '../../base/id.ts'
import { storable } from '../../base/json.ts'
import { noticeOfItem } from './item-notice.ts'
import type { NoticeItem } from './notice.ts'
import type { SetAside } from './set-aside-store.ts'
import type { WaitingNotice } from './store.ts'

/** Upstream's own words may be in them; the whole is in the body. */
const charsMax = 500

type Known = { reason: string; accountId: Uuid | null; awaitsNumber: string | null; now: Date }

/** An item of a notice, as it is set aside. */
export function asideOf({ notice, item }: { notice: WaitingNotice; item: NoticeItem }, known: Known): SetAside {
  return { ...shared(notice, known), field: words(fieldOf(item)), body: noticeOfItem(notice.body, item), awaitsNumber: known.awaitsNumber }
}

/** A whole notice, as it is set aside when it could not even be taken apart. */
export function wholeAsideOf(notice: WaitingNotice, known: Pick<Known, 'reason' | 'now'>): SetAside {
  return { ...shared(notice, { ...known, accountId: null }), field: 'body', body: notice.body, awaitsNumber: null }
}

function shared(notice: WaitingNotice, { reason, accountId, now }: Omit<Known, 'awaitsNumber'>) {
  return {
    id: newUuid(now),
    inboxId: notice.id,
    livemode: notice.livemode,
    // A simulated notice is the account's that it names, whatever it speaks of.
    accountId: notice.accountId ?? accountId,
    reason: words(reason),
    createdAt: now,
    receivedAt: notice.receivedAt,
  }
}

function fieldOf(item: NoticeItem): string {
  if (item.kind === 'change') return item.change.field
  return item.kind === 'unreadable' ? item.field : item.kind
}

/** What PostgreSQL refuses in a text must not keep the item from being set aside. */
const words = (text: string) => String(storable(text.slice(0, charsMax)))
