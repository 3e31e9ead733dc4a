import { invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import { nameCharsMax, type Plan } from './account.ts'
import { upsertPlan } from './store.ts'

/** What PostgreSQL's integer holds. */
const franchiseMax = 2 ** 31 - 1

/** Creates the plan, or changes how many sends it includes. */
export async function setPlan(deps: { database: Database }, plan: Plan): Promise<Result<Plan, Refusal>> {
  if (plan.name.trim() !== plan.name || plan.name === '' || plan.name.length > nameCharsMax)
    return refused(invalidField('name', `The name must have 1 to ${nameCharsMax} characters and no blanks around it.`))
  if (!Number.isInteger(plan.franchise) || plan.franchise < 0 || plan.franchise > franchiseMax)
    return refused(invalidField('franchise', `The franchise must be a whole number from 0 to ${franchiseMax}.`))
  await deps.database.transaction((tx) => upsertPlan(tx, plan))
  return ok(plan)
}
