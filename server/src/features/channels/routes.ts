import type { Database } from '../../platform/database/database.ts'
import { listOf } from '../../platform/http/paging.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { listChannels } from './store.ts'
import { channelJson, channelSchema } from './wire.ts'

/** What the console does with numbers beside these. */
export { connectionRoutes } from './connection-routes.ts'

/** The operations on channels, under /v1. */
export function channelRoutes(v1: HttpServer, { database }: { database: Database }): void {
  v1.addSchema(channelSchema)
  v1.get(
    '/channels',
    {
      // rule: authentication 3
      config: { access: { scope: 'channels:read', testKeys: true } },
      schema: {
        operationId: 'listChannels',
        summary: 'List numbers',
        description: 'All numbers of the account, oldest first, as last told by upstream.',
        tags: ['Channels'],
        response: { 200: listOf(component(channelSchema)), ...errors() },
      },
    },
    async ({ caller }) => ({
      object: 'list' as const,
      data: (await listChannels(database, caller.accountId)).map(channelJson),
      has_more: false,
    }),
  )
}
