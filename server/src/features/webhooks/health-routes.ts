import { Type } from 'typebox'
import { formatId } from '../../base/id.ts'
import type { Reads } from '../../platform/database/reads.ts'
import { listOf } from '../../platform/http/paging.ts'
import { errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { listFailing } from './lane-store.ts'

const health = Type.Object({
  object: Type.Literal('webhook_health'),
  webhook_id: Type.String(),
  failing_since: Type.String({ format: 'date-time', description: 'When the attempts that fail began.' }),
})

/** What the console shows of webhooks beside the contract. */
export function webhookHealthRoutes(account: HttpServer, { reads }: { reads: Reads }): void {
  account.get(
    '/webhooks/health',
    {
      config: { access: { scope: 'webhooks:write', testKeys: false } },
      schema: {
        operationId: 'listWebhookHealth',
        summary: 'The webhooks whose last attempt failed; those that are not named answer, or were never tried',
        tags: ['Webhooks'],
        response: { 200: listOf(health), ...errors() },
      },
    },
    async ({ caller }) => ({
      object: 'list' as const,
      data: (await listFailing(reads.of(caller.accountId), caller.accountId)).map(({ webhookId, failingSince }) => ({
        object: 'webhook_health' as const,
        webhook_id: formatId('whk', webhookId),
        failing_since: failingSince.toISOString(),
      })),
      has_more: false,
    }),
  )
}
