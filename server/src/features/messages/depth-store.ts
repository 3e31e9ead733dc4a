import type { Queries } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

export type SendDepth = { queued: number; inFlight: number; unknown: number; oldestSeconds: number | null }

const readDepth = statement(
  'read_send_depth',
  // Bounded: a queue beyond this is known to be too long, and counting it would only slow it down.
  `select count(*) filter (where state = 0)::integer as queued, count(*) filter (where state = 1)::integer as "inFlight",
    count(*) filter (where state = 2)::integer as unknown,
    extract(epoch from $1::timestamptz - min(accepted_at) filter (where state = 0))::float8 as "oldestSeconds"
  from (select state, accepted_at from send_queue limit 100000) as looked_at`,
)

/** How much waits to be sent, over all accounts, and for how long the oldest has. */
export async function sendDepth(queries: Queries, now: Date): Promise<SendDepth> {
  const [row] = await queries.run<SendDepth>(readDepth, [now])
  return row ?? { queued: 0, inFlight: 0, unknown: 0, oldestSeconds: null }
}
