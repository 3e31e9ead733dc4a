import { systemClock } from '../../src/base/clock.ts'
import { formatId, type Uuid } from '../../src/base/id.ts'
import { createUnsealer } from '../../src/base/seal.ts'
import { createLive } from '../../src/features/conversations/public.ts'
import { conversationRoutes } from '../../src/features/conversations/routes.ts'
import { createReactor, createSender } from '../../src/features/messages/public.ts'
import { messageRoutes } from '../../src/features/messages/routes.ts'
import { openReads } from '../../src/platform/database/reads.ts'
import { createProxyWatch } from '../../src/platform/http/proxy-watch.ts'
import { createRateLimits } from '../../src/platform/http/rate-limit.ts'
import { consoleAccount } from '../../src/platform/http/route-guard.ts'
import { createHttpServer, type HttpServer } from '../../src/platform/http/server.ts'
import { createMetrics } from '../../src/platform/observe/metrics.ts'
import type { Graph } from '../../src/platform/upstream/graph.ts'
import type { Answer } from './caller.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { goodGraph, noTemplates, secretKey } from './stage.ts'

/** A person of the team: the account that they belong to, and what their role may do. */
export type TestMember = { userId: Uuid; accountId: Uuid; scopes: readonly string[] | null; name: string }

export type InboxServer = {
  url: string
  app: HttpServer
  own: TestDatabase
  deps: { database: TestDatabase['database']; clock: ReturnType<typeof systemClock> }
  /** What was said to upstream. */
  upstream: { path: string; body: string }[]
  addMember(member: TestMember): void
  removeMember(member: TestMember): void
  call(
    member: TestMember,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Answer['body'] }>
  /** Another server on the same database, as after a restart. */
  another(): Promise<InboxServer>
  close(): Promise<void>
}

/** The console's interface of the inbox over real HTTP, whose members are those that the test names. */
export async function startInboxServer(shared?: { own: TestDatabase; members: Map<string, TestMember> }): Promise<InboxServer> {
  const own = shared?.own ?? (await testDatabase())
  const members = shared?.members ?? new Map<string, TestMember>()
  const clock = systemClock()
  const { database } = own
  const upstream: InboxServer['upstream'] = []
  const graph: Graph = {
    ...goodGraph,
    call: async (asked) => {
      upstream.push({ path: asked.path, body: String(asked.body ?? '') })
      if (!asked.path.endsWith('/messages')) return goodGraph.call(asked)
      return { kind: 'answer', statusCode: 200, body: JSON.stringify({ success: true, messages: [{ id: `wamid.out${upstream.length}` }] }) }
    },
  }
  const unseal = createUnsealer(secretKey)
  const observe = () => {}
  const rateLimits = await createRateLimits({ clock, observe, perKey: 600, perAccount: 1_200, redisUrl: null })
  const app = createHttpServer(
    {
      clock,
      observe,
      metrics: createMetrics(),
      authenticate: async () => null,
      rateLimits,
      logRequest: () => {},
      readiness: [],
      proxies: createProxyWatch(observe, []),
      console: {
        readSession: async ({ cookie }) => {
          const userId = cookie?.replace('test=', '') as Uuid | undefined
          return userId !== undefined && members.has(userId) ? { userId, sessionId: userId as Uuid } : null
        },
        membershipOf: async (userId, accountId) => {
          const member = members.get(userId)
          return member?.accountId === accountId ? { scopes: member.scopes } : null
        },
        origins: [],
        logAction: async () => {},
      },
    },
    {
      servers: [{ url: 'https://gateway.example', description: 'Test.' }],
      description: 'Test.',
      contact: { name: 'Test', url: 'https://gateway.example' },
      tags: [],
      webhooks: {},
      schemas: {},
      trustProxy: [],
      metricsToken: null,
    },
  )
  const live = createLive({
    ...{ database, clock, observe },
    membersAmong: async (asked) => asked.map(({ accountId, userId }) => members.get(userId)?.accountId === accountId),
  })
  const team = {
    namesOf: async (ids: readonly Uuid[]) => new Map(ids.flatMap((id) => (members.has(id) ? [[id, members.get(id)?.name ?? '']] : []))),
    holdWorker: async (_tx: unknown, accountId: Uuid, userId: Uuid) => members.get(userId)?.accountId === accountId,
  }
  const reads = openReads({ connection: own.connection, clock, observe })
  const deps = { database, reads, clock, graph, unseal, team, live, wakeFiles: () => {} }
  const send = createSender({ database, clock, observe, wakeLanes: () => {}, readCategories: noTemplates })
  const react = createReactor({ database, clock, observe, graph, unseal })
  void app.register(
    async (account) => {
      messageRoutes(account as HttpServer, { ...deps, send, react, filesUrl: 'https://files.example', ourAddresses: [] })
      conversationRoutes(account as HttpServer, deps)
    },
    { prefix: consoleAccount },
  )
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    ...{ url, app, own, upstream, deps: { database, clock } },
    addMember: (member) => void members.set(member.userId, member),
    removeMember: (member) => void members.delete(member.userId),
    async call(member, method, path, body, headers = {}) {
      const answer = await fetch(`${url}/console/api/accounts/${formatId('acc', member.accountId)}${path}`, {
        method,
        headers: {
          cookie: `test=${member.userId}`,
          origin: url,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
    },
    another: () => startInboxServer({ own, members }),
    async close() {
      await app.close()
      await rateLimits.close()
      await reads.close()
      if (shared === undefined) await own.close()
    },
  }
}
