import type { NoticeItem } from './notice.ts'
import type { WaitingNotice } from './store.ts'
import { itemsOf, type PlacedItem } from './work-through.ts'

/** A person with another number or user id is moved by statements of their own. */
const moveWeight = 20

const isMove = (item: NoticeItem) => item.kind === 'user_id' || (item.kind === 'message' && item.message.type === 'system')
const weightOf = ({ item }: PlacedItem): number => (isMove(item) ? moveWeight : 1)

/** The first notices, with their items, that weigh no more together; the first in any case. */
export type Fitting = { notices: WaitingNotice[]; placed: PlacedItem[]; fits: boolean }

export function fitting(waiting: readonly WaitingNotice[], weightMax: number): Fitting {
  const found: Fitting = { notices: [], placed: [], fits: true }
  let weight = 0
  for (const notice of waiting) {
    const own = itemsOf([notice])
    weight += own.reduce((sum, each) => sum + weightOf(each), 0)
    if (weight > weightMax && found.notices.length > 0) break
    found.notices.push(notice)
    for (const each of own) found.placed.push(each)
    found.fits = weight <= weightMax
    if (!found.fits) break
  }
  return found
}

/** The items from this place on that weigh no more together; one in any case. */
export function pieceFrom(placed: readonly PlacedItem[], from: number, weightMax: number): PlacedItem[] {
  let weight = 0
  let end = from
  while (end < placed.length) {
    weight += weightOf(placed[end] as PlacedItem)
    if (weight > weightMax && end > from) break
    end += 1
  }
  return placed.slice(from, end)
}

const rank = ({ item }: PlacedItem): number => (isMove(item) ? 0 : item.kind === 'status' ? 2 : 1)

/** As one transaction would take them: people who move first, and statuses behind the messages that they may be of. */
export const inOrderOfEffect = (placed: readonly PlacedItem[]): PlacedItem[] => placed.toSorted((a, b) => rank(a) - rank(b))
