import type { Clock } from '../../base/clock.ts'
import { crashpoint } from '../../base/crashpoint.ts'
import { momentOf, newUuid, type Uuid } from '../../base/id.ts'
import type { JsonObject, JsonText } from '../../base/json.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type ChannelInUse, findByPhoneNumberIds } from '../channels/public.ts'
import { applyStatuses, type InboundNotice, receiveMessages, type StatusNotice } from '../messages/public.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { type AppliedChanges, applyChanges, type ReceivedChange, type ReceivedPreference } from './apply-changes.ts'
import type { Change, NoticeItem } from './notice.ts'
import { parseNotice } from './parse.ts'
import { readChange } from './read-change.ts'
import { readMessage } from './read-message.ts'
import { readPreference } from './read-preference.ts'
import { readStatus } from './read-status.ts'
import { insertSetAside, type SetAside, type WaitingNotice } from './store.ts'

export type Worked = {
  hints: readonly DeliveryHint[]
  setAside: number
  passedOver: number
  /** What became of changes, one by one. */
  changes: AppliedChanges['fates']
  /** Live numbers of which something was told. */
  heard: AppliedChanges['heard']
  /** What upstream told of the security of a number: the operator should know. */
  alerts: readonly string[]
}

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
  const received = await receiveMessages(tx, clock, sorted.messages)
  const applied = await applyStatuses(tx, clock, sorted.statuses)
  const changed = await applyChanges(tx, clock, sorted)
  crashpoint('before_notice_commit')
  return {
    hints: [...received, ...applied, ...changed.hints],
    setAside: sorted.aside.length,
    passedOver: sorted.passedOver + changed.fates.filter(({ fate }) => fate === 'passed_over').length,
    changes: changed.fates,
    heard: [...sorted.heard, ...changed.heard],
    alerts: sorted.alerts,
  }
}

type Sorted = {
  messages: InboundNotice[]
  statuses: StatusNotice[]
  changes: ReceivedChange[]
  preferences: ReceivedPreference[]
  heard: { accountId: Uuid; channelId: Uuid }[]
  alerts: string[]
  aside: Omit<SetAside, 'id' | 'createdAt'>[]
  passedOver: number
}

async function sort(tx: Tx, placed: readonly PlacedItem[]): Promise<Sorted> {
  const channels = await findByPhoneNumberIds(tx, [
    ...new Set(placed.flatMap(({ item }) => ('phoneNumberId' in item ? [item.phoneNumberId] : []))),
  ])
  const sorted: Sorted = {
    ...{ messages: [], statuses: [], changes: [], preferences: [] },
    ...{ heard: [], alerts: [], aside: [], passedOver: 0 },
  }
  for (const each of placed) sortInto(sorted, each, channels)
  return sorted
}

function sortInto(sorted: Sorted, { notice, item }: PlacedItem, channels: ReadonlyMap<string, ChannelInUse>): void {
  const aside = (field: string, text: JsonText, reason: string) => sorted.aside.push({ inboxId: notice.id, field, item: text, reason })
  if (item.kind === 'passed_over') sorted.passedOver += 1
  else if (item.kind === 'change') sortChange(sorted, notice, item.change)
  else if (item.kind === 'unreadable') aside(item.field, item.item, item.reason)
  else {
    const original = () => JSON.stringify(originalOf(item)) as JsonText
    const channel = channels.get(item.phoneNumberId)
    // A simulated notice speaks only for its own account's test messages.
    if (channel === undefined || (notice.accountId !== null && notice.accountId !== channel.accountId)) {
      aside(item.kind, original(), 'its phone_number_id is of no number that is connected here')
      return
    }
    const place: Place = { accountId: channel.accountId, channelId: channel.id, livemode: notice.livemode }
    if (notice.livemode) sorted.heard.push(place)
    const problem = sortPlaced(sorted, item, place)
    if (problem !== null) aside(item.kind, original(), problem)
  }
}

type OfNumber = Extract<NoticeItem, { phoneNumberId: string }>

const originalOf = (item: OfNumber): JsonObject =>
  item.kind === 'status' ? item.status : item.kind === 'message' ? item.message : item.preference

/** Answers why the item cannot be read, or null. */
function sortPlaced(sorted: Sorted, item: OfNumber, place: Place): string | null {
  if (item.kind === 'status') return sortStatus(sorted, item, place)
  return item.kind === 'message' ? sortMessage(sorted, item, place) : sortPreference(sorted, item, place)
}

function sortChange(sorted: Sorted, notice: WaitingNotice, change: Change): void {
  const read = readChange(change)
  if (read.kind === 'unreadable') {
    sorted.aside.push({ inboxId: notice.id, field: change.field, item: change.meta, reason: read.reason })
    return
  }
  if (read.kind === 'passed_over' && read.alert !== null) sorted.alerts.push(read.alert)
  sorted.changes.push({ change, read, receivedAt: momentOf(notice.id) })
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
  const read = readMessage(item.message, item.contact)
  if (read.kind === 'unreadable') return read.reason
  if (read.kind === 'passed_over') sorted.passedOver += 1
  else sorted.messages.push({ ...read.message, ...place, person: { ...read.person, accountId: place.accountId, livemode: place.livemode } })
  return null
}

function sortPreference(sorted: Sorted, item: Extract<NoticeItem, { kind: 'preference' }>, place: Place): string | null {
  const read = readPreference(item.preference, item.contact)
  if (read.kind === 'unreadable') return read.reason
  const { accountId, channelId, livemode } = place
  if (read.kind === 'passed_over' || !livemode) sorted.passedOver += 1
  else {
    const { wanted, at } = read
    sorted.preferences.push({ change: item.change, channelId, wanted, at, person: { ...read.person, accountId, livemode } })
  }
  return null
}
