import { Type } from 'typebox'
import { parseId, type Uuid } from '../../base/id.ts'
import { because, invalidField } from '../../base/refusal.ts'
import { limits } from '../../limits.ts'
import { type Reads, readingAs } from '../../platform/database/reads.ts'
import { refuse } from '../../platform/http/answer.ts'
import { limit, listOf } from '../../platform/http/paging.ts'
import { query } from '../../platform/http/query.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { TeamMessageSchema } from '../messages/public.ts'
import { conversationParams, keyOf, reading, tags } from './access.ts'
import type { Team } from './team.ts'
import { getMessages, listThread, type ThreadWanted } from './thread.ts'

type Deps = { reads: Reads; team: Team }

const json = 'application/json; charset=utf-8'
const message = component(TeamMessageSchema)
const messageId = (description: string) => Type.Optional(Type.String({ description }))

/** What was said in a conversation, and messages by id. */
export function threadRoutes(account: HttpServer, deps: Deps): void {
  account.get(
    '/conversations/:id/messages',
    {
      config: reading,
      schema: {
        operationId: 'listThread',
        summary: 'List the messages of a conversation',
        description: 'Newest first. Only one of `before`, `after` and `around` may be given; without any, the newest.',
        tags,
        params: conversationParams,
        querystring: query({
          limit,
          before: messageId('Only older ones than this message.'),
          after: messageId('Only newer ones than this message: those that follow it at once.'),
          around: messageId('This message and those on both sides of it.'),
        }),
        response: {
          200: Type.Object({
            ...listOf(message).properties,
            has_newer: Type.Boolean({ description: 'With `around`: there are newer ones too.' }),
          }),
          ...errors(404),
        },
      },
    },
    async ({ member, params, query: asked }, reply) => {
      const side = sideOf(asked)
      if (side === null)
        return refuse(reply, invalidField('around', because('malformed', 'Only one of before, after and around may be given.')))
      if ('wrong' in side) return refuse(reply, invalidField(side.wrong, because('malformed', 'This must be the id of a message (msg_…).')))
      const wanted: ThreadWanted = { ...keyOf(member, params.id), ...side, limit: asked.limit ?? limits.listLimitDefault }
      const page = await listThread(readingAs(deps, member.accountId), wanted)
      if (!page.ok) return refuse(reply, page.refusal)
      const { items, hasMore, hasNewer } = page.value
      const body = `{"object":"list","data":[${items.join(',')}],"has_more":${hasMore},"has_newer":${hasNewer}}`
      return reply.header('content-type', json).send(body as never)
    },
  )

  account.get(
    '/messages/by-id',
    {
      config: reading,
      schema: {
        operationId: 'getMessages',
        summary: 'Fetch messages by id',
        description: 'Those that are not there are left out.',
        tags,
        querystring: query({ ids: Type.String({ maxLength: 3_700, description: 'Up to 100 ids (msg_…), separated by commas.' }) }),
        response: { 200: listOf(message), ...errors() },
      },
    },
    async ({ member, query: { ids } }, reply) => {
      const asked = ids.split(',').map((each) => parseId('msg', each))
      if (asked.length > 100 || asked.includes(null))
        return refuse(
          reply,
          invalidField('ids', because('malformed', 'This must be up to 100 ids of messages (msg_…), separated by commas.')),
        )
      const items = await getMessages(readingAs(deps, member.accountId), { ...member, ids: asked as Uuid[] })
      return reply.header('content-type', json).send(`{"object":"list","data":[${items.join(',')}],"has_more":false}` as never)
    },
  )
}

type Asked = { before?: string; after?: string; around?: string }
type Side = { from: 'end' } | { from: 'before' | 'after' | 'around'; messageId: Uuid }

/** Null: more than one was given. */
function sideOf(asked: Asked): Side | { wrong: string } | null {
  const given = (['before', 'after', 'around'] as const).filter((each) => asked[each] !== undefined)
  const [from] = given
  if (from === undefined) return { from: 'end' }
  if (given.length > 1) return null
  const id = parseId('msg', asked[from] ?? '')
  return id === null ? { wrong: from } : { from, messageId: id }
}
