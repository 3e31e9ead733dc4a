import { formatId } from '../../base/id.ts'
import type { JsonObject } from '../../base/json.ts'
import type { ApiKey } from './key.ts'

/** A key as the operator's tool prints it, without its secret. */
export function apiKeyJson(key: ApiKey): JsonObject {
  return {
    id: formatId('key', key.id),
    object: 'api_key',
    account_id: formatId('acc', key.accountId),
    livemode: key.livemode,
    scopes: key.scopes === null ? null : [...key.scopes],
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  }
}
