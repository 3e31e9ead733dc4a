import { fileURLToPath } from 'node:url'
import { letOthersRun } from './base/let-others-run.ts'
import { alertRoutes } from './features/alerts/routes.ts'
import { apiKeyRoutes } from './features/api-keys/routes.ts'
import { channelRoutes, connectionRoutes } from './features/channels/routes.ts'
import { conversationRoutes } from './features/conversations/routes.ts'
import { fileRoutes, mediaRoutes } from './features/media/routes.ts'
import { memberRoutes, peopleRoutes } from './features/members/routes.ts'
import { messageRoutes, timelineRoutes } from './features/messages/routes.ts'
import { noticeRoutes } from './features/notices/routes.ts'
import { optOutRoutes } from './features/opt-outs/routes.ts'
import { templateRoutes, templateSampleRoutes } from './features/templates/routes.ts'
import { usageMonthsRoutes, usageRoutes } from './features/usage/routes.ts'
import { webhookHealthRoutes, webhookRoutes } from './features/webhooks/routes.ts'
import { consoleApi } from './platform/http/answer.ts'
import { consolePages } from './platform/http/pages.ts'
import { consoleAccount } from './platform/http/route-guard.ts'
import type { HttpServer } from './platform/http/server.ts'

/** Where the console is built. */
export const consoleDirectory = fileURLToPath(new URL('../../console/dist', import.meta.url))

export type RouteDeps = Parameters<typeof messageRoutes>[1] &
  Parameters<typeof mediaRoutes>[1] &
  Parameters<typeof templateRoutes>[1] &
  Parameters<typeof templateSampleRoutes>[1] &
  Parameters<typeof channelRoutes>[1] &
  Parameters<typeof connectionRoutes>[1] &
  Parameters<typeof conversationRoutes>[1] &
  Parameters<typeof webhookRoutes>[1] & { notices: Parameters<typeof noticeRoutes>[1]; members: Parameters<typeof memberRoutes>[1] }

/** Every endpoint, in the order of the contract, and the console's interface, which has the same operations and some of its own; `/docs`, `/openapi.json`, `/health`, `/ready` and `/metrics` are the server's own. */
export function allRoutes(app: HttpServer, parts: { api: boolean; console: boolean }, deps: RouteDeps): void {
  if (parts.api) {
    void app.register((v1) => contractRoutes(v1 as HttpServer, deps), { prefix: '/v1' })
    noticeRoutes(app, deps.notices)
  }
  if (parts.console) {
    void app.register(async (people) => peopleRoutes(people as HttpServer, deps.members), { prefix: consoleApi })
    void app.register((account) => consoleRoutes(account as HttpServer, deps), { prefix: consoleAccount })
    consolePages(app, { directory: consoleDirectory, filesUrl: deps.filesUrl })
  }
  if (parts.api || parts.console) fileRoutes(app, deps)
}

/** What is about one account: the contract's operations, and those that only the team has. */
async function consoleRoutes(account: HttpServer, deps: RouteDeps): Promise<void> {
  await contractRoutes(account, deps)
  conversationRoutes(account, deps)
  memberRoutes(account, deps.members)
  await letOthersRun()
  apiKeyRoutes(account, deps)
  connectionRoutes(account, deps)
  timelineRoutes(account, deps)
  templateSampleRoutes(account, deps)
  usageMonthsRoutes(account, deps)
  webhookHealthRoutes(account, deps)
  alertRoutes(account, deps)
}

/** The operations of the contract: a key calls them under /v1, a member of the team in the console. */
async function contractRoutes(scope: HttpServer, deps: RouteDeps): Promise<void> {
  await letOthersRun()
  messageRoutes(scope, deps)
  mediaRoutes(scope, deps)
  await letOthersRun()
  templateRoutes(scope, deps)
  channelRoutes(scope, deps)
  webhookRoutes(scope, deps)
  optOutRoutes(scope, deps)
  usageRoutes(scope, deps)
  await letOthersRun()
}
