import { Type } from 'typebox'
import { parseId } from '../../base/id.ts'
import { because, invalidField } from '../../base/refusal.ts'
import { ok } from '../../base/result.ts'
import { answer, refuse } from '../../platform/http/answer.ts'
import { tellDeed } from '../../platform/http/deed.ts'
import { parseTime, timeWords } from '../../platform/http/query.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { retryFile } from '../messages/public.ts'
import { conversationParams, keyOf, tags, writing } from './access.ts'
import type { Conversation } from './conversation.ts'
import { createTyping, type ReadDeps, readConversation } from './read.ts'
import { type ShowDeps, showConversations } from './show.ts'
import { type ConversationChanges, changeConversation } from './update.ts'
import { ConversationChangesSchema, ConversationSchema } from './wire.ts'

type Deps = ShowDeps & ReadDeps & { wakeFiles: () => void }

const conversation = component(ConversationSchema)
const unaudited = { ...writing, isUnaudited: true }

/** What the team does with conversations. */
export function changeRoutes(account: HttpServer, deps: Deps): void {
  updateRoute(account, deps)
  readRoutes(account, deps)
  account.post(
    '/messages/:id/file/retry',
    {
      config: writing,
      schema: {
        operationId: 'retryFile',
        summary: 'Fetch a file again that was given up',
        tags,
        params: Type.Object({ id: Type.String({ description: 'The id of the message.' }) }),
        response: { 202: Type.Object({ success: Type.Boolean() }), ...errors(404, 'conflict') },
      },
    },
    async ({ member, params }, reply) => answer(reply, await retryFile(deps, { ...member, id: parseId('msg', params.id) }), 202),
  )
}

const shown = async (deps: Deps, one: Conversation) => {
  const [json] = await showConversations(deps, [one])
  if (json === undefined) throw new Error('one was given')
  return json
}

function updateRoute(account: HttpServer, deps: Deps): void {
  account.patch(
    '/conversations/:id',
    {
      config: writing,
      schema: {
        operationId: 'updateConversation',
        summary: 'Assign, label, snooze, close or open a conversation',
        tags,
        params: conversationParams,
        body: component(ConversationChangesSchema),
        response: { 200: conversation, ...errors(404) },
      },
    },
    async (request, reply) => {
      const { member, params, body } = request
      const changes: ConversationChanges = {}
      if (body.state !== undefined) changes.state = body.state === 'open' ? 'open' : 'closed'
      if (body.labels !== undefined) changes.labels = body.labels
      if (body.assignee !== undefined) {
        changes.assignee = body.assignee === null ? null : parseId('usr', body.assignee)
        if (body.assignee !== null && changes.assignee === null)
          return refuse(reply, invalidField('assignee', because('malformed', 'This must be the id of a member (usr_…), or null.')))
      }
      if (body.snoozed_until !== undefined) {
        changes.snoozedUntil = body.snoozed_until === null ? null : parseTime(body.snoozed_until)
        if (body.snoozed_until !== null && changes.snoozedUntil === null)
          return refuse(reply, invalidField('snoozed_until', because('malformed', `This must be ${timeWords}, or null.`)))
      }
      const changed = await changeConversation(deps, keyOf(member, params.id), changes)
      if (!changed.ok) return refuse(reply, changed.refusal)
      const json = await shown(deps, changed.value)
      tellDeed(request, {
        person: json.contact.name ?? json.contact.phone,
        state: body.state,
        assignee: body.assignee === undefined ? null : (json.assignee?.name ?? 'nobody'),
        snoozed_until: body.snoozed_until === undefined ? null : (body.snoozed_until ?? 'no'),
        labels: body.labels?.join(', '),
      })
      return answer(reply, ok(json))
    },
  )
}

function readRoutes(account: HttpServer, deps: Deps): void {
  account.post(
    '/conversations/:id/read',
    {
      config: unaudited,
      schema: {
        operationId: 'readConversation',
        summary: 'Mark a conversation as read',
        description:
          'Nothing of it is unread any more, and the person sees two blue ticks; `told` says whether the platform took the latter.',
        tags,
        params: conversationParams,
        response: { 200: Type.Object({ unread: Type.Integer(), told: Type.Boolean() }), ...errors(404) },
      },
    },
    async ({ member, params }, reply) => answer(reply, await readConversation(deps, keyOf(member, params.id))),
  )
  const type = createTyping(deps)
  account.post(
    '/conversations/:id/typing',
    {
      config: unaudited,
      schema: {
        operationId: 'showTyping',
        summary: 'Show the person that somebody is typing',
        description:
          'Within the window, at most every 20 seconds; it also marks what they wrote as read. `shown` says whether it was done.',
        tags,
        params: conversationParams,
        response: { 200: Type.Object({ shown: Type.Boolean() }), ...errors(404) },
      },
    },
    async ({ member, params }, reply) => answer(reply, await type(keyOf(member, params.id))),
  )
}
