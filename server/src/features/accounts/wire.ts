import { formatId } from '../../base/id.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Account, Plan } from './account.ts'

/** An account as the operator's tool prints it. */
export function accountJson(account: Account): JsonObject {
  return {
    id: formatId('acc', account.id),
    object: 'account',
    name: account.name,
    plan: account.plan,
    suspended_at: account.suspendedAt?.toISOString() ?? null,
    opt_out_words: account.optOutWords,
    created_at: account.createdAt.toISOString(),
  }
}

/** A plan as the operator's tool prints it. */
export function planJson(plan: Plan): JsonObject {
  return { object: 'plan', name: plan.name, franchise: plan.franchise }
}
