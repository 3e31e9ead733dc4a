import type { Clock } from '../../base/clock.ts'
import { newUuid } from '../../base/id.ts'
import { invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Account, nameCharsMax } from './account.ts'
import { findPlan, insertAccount } from './store.ts'

type Deps = { database: Database; clock: Clock }

/** Creates an account that may send at once. Refused: an empty or long name, a plan that does not exist. */
export async function createAccount(deps: Deps, input: { name: string; plan: string | null }): Promise<Result<Account, Refusal>> {
  const name = input.name.trim()
  if (name === '' || name.length > nameCharsMax) return refused(invalidField('name', `The name must have 1 to ${nameCharsMax} characters.`))
  const now = deps.clock.now()
  const account: Account = { id: newUuid(now), name, plan: input.plan, suspendedAt: null, optOutWords: false, createdAt: now }
  return deps.database.transaction(async (tx) => {
    if (input.plan !== null && (await findPlan(tx, input.plan)) === null)
      return refused(invalidField('plan', `There is no plan ${input.plan}. Set it first: plan set NAME --franchise N.`))
    await insertAccount(tx, account)
    return ok(account)
  })
}
