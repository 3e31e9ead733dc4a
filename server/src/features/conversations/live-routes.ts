import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { refuse } from '../../platform/http/answer.ts'
import { query } from '../../platform/http/query.ts'
import { errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { reading, tags } from './access.ts'
import type { Live } from './live.ts'

/** What changes, as it changes. */
export function liveRoutes(account: HttpServer, { live }: { live: Live }): void {
  // Open streams would hold up the close for ever.
  account.addHook('preClose', () => live.stop())
  account.get(
    '/live',
    {
      config: reading,
      // A stream without a body has nothing to say.
      exposeHeadRoute: false,
      schema: {
        operationId: 'followLive',
        summary: 'Follow what changes',
        description:
          'Server-sent events. `ready`: from here on all is told. `change`: `{messages, conversations}`, the ids of what is to be fetched anew; what is not there any more is gone. `reset`: too much was missed, fetch all anew. The id of each event is where to go on after a lost connection, by `Last-Event-ID` or `after`. The stream ends after some minutes and is meant to be opened anew.',
        tags,
        produces: ['text/event-stream'],
        querystring: query({
          after: Type.Optional(Type.String({ maxLength: 64, description: 'The id of the last event that was seen.' })),
          mode: Type.Optional(
            Type.Unsafe<string>({ type: 'string', enum: ['live', 'test'], description: 'Instead of the header `pombo-mode`.' }),
          ),
        }),
        response: { 200: Type.String(), ...errors() },
      },
    },
    async ({ member, headers, query: asked }, reply) => {
      const last = headers['last-event-id']
      const livemode = asked.mode === undefined ? member.livemode : asked.mode === 'live'
      // The browser's own word is the newer one: it comes back to the same address each time.
      const after = typeof last === 'string' && last !== '' ? last : (asked.after ?? null)
      const gone = new AbortController()
      reply.raw.on('close', () => gone.abort())
      const stream = live.listen({ accountId: member.accountId, userId: member.userId, livemode, after }, gone.signal)
      if (!stream.ok) return refuse(reply, stream.refusal)
      return reply
        .header('content-type', 'text/event-stream')
        .header('cache-control', 'no-cache, no-transform')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(stream.value) as never)
    },
  )
}
