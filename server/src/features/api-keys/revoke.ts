import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ApiKey } from './key.ts'
import { accountOfKey, revoke } from './store.ts'

type Deps = { database: Database; clock: Clock }

const notFound = refused(refusal('not_found', because('no_key', 'There is no key with this id.')))

/** The next call with the key is refused, in every process. A revoked key stays as it was; one of another account is not found. */
// rule: authentication 5
export async function revokeKey(deps: Deps, key: { accountId: Uuid; id: Uuid }): Promise<Result<ApiKey, Refusal>> {
  const now = deps.clock.now()
  const revoked = await deps.database.transaction((tx) => revoke(tx, key, now))
  return revoked === null ? notFound : ok(revoked)
}

/** The same for the operator, who names no account. */
export async function revokeKeyOfAnybody(deps: Deps, id: Uuid): Promise<Result<ApiKey, Refusal>> {
  const accountId = await accountOfKey(deps.database, id)
  return accountId === null ? notFound : revokeKey(deps, { accountId, id })
}
