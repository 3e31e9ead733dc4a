import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { queryBuilder } from '../../platform/database/statement.ts'
import type { Message } from './message.ts'

type Tables = {
  send_attempt: {
    account_id: Uuid
    message_id: Uuid
    n: number
    started_at: Date
    ms: number
    outcome: string
    status_code: number | null
    code: number | null
  }
  send_queue: {
    account_id: Uuid
    message_id: Uuid
    channel_id: Uuid
    livemode: boolean
    seq: number
    shard: number
    state: number
    attempt: number
    accepted_at: Date
    expires_at: Date
    not_before: Date | null
  }
  file_fetch: { account_id: Uuid; message_id: Uuid; tries: number; next_at: Date; given_up: boolean; created_at: Date }
}

const build = queryBuilder<Tables>()

type Key = Pick<Message, 'accountId' | 'id'>

/** One upstream call that ended. */
export type PastAttempt = { n: number; startedAt: Date; ms: number; outcome: string; statusCode: number | null; code: number | null }

/** More than fifteen minutes can hold. */
const attemptsMax = 1_000

export async function findAttempts(queries: Queries, { accountId, id }: Key): Promise<PastAttempt[]> {
  return queries.all(
    build
      .selectFrom('send_attempt')
      .select(['n', 'started_at as startedAt', 'ms', 'outcome', 'status_code as statusCode', 'code'])
      .where('account_id', '=', accountId)
      .where('message_id', '=', id)
      .orderBy('n')
      .limit(attemptsMax),
  )
}

/** The place of a send in the queue. `state`: 0 waits, 1 is being posted, 2 of unknown outcome. */
export type QueuedNow = { seq: number; shard: number; state: number; attempt: number; expiresAt: Date; notBefore: Date | null }

export async function findQueued(queries: Queries, { accountId, id }: Key): Promise<QueuedNow | null> {
  const [row] = await queries.all(
    build
      .selectFrom('send_queue')
      .select(['seq', 'shard', 'state', 'attempt', 'expires_at as expiresAt', 'not_before as notBefore'])
      .where('account_id', '=', accountId)
      .where('message_id', '=', id),
  )
  return row ?? null
}

const aheadMax = 1_000

/** How many sends of the same number wait before this one, at most 1,000; served by `send_queue_lane`. */
export async function countAhead(
  queries: Queries,
  { accountId, channelId, livemode }: Message,
  { shard, seq }: QueuedNow,
): Promise<number> {
  const ahead = build
    .selectFrom('send_queue')
    .select('seq')
    .where('account_id', '=', accountId)
    .where('shard', '=', shard)
    .where('channel_id', '=', channelId)
    .where('livemode', '=', livemode)
    .where((each) => each('state', '=', each.lit(0)))
    .where('seq', '<', seq)
    .limit(aheadMax)
  const [row] = await queries.all(build.selectFrom(ahead.as('ahead')).select((each) => each.fn.countAll<number>().as('count')))
  return row?.count ?? 0
}

/** A file that upstream has and we do not yet. */
export type WaitingFetch = { tries: number; nextAt: Date; givenUp: boolean; createdAt: Date }

export async function findFetch(queries: Queries, { accountId, id }: Key): Promise<WaitingFetch | null> {
  const [row] = await queries.all(
    build
      .selectFrom('file_fetch')
      .select(['tries', 'next_at as nextAt', 'given_up as givenUp', 'created_at as createdAt'])
      .where('account_id', '=', accountId)
      .where('message_id', '=', id),
  )
  return row ?? null
}
