import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Account } from './account.ts'
import { lockAccount, updateAccount } from './store.ts'

type Deps = { database: Database; clock: Clock }

const unknownAccount: Refusal = refusal('not_found', 'There is no account with this id.')

/** From now on the account's sends are refused; it still reads. An account that is suspended already keeps its moment. */
// rule: authentication 6
export async function suspendAccount(deps: Deps, id: Uuid): Promise<Result<Account, Refusal>> {
  const now = deps.clock.now()
  return deps.database.transaction(async (tx) => {
    const account = await lockAccount(tx, id)
    if (account?.suspendedAt) return ok(account)
    return changed(await updateAccount(tx, id, { suspended_at: now }))
  })
}

/** The account may send again; what was queued and has not expired leaves. */
export async function resumeAccount(deps: { database: Database }, id: Uuid): Promise<Result<Account, Refusal>> {
  return deps.database.transaction(async (tx) => changed(await updateAccount(tx, id, { suspended_at: null })))
}

/** Says whether a person's PARAR, SAIR, STOP … counts as an opt-out. */
export async function setOptOutWords(deps: { database: Database }, input: { id: Uuid; on: boolean }): Promise<Result<Account, Refusal>> {
  return deps.database.transaction(async (tx) => changed(await updateAccount(tx, input.id, { opt_out_words: input.on })))
}

const changed = (account: Account | null): Result<Account, Refusal> => (account === null ? refused(unknownAccount) : ok(account))
