import type { Queries } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

/** Seconds are null where there is nothing. */
export type NoticeDepth = {
  waiting: number
  oldestSeconds: number | null
  /** Notices to be worked through again. */
  replaying: number
  /** Items that could not be worked through. */
  setAside: number
  setAsideOldestSeconds: number | null
}

const readDepth = statement(
  'read_notice_depth',
  `select count(*)::integer as waiting, extract(epoch from $1::timestamptz - min(due_at))::float8 as "oldestSeconds"
  from (select due_at from inbox where state = 0 and due_at <= $1 limit 100000) as looked_at`,
)
const readReplays = statement(
  'read_replay_depth',
  `select count(*)::integer as replaying
  from (select due_at from inbox where state = 2 and due_at < 'infinity' limit 100000) as looked_at`,
)
const readSetAside = statement(
  'read_set_aside_depth',
  `select count(*)::integer as "setAside", extract(epoch from $1::timestamptz - min(created_at))::float8 as "setAsideOldestSeconds"
  from (select created_at from notice_set_aside where id < 'ffffffff-ffff-ffff-ffff-ffffffffffff' order by id limit 100000) as looked_at`,
)

type Waiting = Pick<NoticeDepth, 'waiting' | 'oldestSeconds'>
type SetAsideDepth = Pick<NoticeDepth, 'setAside' | 'setAsideOldestSeconds'>

/** How many notices wait to be worked through, and for how long the oldest has; what waits for a replay, and what lies set aside. */
export async function noticeDepth(queries: Queries, now: Date): Promise<NoticeDepth> {
  const [waiting] = await queries.run<Waiting>(readDepth, [now])
  const [replays] = await queries.run<Pick<NoticeDepth, 'replaying'>>(readReplays, [])
  const [aside] = await queries.run<SetAsideDepth>(readSetAside, [now])
  return {
    waiting: waiting?.waiting ?? 0,
    oldestSeconds: waiting?.oldestSeconds ?? null,
    replaying: replays?.replaying ?? 0,
    setAside: aside?.setAside ?? 0,
    setAsideOldestSeconds: aside?.setAsideOldestSeconds ?? null,
  }
}
