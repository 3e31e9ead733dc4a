import { Type } from 'typebox'
import { parseMonth } from '../../base/brasilia.ts'
import type { Clock } from '../../base/clock.ts'
import { type Reads, readingAs } from '../../platform/database/reads.ts'
import { answer } from '../../platform/http/answer.ts'
import { query } from '../../platform/http/query.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { reportTeamUsage, reportUsage } from './report.ts'
import { listUsageMonths } from './store.ts'
import { teamUsageSchema, usageSchema } from './wire.ts'

const usageQuery = query({
  month: Type.Optional(
    Type.String({
      // As `parseMonth` reads it.
      pattern: '^[1-9][0-9]{3}-(0[1-9]|1[0-2])$',
      description: 'A calendar month in Brasília time; this month when it is left out.',
      examples: ['2026-11'],
      'x-expected': 'a month such as 2026-11',
    }),
  ),
})

const months = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(Type.String({ description: 'A calendar month in Brasília time.', examples: ['2026-11'] })),
  has_more: Type.Boolean(),
})

/** What the console asks about usage beside the figures of the contract. */
export function usageMonthsRoutes(account: HttpServer, deps: { reads: Reads; clock: Clock }): void {
  const { reads } = deps
  account.addSchema(teamUsageSchema)
  account.get(
    '/usage/team',
    {
      config: { access: { scope: 'usage:read', testKeys: false } },
      schema: {
        operationId: 'getTeamUsage',
        summary: 'What the team sent in a month',
        tags: ['Usage'],
        querystring: usageQuery,
        response: { 200: component(teamUsageSchema), ...errors() },
      },
    },
    async ({ caller, query: asked }, reply) =>
      answer(
        reply,
        await reportTeamUsage(
          readingAs(deps, caller.accountId),
          caller.accountId,
          asked.month === undefined ? null : parseMonth(asked.month),
        ),
        200,
      ),
  )
  account.get(
    '/usage/months',
    {
      config: { access: { scope: 'usage:read', testKeys: false } },
      schema: {
        operationId: 'listUsageMonths',
        summary: 'The months that have figures, newest first',
        tags: ['Usage'],
        response: { 200: months, ...errors() },
      },
    },
    async ({ caller }) => ({
      object: 'list' as const,
      data: await listUsageMonths(reads.of(caller.accountId), caller.accountId),
      has_more: false,
    }),
  )
}

/** The operation on usage, under /v1. */
export function usageRoutes(v1: HttpServer, deps: { reads: Reads; clock: Clock }): void {
  v1.addSchema(usageSchema)
  v1.get(
    '/usage',
    {
      config: { access: { scope: 'usage:read', testKeys: false } },
      schema: {
        operationId: 'getUsage',
        summary: 'Usage of a month',
        description: 'What the account has sent and received in a month, with live keys and real people, up to this moment.',
        tags: ['Usage'],
        querystring: usageQuery,
        response: { 200: component(usageSchema), ...errors() },
      },
    },
    async ({ caller, query: asked }, reply) =>
      answer(
        reply,
        await reportUsage(readingAs(deps, caller.accountId), caller.accountId, asked.month === undefined ? null : parseMonth(asked.month)),
        200,
      ),
  )
}
