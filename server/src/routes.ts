import { alertRoutes } from './features/alerts/routes.ts'
import { apiKeyRoutes } from './features/api-keys/routes.ts'
import { channelRoutes, connectionRoutes } from './features/channels/routes.ts'
import { fileRoutes, mediaRoutes } from './features/media/routes.ts'
import { messageRoutes, timelineRoutes } from './features/messages/routes.ts'
import { noticeRoutes } from './features/notices/routes.ts'
import { optOutRoutes } from './features/opt-outs/routes.ts'
import { templateRoutes } from './features/templates/routes.ts'
import { usageMonthsRoutes, usageRoutes } from './features/usage/routes.ts'
import { webhookRoutes } from './features/webhooks/routes.ts'
import { consoleAccount } from './platform/http/route-guard.ts'
import type { HttpServer } from './platform/http/server.ts'

export type RouteDeps = Parameters<typeof messageRoutes>[1] &
  Parameters<typeof mediaRoutes>[1] &
  Parameters<typeof templateRoutes>[1] &
  Parameters<typeof channelRoutes>[1] &
  Parameters<typeof connectionRoutes>[1] &
  Parameters<typeof webhookRoutes>[1] & { notices: Parameters<typeof noticeRoutes>[1] }

/** Every endpoint, in the order of the contract, and the console's interface, which has the same operations and some of its own; `/docs`, `/openapi.json`, `/health`, `/ready` and `/metrics` are the server's own. */
export function allRoutes(app: HttpServer, deps: RouteDeps): void {
  void app.register(async (v1) => contractRoutes(v1 as HttpServer, deps), { prefix: '/v1' })
  void app.register(async (account) => accountRoutes(account as HttpServer, deps), { prefix: consoleAccount })
  fileRoutes(app, deps)
  noticeRoutes(app, deps.notices)
}

/** What the console has on an account: the operations of the contract, and its own. */
function accountRoutes(scope: HttpServer, deps: RouteDeps): void {
  contractRoutes(scope, deps)
  apiKeyRoutes(scope, deps)
  connectionRoutes(scope, deps)
  timelineRoutes(scope, deps)
  usageMonthsRoutes(scope, deps)
  alertRoutes(scope, deps)
}

/** The operations of the contract: a key calls them under /v1, a member of the team in the console. */
function contractRoutes(scope: HttpServer, deps: RouteDeps): void {
  messageRoutes(scope, deps)
  mediaRoutes(scope, deps)
  templateRoutes(scope, deps)
  channelRoutes(scope, deps)
  webhookRoutes(scope, deps)
  optOutRoutes(scope, deps)
  usageRoutes(scope, deps)
}
