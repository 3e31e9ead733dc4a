import type { Selectable } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import type { ApiKey, Caller, Scope } from './key.ts'

type KeyTable = {
  account_id: Uuid
  id: Uuid
  hash: Buffer
  name: string | null
  hint: string | null
  livemode: boolean
  scopes: Scope[] | null
  created_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
}

const build = queryBuilder<{ api_key: KeyTable }>()
const columns = ['account_id', 'id', 'name', 'hint', 'livemode', 'scopes', 'created_at', 'last_used_at', 'revoked_at'] as const

/** The most keys that one list of the operator's tool shows. */
const keysListedMax = 10_000

// On the path of every call, before the account is known: served by the unique index on the hash.
const selectCallers = statement(
  'select_callers_by_key_hash',
  `select hash, account_id, id, livemode, scopes
  from api_key
  where hash = any($1::bytea[]) and revoked_at is null`,
)

const updateLastUsed = statement(
  'update_keys_last_used',
  `update api_key
  set last_used_at = used.at
  from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as used (account_id, id, at)
  where api_key.account_id = used.account_id and api_key.id = used.id
    and (api_key.last_used_at is null or api_key.last_used_at < used.at)`,
)

export async function insertKey(tx: Tx, key: ApiKey, hash: Buffer): Promise<void> {
  await tx.all(
    build.insertInto('api_key').values({
      account_id: key.accountId,
      id: key.id,
      hash,
      name: key.name,
      hint: key.hint,
      livemode: key.livemode,
      scopes: key.scopes === null ? null : [...key.scopes],
      created_at: key.createdAt,
      last_used_at: key.lastUsedAt,
      revoked_at: key.revokedAt,
    }),
  )
}

/** Exact only while the account's row is locked. */
export async function countActive(tx: Tx, accountId: Uuid): Promise<number> {
  const rows = await tx.all(
    build
      .selectFrom('api_key')
      .select((each) => each.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null),
  )
  return rows[0]?.count ?? 0
}

/** Whose key it is; null: nobody's. The operator names no account. */
export async function accountOfKey(queries: Queries, id: Uuid): Promise<Uuid | null> {
  const rows = await queries.all(build.selectFrom('api_key').select('account_id').where('id', '=', id))
  return rows[0]?.account_id ?? null
}

/** The key after its revocation, which keeps its first moment; null when the account has no such key. */
export async function revoke(tx: Tx, { accountId, id }: { accountId: Uuid; id: Uuid }, at: Date): Promise<ApiKey | null> {
  const rows = await tx.all(
    build
      .updateTable('api_key')
      .set((each) => ({ revoked_at: each.fn.coalesce('revoked_at', each.val(at)) }))
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returning(columns),
  )
  return rows.map(keyOf)[0] ?? null
}

/** In order of creation; null: those of all accounts, which only the operator may see. */
export async function listKeys(queries: Queries, accountId: Uuid | null): Promise<ApiKey[]> {
  const query = build.selectFrom('api_key').select(columns).orderBy('id').limit(keysListedMax)
  return (await queries.all(accountId === null ? query : query.where('account_id', '=', accountId))).map(keyOf)
}

/** The callers of the active keys among these hashes, by the hash in hex. */
export async function callersByHash(queries: Queries, hashes: readonly Buffer[]): Promise<Map<string, Caller>> {
  const rows = await queries.run<Pick<KeyTable, 'hash' | 'account_id' | 'id' | 'livemode' | 'scopes'>>(selectCallers, [hashes])
  return new Map(
    rows.map((row) => [row.hash.toString('hex'), { accountId: row.account_id, keyId: row.id, livemode: row.livemode, scopes: row.scopes }]),
  )
}

export type KeyUse = { accountId: Uuid; keyId: Uuid; at: Date }

/** Never moves a moment back, whichever process writes last. */
export async function writeLastUsed(queries: Queries, uses: readonly KeyUse[]): Promise<void> {
  await queries.run(updateLastUsed, [uses.map((use) => use.accountId), uses.map((use) => use.keyId), uses.map((use) => use.at)])
}

function keyOf(row: Omit<Selectable<KeyTable>, 'hash'>): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    hint: row.hint,
    livemode: row.livemode,
    scopes: row.scopes,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }
}
