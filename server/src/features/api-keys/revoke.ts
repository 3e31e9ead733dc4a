import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ApiKey } from './key.ts'
import { revoke } from './store.ts'

/** The next call with the key is refused, in every process. A revoked key stays as it was. */
// rule: authentication 5
export async function revokeKey(deps: { database: Database; clock: Clock }, id: Uuid): Promise<Result<ApiKey, Refusal>> {
  const now = deps.clock.now()
  const key = await deps.database.transaction((tx) => revoke(tx, id, now))
  return key === null ? refused(refusal('not_found', 'There is no key with this id.')) : ok(key)
}
