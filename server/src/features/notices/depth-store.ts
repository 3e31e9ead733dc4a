import type { Queries } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

export type NoticeDepth = { waiting: number; oldestSeconds: number | null }

const readDepth = statement(
  'read_notice_depth',
  `select count(*)::integer as waiting, extract(epoch from $1::timestamptz - min(due_at))::float8 as "oldestSeconds"
  from (select due_at from inbox where state = 0 and due_at <= $1 limit 100000) as looked_at`,
)

/** How many notices wait to be worked through, and for how long the oldest has. */
export async function noticeDepth(queries: Queries, now: Date): Promise<NoticeDepth> {
  const [row] = await queries.run<NoticeDepth>(readDepth, [now])
  return row ?? { waiting: 0, oldestSeconds: null }
}
