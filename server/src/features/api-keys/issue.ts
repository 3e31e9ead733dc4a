import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { lockAccount } from '../accounts/public.ts'
import type { ApiKey, Scope } from './key.ts'
import { hashOf, hintOf, newSecret } from './secret.ts'
import { countActive, insertKey } from './store.ts'

type Deps = { database: Database; clock: Clock }
type Input = { accountId: Uuid; livemode: boolean; scopes: readonly Scope[] | null; name?: string | null }

/** Makes a key. `secret` is what the caller's system sends; it is not kept and cannot be shown again. */
export async function issueKey(deps: Deps, { name = null, ...input }: Input): Promise<Result<{ key: ApiKey; secret: string }, Refusal>> {
  const now = deps.clock.now()
  const secret = newSecret(input.livemode)
  const key: ApiKey = { id: newUuid(now), ...input, name, hint: hintOf(secret), createdAt: now, lastUsedAt: null, revokedAt: null }
  return deps.database.transaction(async (tx) => {
    // The lock on the account lets two keys that are made at once be counted one after the other.
    if ((await lockAccount(tx, input.accountId)) === null)
      return refused(refusal('not_found', because('no_account', 'There is no account with this id.')))
    // rule: authentication 7
    if ((await countActive(tx, input.accountId)) >= limits.activeKeysMax)
      return refused(
        refusal(
          'conflict',
          because('keys_full', `The account has ${limits.activeKeysMax} active keys, which is the most. Revoke one first.`, {
            max: limits.activeKeysMax,
          }),
        ),
      )
    await insertKey(tx, key, hashOf(secret))
    return ok({ key, secret })
  })
}
