import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../database/database.ts'
import { statement } from '../database/statement.ts'

/** The timeline that the server writes now; it changes at each failover and at each restore to a moment. */
export const timelineNow = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'
const clusterNow = '(select system_identifier::text from pg_control_system())'

/** What the database knows of its own history. */
export type DatabaseHistory = {
  installation: Uuid
  value: number
  /** The timeline and the cluster under which the queue was judged last, and those of now. */
  timeline: string
  cluster: string
  timelineNow: string
  clusterNow: string
  judgingSince: Date | null
  judgements: number
}

type Row = {
  installation: Uuid
  value: number
  timeline: string
  cluster: string
  timeline_now: string
  cluster_now: string
  judging_since: Date | null
  judgements: number
}

const read = statement(
  'read_database_history',
  `select installation, value, timeline, cluster, ${timelineNow} as timeline_now, ${clusterNow} as cluster_now, judging_since, judgements
  from database_history where is_only`,
)

export async function readHistory(queries: Queries): Promise<DatabaseHistory> {
  const [row] = await queries.run<Row>(read, [])
  if (row === undefined) throw new Error('bug: the database has no row of its history')
  const { timeline_now: timelineNow, cluster_now: clusterNow, judging_since: judgingSince, ...rest } = row
  return { ...rest, timelineNow, clusterNow, judgingSince }
}

const raise = statement(
  'raise_database_history',
  // Not while somebody judges: what was judged under another history must not be taken for this one.
  `update database_history set value = value + 1, timeline = ${timelineNow}, cluster = ${clusterNow}
  where is_only and judging_since is null and judgements = $1
  returning value`,
)

/** Raises the value and returns it; null when the history was judged, or is judged, since it was read. */
export async function raiseHistory(queries: Queries, judgements: number): Promise<number | null> {
  const rows = await queries.run<{ value: number }>(raise, [judgements])
  return rows[0]?.value ?? null
}

const begin = statement(
  'begin_judgement',
  `update database_history set judging_since = coalesce(judging_since, $1)
  where is_only and judgements = $2
  returning judging_since`,
)

/** Stops all intents and returns the moment up to which the queue is judged; null when another process has judged meanwhile. */
export async function beginJudgement(queries: Queries, now: Date, judgements: number): Promise<Date | null> {
  const rows = await queries.run<{ judging_since: Date }>(begin, [now, judgements])
  return rows[0]?.judging_since ?? null
}

/** More than other processes' marks can be ahead of ours: none of them takes the history for rewound once more. */
const stepsPastMarks = 1_000

const end = statement(
  'end_judgement',
  `update database_history set judging_since = null, judgements = judgements + 1, value = greatest(value, $2) + ${stepsPastMarks},
    timeline = ${timelineNow}, cluster = ${clusterNow}
  where is_only and judgements = $1`,
)

/** Lets intents through again, with a value above `valueMin`. */
export async function endJudgement(queries: Queries, judgements: number, valueMin: number): Promise<void> {
  await queries.run(end, [judgements, valueMin])
}
