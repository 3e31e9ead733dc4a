import { type Clock, pause } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { type SecretKey, seal } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import { claimUsableMs } from './rules.ts'
import { newSigningSecret } from './sign.ts'
import { replaceSecret } from './store.ts'
import type { Webhook } from './webhook.ts'

type Deps = { database: Database; clock: Clock; secretKey: SecretKey }

export type Rotation = { accountId: Uuid; id: Uuid; previousSeconds: number }

/**
 * rule: signature 4. Replaces the secret of a webhook and answers the new one, once. Every attempt that starts after the answer signs with it; the
 * one before signs too for `previousSeconds`, 0: never again. Takes a second: what was read before the change may be signed with for that long.
 */
export async function rotateSecret(deps: Deps, rotation: Rotation): Promise<Result<{ webhook: Webhook; secret: string }, Refusal>> {
  const { database, clock, secretKey } = deps
  const secret = newSigningSecret()
  const { previousSeconds } = rotation
  const previousUntil = previousSeconds === 0 ? null : new Date(clock.now().getTime() + previousSeconds * 1_000)
  const webhook = await replaceSecret(database, rotation, { secret: seal(secretKey, secret), previousUntil })
  if (webhook === null) return refused(refusal('not_found', because('no_webhook', 'There is no webhook with this id.')))
  await pause(clock, claimUsableMs)
  return ok({ webhook, secret })
}
