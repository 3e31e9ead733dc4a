import type { Clock } from '../../base/clock.ts'
import { crashpoint } from '../../base/crashpoint.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type ChannelInUse, findByPhoneNumberIds } from '../channels/public.ts'
import { movePeople, type PersonMove } from '../contacts/public.ts'
import { applyStatuses, type InboundNotice, receiveMessages, type StatusNotice } from '../messages/public.ts'
import { followPeople } from '../opt-outs/public.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { applyChanges } from './apply-changes.ts'
import type { Change, NoticeItem } from './notice.ts'
import { parseNotice } from './parse.ts'
import { readMessage } from './read-message.ts'
import { readMove } from './read-move.ts'
import { readStatus } from './read-status.ts'
import { insertSetAside, type SetAside, type WaitingNotice } from './store.ts'

export type Worked = { hints: readonly DeliveryHint[]; setAside: number; passedOver: number }

/** An item of a notice, with what is needed to place it. */
export type PlacedItem = { notice: WaitingNotice; item: NoticeItem }

export const itemsOf = (notices: readonly WaitingNotice[]): PlacedItem[] =>
  notices.flatMap((notice) => parseNotice(notice.body).map((item) => ({ notice, item })))

/**
 * Works items through, in the caller's transaction and last in it: messages before the statuses of the same batch. What cannot
 * be read, or is of no number of ours, is set aside with its reason and stops nobody.
 */
export async function workThrough(tx: Tx, clock: Clock, placed: readonly PlacedItem[]): Promise<Worked> {
  const sorted = await sort(tx, placed)
  await insertSetAside(
    tx,
    sorted.aside.map((each) => ({ ...each, id: newUuid(clock.now()), createdAt: clock.now() })),
  )
  // Before their messages: those are shown with the number that the person has now.
  await movePeople(tx, { clock, follow: followPeople }, sorted.moves)
  const received = await receiveMessages(tx, clock, sorted.messages)
  const applied = await applyStatuses(tx, clock, sorted.statuses)
  const changed = await applyChanges(tx, clock, sorted.changes)
  crashpoint('before_notice_commit')
  return {
    hints: [...received, ...applied, ...changed.hints],
    setAside: sorted.aside.length,
    passedOver: sorted.passedOver + changed.passedOver,
  }
}

type Sorted = {
  moves: PersonMove[]
  messages: InboundNotice[]
  statuses: StatusNotice[]
  changes: Change[]
  aside: Omit<SetAside, 'id' | 'createdAt'>[]
  passedOver: number
}

async function sort(tx: Tx, placed: readonly PlacedItem[]): Promise<Sorted> {
  const channels = await findByPhoneNumberIds(tx, [
    ...new Set(placed.flatMap(({ item }) => ('phoneNumberId' in item ? [item.phoneNumberId] : []))),
  ])
  const sorted: Sorted = { moves: [], messages: [], statuses: [], changes: [], aside: [], passedOver: 0 }
  for (const each of placed) sortInto(sorted, each, channels)
  return sorted
}

function sortInto(sorted: Sorted, { notice, item }: PlacedItem, channels: ReadonlyMap<string, ChannelInUse>): void {
  const aside = (field: string, text: JsonText, reason: string) => sorted.aside.push({ inboxId: notice.id, field, item: text, reason })
  if (item.kind === 'passed_over') sorted.passedOver += 1
  else if (item.kind === 'change') sorted.changes.push(item.change)
  else if (item.kind === 'unreadable') aside(item.field, item.item, item.reason)
  else {
    const original = () => JSON.stringify(item.kind === 'status' ? item.status : item.message) as JsonText
    const channel = channels.get(item.phoneNumberId)
    // A simulated notice speaks only for its own account's test messages.
    if (channel === undefined || (notice.accountId !== null && notice.accountId !== channel.accountId)) {
      aside(item.kind, original(), 'its phone_number_id is of no number that is connected here')
      return
    }
    const place: Place = { accountId: channel.accountId, channelId: channel.id, livemode: notice.livemode }
    const problem = item.kind === 'status' ? sortStatus(sorted, item, place) : sortMessage(sorted, item, place)
    if (problem !== null) aside(item.kind, original(), problem)
  }
}

type Place = { accountId: Uuid; channelId: Uuid; livemode: boolean }

/** Answers why the item cannot be read, or null. */
function sortStatus(sorted: Sorted, item: Extract<NoticeItem, { kind: 'status' }>, place: Place): string | null {
  const read = readStatus(item.status)
  if (read.kind === 'unreadable') return read.reason
  if (read.kind === 'passed_over') sorted.passedOver += 1
  else sorted.statuses.push({ ...read.status, ...place })
  return null
}

function sortMessage(sorted: Sorted, item: Extract<NoticeItem, { kind: 'message' }>, place: Place): string | null {
  const move = readMove(item.message)
  if (move !== null) sorted.moves.push({ ...move, accountId: place.accountId, livemode: place.livemode })
  const read = readMessage(item.message, item.contact)
  if (read.kind === 'unreadable') return read.reason
  if (read.kind === 'passed_over') sorted.passedOver += 1
  else sorted.messages.push({ ...read.message, ...place, person: { ...read.person, accountId: place.accountId, livemode: place.livemode } })
  return null
}
