import { unreachable } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { crashpoint } from '../../base/crashpoint.ts'
import type { Uuid } from '../../base/id.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type ChannelInUse, findByPhoneNumberIds } from '../channels/public.ts'
import { movePeople, type PersonMove } from '../contacts/public.ts'
import { applyStatuses, type InboundNotice, type MessageAct, type Opening, receiveMessages, type StatusNotice } from '../messages/public.ts'
import { followPeople } from '../opt-outs/public.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { type AppliedChanges, applyChanges, type ReceivedChange, type ReceivedPreference } from './apply-changes.ts'
import { asideOf } from './aside-of.ts'
import type { Change, NoticeItem } from './notice.ts'
import { parseNotice } from './parse.ts'
import { readChange } from './read-change.ts'
import { type ReadMessage, readCall, readEcho, readMessage, readPast } from './read-message.ts'
import { type ReadMove, readMove, readUserIdUpdate } from './read-move.ts'
import { readPreference } from './read-preference.ts'
import { type ReadStatus, readStatus } from './read-status.ts'
import { insertSetAside, type SetAside } from './set-aside-store.ts'
import type { WaitingNotice } from './store.ts'

export type Worked = {
  hints: readonly DeliveryHint[]
  setAside: number
  passedOver: number
  /** What upstream told of the numbers themselves. */
  errors: readonly { field: string; codes: readonly number[] }[]
  filesQueued: boolean
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
 * Works items through, in the caller's transaction and last in it: messages before what is done to them, and both before the statuses of
 * the same batch. What cannot be read, or is of no number of ours, stops nobody: `aside` is given it, with its reason, before the rest has
 * its effect.
 */
export async function workThrough(
  tx: Tx,
  clock: Clock,
  placed: readonly PlacedItem[],
  aside: (items: readonly SetAside[]) => Promise<void> = (items) => insertSetAside(tx, items),
): Promise<Worked> {
  const sorted = await sort(tx, placed, clock.now())
  await aside(sorted.aside)
  // Before their messages: those are shown with the number that the person has now.
  await movePeople(tx, { clock, follow: followPeople }, sorted.moves)
  const received = await receiveMessages(tx, clock, sorted)
  const changed = await applyChanges(tx, clock, sorted)
  // What happens to messages comes last, and with it all events are recorded at once: they lock the lanes of webhooks.
  const hints = await applyStatuses(tx, clock, sorted.statuses, { ...received, events: changed.events })
  crashpoint('before_notice_commit')
  return {
    hints,
    setAside: sorted.aside.length,
    passedOver: sorted.passedOver + changed.fates.filter(({ fate }) => fate === 'passed_over').length,
    errors: sorted.errors,
    filesQueued: received.filesQueued,
    changes: changed.fates,
    heard: [...sorted.heard, ...changed.heard],
    alerts: sorted.alerts,
  }
}

/** When the messages of the past were sent that are among these: before they are written, their partitions must be there. */
export function pastMomentsOf(placed: readonly PlacedItem[], now: Date): Date[] {
  return placed.flatMap(({ item }) => {
    const read = item.kind === 'history' ? readPast(item.message, item.contact, item.ownPhone, now) : null
    return read?.kind === 'message' ? [read.message.at] : []
  })
}

type Sorted = {
  moves: PersonMove[]
  messages: InboundNotice[]
  acts: MessageAct[]
  openings: Opening[]
  statuses: StatusNotice[]
  changes: ReceivedChange[]
  preferences: ReceivedPreference[]
  heard: { accountId: Uuid; channelId: Uuid }[]
  alerts: string[]
  errors: Worked['errors'][number][]
  aside: SetAside[]
  passedOver: number
}

async function sort(tx: Tx, placed: readonly PlacedItem[], now: Date): Promise<Sorted> {
  const channels = await findByPhoneNumberIds(tx, [
    ...new Set(placed.flatMap(({ item }) => ('phoneNumberId' in item ? [item.phoneNumberId] : []))),
  ])
  const sorted: Sorted = {
    ...{ moves: [], messages: [], acts: [], openings: [], statuses: [], changes: [], preferences: [] },
    ...{ heard: [], alerts: [], errors: [], aside: [], passedOver: 0 },
  }
  for (const each of placed) sortInto(sorted, each, { channels, now })
  return sorted
}

type Known = { channels: ReadonlyMap<string, ChannelInUse>; now: Date }

function sortInto(sorted: Sorted, placed: PlacedItem, { channels, now }: Known): void {
  const { notice, item } = placed
  const aside = (reason: string, accountId: Uuid | null = null, awaitsNumber: string | null = null) =>
    sorted.aside.push(asideOf(placed, { reason, accountId, awaitsNumber, now }))
  switch (item.kind) {
    case 'passed_over':
      sorted.passedOver += 1
      return
    case 'change': {
      const problem = sortChange(sorted, notice, item.change)
      if (problem !== null) aside(problem)
      return
    }
    case 'errors':
      sorted.errors.push({ field: item.field, codes: item.codes })
      return
    case 'unreadable':
      aside(item.reason)
      return
    default: {
      const channel = channels.get(item.phoneNumberId)
      if (channel !== undefined && notice.livemode) sorted.heard.push({ accountId: channel.accountId, channelId: channel.id })
      if (channel === undefined) aside(notConnected, null, item.phoneNumberId)
      // Connecting the number would be no help: it is another account's.
      else if (!speaksFor(notice, channel)) aside(notConnected)
      else {
        const problem = sortPlaced(sorted, item, { ...placeOf(channel, notice), now })
        if (problem !== null) aside(problem, channel.accountId)
      }
    }
  }
}

const notConnected = 'its phone_number_id is of no number that is connected here'
/** A simulated notice speaks only for its own account's test messages. */
const speaksFor = (notice: WaitingNotice, channel: ChannelInUse): boolean =>
  notice.accountId === null || notice.accountId === channel.accountId

type Place = { accountId: Uuid; channelId: Uuid; livemode: boolean; isReplay: boolean; receivedAt: Date }
const placeOf = (channel: ChannelInUse, { livemode, isReplay, receivedAt }: WaitingNotice): Place => ({
  accountId: channel.accountId,
  channelId: channel.id,
  livemode,
  isReplay,
  receivedAt,
})

type ItemOfNumber = Extract<NoticeItem, { phoneNumberId: string }>

/** Answers why the item cannot be read, or null. */
function sortPlaced(sorted: Sorted, item: ItemOfNumber, { now, ...place }: Place & { now: Date }): string | null {
  const { receivedAt } = place
  switch (item.kind) {
    case 'status':
      return sortStatus(sorted, readStatus(item.status, receivedAt), place)
    case 'message':
      sortMove(sorted, readMove(item.message, receivedAt), place)
      return sortMessage(sorted, readMessage(item.message, item.contact, receivedAt), place)
    case 'echo':
      return sortMessage(sorted, readEcho(item.message, item.contact, receivedAt), place)
    case 'history':
      return sortMessage(sorted, readPast(item.message, item.contact, item.ownPhone, now), place)
    case 'user_id':
      return sortUserId(sorted, item.update, place)
    case 'preference':
      return sortPreference(sorted, item, place)
    case 'call':
      return sortMessage(sorted, readCall(item.message, item.contact, receivedAt), place)
    default:
      return unreachable(item)
  }
}

function sortMove(sorted: Sorted, move: ReadMove | null, { accountId, livemode }: Place): void {
  if (move !== null) sorted.moves.push({ ...move, accountId, livemode })
}

function sortUserId(sorted: Sorted, update: JsonObject, place: Place): string | null {
  const move = readUserIdUpdate(update, place.receivedAt)
  sortMove(sorted, move, place)
  return move === null ? 'it does not say who was and who is, and when' : null
}

function sortStatus(sorted: Sorted, read: ReadStatus, place: Place): string | null {
  if (read.kind === 'unreadable') return read.reason
  if (read.kind === 'passed_over') sorted.passedOver += 1
  else {
    const { accountId, channelId, livemode } = place
    sorted.statuses.push({ ...read.status, accountId, channelId, livemode })
  }
  return null
}

function sortMessage(sorted: Sorted, read: ReadMessage, place: Place): string | null {
  if (read.kind === 'unreadable') return read.reason
  if (read.kind === 'passed_over') {
    sorted.passedOver += 1
    return null
  }
  const { isReplay, receivedAt: _receivedAt, ...where } = place
  const placed = { ...where, person: { ...read.person, accountId: place.accountId, livemode: place.livemode, isOld: isReplay } }
  if (read.kind === 'message') sorted.messages.push({ ...read.message, ...placed })
  else if (read.kind === 'act') sorted.acts.push({ ...read.act, ...placed })
  else sorted.openings.push({ at: read.at, ...placed })
  return null
}

function sortPreference(sorted: Sorted, item: Extract<NoticeItem, { kind: 'preference' }>, place: Place): string | null {
  const read = readPreference(item.preference, item.contact, place.receivedAt)
  if (read.kind === 'unreadable') return read.reason
  const { accountId, channelId, livemode, isReplay } = place
  if (read.kind === 'passed_over' || !livemode) sorted.passedOver += 1
  else {
    const { wanted, at } = read
    sorted.preferences.push({
      change: item.change,
      channelId,
      wanted,
      at,
      person: { ...read.person, accountId, livemode, isOld: isReplay },
    })
  }
  return null
}

/** Answers why the change cannot be read, or null. */
function sortChange(sorted: Sorted, notice: WaitingNotice, change: Change): string | null {
  const read = readChange(change)
  if (read.kind === 'unreadable') return read.reason
  if (read.kind === 'passed_over' && read.alert !== null) sorted.alerts.push(read.alert)
  sorted.changes.push({ change, read, receivedAt: notice.receivedAt })
  return null
}
