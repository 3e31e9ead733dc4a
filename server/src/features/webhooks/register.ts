import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { because, invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { type SecretKey, seal } from '../../base/seal.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import type { StrangerPolicy } from '../../platform/fetch/stranger-policy.ts'
import { checkStrangerUrl } from '../../platform/fetch/stranger-url.ts'
import { lockAccount } from '../accounts/public.ts'
import { newSigningSecret } from './sign.ts'
import { countWebhooks, insertWebhook } from './store.ts'
import type { WantedEvent, Webhook } from './webhook.ts'

type Deps = { database: Database; clock: Clock; policy: StrangerPolicy; secretKey: SecretKey }

/** An empty description counts as none. */
export type Registration = { accountId: Uuid; url: string; events: readonly WantedEvent[]; description: string | null }

/**
 * Registers a webhook, which is told of every event that commits from now on. `secret` is what its deliveries are signed with: kept
 * sealed, it cannot be shown again. Refused: an address that may not be called, an account that has all it may have.
 */
export async function registerWebhook(
  deps: Deps,
  registration: Registration,
): Promise<Result<{ webhook: Webhook; secret: string }, Refusal>> {
  // Names are resolved, and judged again, at each attempt: one that does not resolve now is no reason to refuse.
  const url = checkStrangerUrl(registration.url, deps.policy)
  if (!url.ok) return refused(invalidField('url', because('url_wrong', url.refusal)))
  const webhook = newWebhook(registration, deps.clock.now())
  const secret = newSigningSecret()
  return deps.database.transaction(async (tx) => {
    // The lock on the account lets two webhooks that are made at once be counted one after the other.
    if ((await lockAccount(tx, webhook.accountId)) === null)
      return refused(refusal('not_found', because('no_account', 'There is no account with this id.')))
    // rule: delivery 7
    if ((await countWebhooks(tx, webhook.accountId)) >= limits.webhooksMax)
      return refused(
        refusal(
          'conflict',
          because('webhooks_full', `The account has ${limits.webhooksMax} webhooks, which is the most. Delete one first.`, {
            max: limits.webhooksMax,
          }),
        ),
      )
    await insertWebhook(tx, webhook, seal(deps.secretKey, secret))
    return ok({ webhook, secret })
  })
}

function newWebhook({ accountId, url, events, description }: Registration, now: Date): Webhook {
  return { accountId, id: newUuid(now), url, events, enabled: true, description: description || null, createdAt: now }
}
