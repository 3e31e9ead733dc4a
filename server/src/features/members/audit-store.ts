import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { AuditEntry, AuditEntryShown } from './member.ts'

type Row = {
  account_id: Uuid
  id: Uuid
  user_id: Uuid
  operation: string
  targets: string
  address: string
  failed: boolean
  about: string
  email: string | null
  name: string | null
}

const insert = statement(
  'insert_audit_entry',
  `insert into audit_log (account_id, id, user_id, operation, targets, address, failed, about)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
const select = statement(
  'select_audit_log',
  `select l.account_id, l.id, l.user_id, l.operation, l.targets, l.address, l.failed, l.about, u.email, u.name
  from audit_log l
  left join auth."user" u on u.id = l.user_id
  where l.account_id = $1 and ($2::uuid is null or l.id < $2)
  order by l.id desc
  limit $3`,
)

export async function insertAuditEntry(
  queries: Queries,
  { accountId, id, userId, operation, targets, address, failed, about }: AuditEntry,
): Promise<void> {
  await queries.run(insert, [accountId, id, userId, operation, JSON.stringify(targets), address, failed, JSON.stringify(about)])
}

/** The newest first, those before `after` where there is one. */
export async function selectAuditLog(
  queries: Queries,
  { accountId, after, limit }: { accountId: Uuid; after: Uuid | null; limit: number },
): Promise<AuditEntryShown[]> {
  const rows = await queries.run<Row>(select, [accountId, after, limit])
  return rows.map((row) => ({
    accountId: row.account_id,
    id: row.id,
    userId: row.user_id,
    operation: row.operation,
    targets: JSON.parse(row.targets) as Record<string, string>,
    address: row.address,
    failed: row.failed,
    about: JSON.parse(row.about) as Record<string, string>,
    email: row.email,
    name: row.name,
  }))
}
