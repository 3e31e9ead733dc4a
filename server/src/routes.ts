import { channelRoutes } from './features/channels/routes.ts'
import { fileRoutes, mediaRoutes } from './features/media/routes.ts'
import { messageRoutes } from './features/messages/routes.ts'
import { noticeRoutes } from './features/notices/routes.ts'
import { optOutRoutes } from './features/opt-outs/routes.ts'
import { templateRoutes } from './features/templates/routes.ts'
import { usageRoutes } from './features/usage/routes.ts'
import { webhookRoutes } from './features/webhooks/routes.ts'
import type { HttpServer } from './platform/http/server.ts'

export type RouteDeps = Parameters<typeof messageRoutes>[1] &
  Parameters<typeof mediaRoutes>[1] &
  Parameters<typeof templateRoutes>[1] &
  Parameters<typeof channelRoutes>[1] &
  Parameters<typeof webhookRoutes>[1] & { notices: Parameters<typeof noticeRoutes>[1] }

/** Every endpoint, in the order of the contract; `/docs`, `/openapi.json`, `/health`, `/ready` and `/metrics` are the server's own. */
export function allRoutes(app: HttpServer, deps: RouteDeps): void {
  void app.register(
    async (scope) => {
      const v1 = scope as HttpServer
      messageRoutes(v1, deps)
      mediaRoutes(v1, deps)
      templateRoutes(v1, deps)
      channelRoutes(v1, deps)
      webhookRoutes(v1, deps)
      optOutRoutes(v1, deps)
      usageRoutes(v1, deps)
    },
    { prefix: '/v1' },
  )
  fileRoutes(app, deps)
  noticeRoutes(app, deps.notices)
}
