import type { Selectable } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import { type Account, accountsListedMax, type Plan } from './account.ts'

type AccountTable = {
  id: Uuid
  name: string
  plan: string | null
  suspended_at: Date | null
  opt_out_words: boolean
  created_at: Date
}
type Tables = { account: AccountTable; plan: Plan }

const build = queryBuilder<Tables>()
const columns = ['id', 'name', 'plan', 'suspended_at', 'opt_out_words', 'created_at'] as const

// On the path of every send: one look-up by primary key for all accounts of a batch.
const selectSuspended = statement(
  'select_suspended_accounts',
  `select id
  from account
  where id = any($1::uuid[]) and suspended_at is not null`,
)

// Only for the few messages that are such a word.
const selectOptOutWords = statement(
  'select_accounts_with_opt_out_words',
  `select id
  from account
  where id = any($1::uuid[]) and opt_out_words`,
)

export async function insertAccount(tx: Tx, account: Account): Promise<void> {
  await tx.all(build.insertInto('account').values(rowOf(account)))
}

export async function findAccount(queries: Queries, id: Uuid): Promise<Account | null> {
  const rows = await queries.all(build.selectFrom('account').select(columns).where('id', '=', id))
  return rows.map(accountOf)[0] ?? null
}

/** In the order of their ids; those that do not exist are left out. */
export async function findAccounts(queries: Queries, ids: readonly Uuid[]): Promise<Account[]> {
  const rows = await queries.all(
    build
      .selectFrom('account')
      .select(columns)
      .where('id', 'in', [...ids])
      .orderBy('id'),
  )
  return rows.map(accountOf)
}

/** Locks the account's row, so that whoever counts something of it counts alone. `no key`: rows that refer to the account are not held up. */
export async function lockAccount(tx: Tx, id: Uuid): Promise<Account | null> {
  const rows = await tx.all(build.selectFrom('account').select(columns).where('id', '=', id).forNoKeyUpdate())
  return rows.map(accountOf)[0] ?? null
}

/** In order of creation. */
export async function listAccounts(queries: Queries): Promise<Account[]> {
  return (await queries.all(build.selectFrom('account').select(columns).orderBy('id').limit(accountsListedMax))).map(accountOf)
}

/** Those of the accounts that may not send now. No lock: a send that commits beside the suspension went first. */
export async function suspendedAmong(queries: Queries, ids: readonly Uuid[]): Promise<Set<Uuid>> {
  const rows = await queries.run<{ id: Uuid }>(selectSuspended, [ids])
  return new Set(rows.map((row) => row.id))
}

/** Those of the accounts in which a person's PARAR, SAIR, STOP … counts as an opt-out. */
export async function optOutWordsAmong(queries: Queries, ids: readonly Uuid[]): Promise<Set<Uuid>> {
  const rows = await queries.run<{ id: Uuid }>(selectOptOutWords, [ids])
  return new Set(rows.map((row) => row.id))
}

export async function updateAccount(
  tx: Tx,
  id: Uuid,
  change: { suspended_at: Date | null } | { opt_out_words: boolean },
): Promise<Account | null> {
  const rows = await tx.all(build.updateTable('account').set(change).where('id', '=', id).returning(columns))
  return rows.map(accountOf)[0] ?? null
}

export async function findPlan(queries: Queries, name: string): Promise<Plan | null> {
  const rows = await queries.all(build.selectFrom('plan').select(['name', 'franchise']).where('name', '=', name))
  return rows[0] ?? null
}

/** How many sends the account's plan includes in a month; 0 without a plan. */
export async function franchiseOf(queries: Queries, id: Uuid): Promise<number> {
  const rows = await queries.all(
    build.selectFrom('account').innerJoin('plan', 'plan.name', 'account.plan').select('plan.franchise').where('account.id', '=', id),
  )
  return rows[0]?.franchise ?? 0
}

export async function upsertPlan(tx: Tx, plan: Plan): Promise<void> {
  await tx.all(
    build
      .insertInto('plan')
      .values(plan)
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ franchise: plan.franchise })),
  )
}

function rowOf(account: Account): AccountTable {
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    suspended_at: account.suspendedAt,
    opt_out_words: account.optOutWords,
    created_at: account.createdAt,
  }
}

function accountOf(row: Selectable<AccountTable>): Account {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    suspendedAt: row.suspended_at,
    optOutWords: row.opt_out_words,
    createdAt: row.created_at,
  }
}
