import { Type } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { formatId, parseId } from '../../base/id.ts'
import { ok } from '../../base/result.ts'
import { type Reads, readingAs } from '../../platform/database/reads.ts'
import { answer } from '../../platform/http/answer.ts'
import { mayDo } from '../../platform/http/caller.ts'
import { query } from '../../platform/http/query.ts'
import { errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { messageOfWamid } from './find.ts'
import { readTimeline } from './timeline.ts'
import { timelineJson, timelineSchema } from './timeline-wire.ts'

/** The page of one message, and the way to it; of the console alone. */
export function timelineRoutes(account: HttpServer, deps: { reads: Reads; clock: Clock }): void {
  account.get(
    '/messages/:id/timeline',
    {
      config: { access: { scope: 'messages:read', testKeys: true } },
      schema: {
        operationId: 'getMessageTimeline',
        summary: 'The whole course of a message, and why it did not arrive',
        tags: ['Messages'],
        params: Type.Object({ id: Type.String() }),
        response: { 200: timelineSchema, ...errors(404) },
      },
    },
    async ({ caller, params }, reply) => {
      const wanted = { accountId: caller.accountId, livemode: caller.livemode, id: parseId('msg', params.id) }
      const timeline = await readTimeline(readingAs(deps, caller.accountId), wanted)
      reply.header('content-type', 'application/json; charset=utf-8')
      const shown = { wholeUrls: mayDo(caller, 'webhooks:write') }
      return answer(reply, timeline.ok ? ok(JSON.stringify(timelineJson(timeline.value, shown))) : timeline) as never
    },
  )

  account.get(
    '/messages/by-wamid',
    {
      config: { access: { scope: 'messages:read', testKeys: true } },
      schema: {
        operationId: 'findMessageByWamid',
        summary: "Find a message by the platform's id of it",
        tags: ['Messages'],
        querystring: query({ wamid: Type.String({ minLength: 1, maxLength: 512 }) }),
        response: { 200: Type.Object({ id: Type.String({ description: 'Ours.' }) }), ...errors(404) },
      },
    },
    async ({ caller, query: { wamid } }, reply) => {
      const found = await messageOfWamid(readingAs(deps, caller.accountId), {
        accountId: caller.accountId,
        livemode: caller.livemode,
        wamid,
      })
      return answer(reply, found.ok ? ok({ id: formatId('msg', found.value) }) : found)
    },
  )
}
