import type { Clock } from '../../base/clock.ts'
import type { Unseal } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Reads } from '../../platform/database/reads.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { TeamMessageSchema } from '../messages/public.ts'
import { cannedRoutes } from './canned-routes.ts'
import { changeRoutes } from './change-routes.ts'
import { listRoutes } from './list-routes.ts'
import type { Live } from './live.ts'
import { liveRoutes } from './live-routes.ts'
import { noteRoutes } from './note-routes.ts'
import type { Team } from './team.ts'
import { threadRoutes } from './thread-routes.ts'
import { CannedAnswerSchema, ConversationChangesSchema, ConversationSchema, NoteSchema } from './wire.ts'

export type InboxRouteDeps = {
  database: Database
  reads: Reads
  clock: Clock
  graph: Graph
  unseal: Unseal
  team: Team
  live: Live
  /** Files may be to be fetched. */
  wakeFiles: () => void
}

/** The team's inbox, in the console only. */
export function conversationRoutes(account: HttpServer, deps: InboxRouteDeps): void {
  for (const schema of [TeamMessageSchema, ConversationSchema, ConversationChangesSchema, NoteSchema, CannedAnswerSchema])
    account.addSchema(schema)
  listRoutes(account, deps)
  threadRoutes(account, deps)
  changeRoutes(account, deps)
  noteRoutes(account, deps)
  cannedRoutes(account, deps)
  liveRoutes(account, deps)
}
