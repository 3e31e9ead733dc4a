import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

const spend = statement(
  'spend_code',
  `insert into spent_code (user_id, code, spent_at)
  values ($1, $2, $3)
  on conflict (user_id, code) do update set spent_at = excluded.spent_at where spent_code.spent_at < $4
  returning 1`,
)
const forget = statement('forget_spent_codes', 'delete from spent_code where user_id = $1 and spent_at < $2')

/** An app shows a code for 30 seconds, and the one before and after are good too. */
const goodMsMax = 180_000

/** Spends a code of a person's app. Returns false where it was spent within the last three minutes; of several at once one is true. */
export async function spendCode(queries: Queries, { userId, code, now }: { userId: Uuid; code: string; now: Date }): Promise<boolean> {
  const goodSince = new Date(now.getTime() - goodMsMax)
  const isFirst = (await queries.run(spend, [userId, code, now, goodSince])).length > 0
  if (isFirst) await queries.run(forget, [userId, goodSince])
  return isFirst
}
