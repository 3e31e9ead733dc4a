import type { Clock } from '../../base/clock.ts'
import { lowestUuidAt, momentOf, type Uuid } from '../../base/id.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { isTooSlow } from '../../platform/database/failure.ts'
import { endOfFeed, type FeedPlace, type FeedRow, readChanges, sweepMessages } from '../messages/public.ts'
import { type Fold, foldApart, type SetAside } from './fold-apart.ts'
import { type Follower, type FollowerName, lookAtFollower, moveFollower, takeFollower } from './follower-store.ts'
import { endPlace } from './place.ts'

/** Somebody who makes something of the feed. */
export type Following = {
  name: FollowerName
  /** So many messages a step takes in, about. */
  messagesMax: number
  /** Which messages of a change matter to it. */
  wanted: (row: FeedRow) => readonly Uuid[]
  fold: Fold
}

export type FollowDeps = { database: Database; clock: Clock }

/** `folded`: there was something, and how much; `more`: there is more at once; `aside`: what was passed over for good. */
export type Followed = { folded: number; more: boolean; aside: readonly SetAside[] }

const rowsMax = 200
/** So old a place can be of a time that is not kept any more: the feed is kept for two days. */
const lostMs = 47 * 3_600_000
/** How often a follower with nothing to do moves on, so that its place is never old. */
const idleMoveMs = 60_000

/**
 * Follows the feed in steps. Where one takes longer than the database lets it, the next ones are smaller, down to one message at once, and
 * grow again while they pass.
 */
export function createFollower(deps: FollowDeps, following: Following): { step(): Promise<Followed> } {
  let messagesMax = following.messagesMax
  return {
    async step() {
      try {
        const followed = await followOnce(deps, { ...following, messagesMax })
        messagesMax = Math.min(messagesMax * 2, following.messagesMax)
        return followed
      } catch (error) {
        if (isTooSlow(error)) messagesMax = Math.ceil(messagesMax / 4)
        throw error
      }
    },
  }
}

/**
 * One bounded step of a follower: the next changes are folded, and its place moves, in one transaction, so that each change has its effect
 * once; a message whose data the database refuses is set aside. One process at a time; another finds nothing to do. A follower that was away
 * for longer than the feed is kept, or of another database, sweeps through the messages instead.
 */
export async function followOnce({ database, clock }: FollowDeps, following: Following): Promise<Followed> {
  const seen = await lookAtFollower(database, following.name)
  const isFresh = clock.now().getTime() - momentOf(seen.id).getTime() <= idleMoveMs
  if (!seen.hasNews && seen.sweep === null && isFresh) return nothing
  return database.transaction(async (tx) => {
    const follower = await takeFollower(tx, following.name)
    if (follower === null) return nothing
    const now = clock.now()
    const end = await endOfFeed(tx)
    if (follower.sweep !== null) return sweepOn(tx, following, { follower, end, now })
    if (isLost(follower, end, now)) {
      await moveFollower(tx, following.name, { ...endPlace(end, now), sweep: beforeAll })
      return { ...nothing, more: true }
    }
    return foldNext(tx, following, { follower, end, now })
  })
}

const nothing: Followed = { folded: 0, more: false, aside: [] }

/** Before every message. */
const beforeAll = { accountId: lowestUuidAt(new Date(0)), id: lowestUuidAt(new Date(0)) }

type State = { follower: Follower; end: FeedPlace & { beyond: string }; now: Date }

async function foldNext(tx: Tx, { name, wanted, fold, messagesMax }: Following, { follower, end, now }: State): Promise<Followed> {
  const read = await readChanges(tx, follower, end, rowsMax)
  const rows = bounded(read, wanted, messagesMax)
  const last = rows.at(-1)
  if (last === undefined) {
    if (now.getTime() - momentOf(follower.id).getTime() > idleMoveMs) await moveFollower(tx, name, { ...endPlace(end, now), sweep: null })
    return nothing
  }
  const messages = new Map(rows.flatMap((row) => wanted(row).map((id) => [id, { accountId: row.accountId, id }] as const)))
  const aside = await foldApart(tx, fold, [...messages.values()], { now, isSweep: false, atOnceMax: messagesMax })
  await moveFollower(tx, name, { xid: last.xid, id: last.id, sweep: null })
  return { folded: rows.length, more: read.length >= rowsMax || rows.length < read.length, aside }
}

/** At least one row, and then as many as have not too many messages. */
function bounded(rows: readonly FeedRow[], wanted: Following['wanted'], messagesMax: number): FeedRow[] {
  let messages = 0
  const end = rows.findIndex((row) => {
    messages += wanted(row).length
    return messages > messagesMax
  })
  return rows.slice(0, end < 0 ? rows.length : Math.max(end, 1))
}

async function sweepOn(tx: Tx, { name, fold, messagesMax }: Following, { follower, end, now }: State): Promise<Followed> {
  const after = follower.sweep ?? beforeAll
  const isFirst = after.accountId === beforeAll.accountId && after.id === beforeAll.id
  const messages = await sweepMessages(tx, after, messagesMax)
  const aside = await foldApart(tx, fold, messages, { now, isSweep: true, atOnceMax: messagesMax })
  // What changes from here on is in the feed; what the sweep has seen of it already, folds to the same.
  const place = isFirst ? endPlace(end, now) : { xid: follower.xid, id: follower.id }
  await moveFollower(tx, name, { ...place, sweep: messages.length < messagesMax ? null : (messages.at(-1) ?? null) })
  return { folded: messages.length, more: true, aside }
}

/** A transaction id that this database has not given out yet is of another one, from which this one was restored. */
const isLost = (follower: Follower, { beyond }: State['end'], now: Date): boolean =>
  now.getTime() - momentOf(follower.id).getTime() > lostMs || BigInt(follower.xid) >= BigInt(beyond)
