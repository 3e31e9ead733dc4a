import { Type } from 'typebox'
import { present } from '../../base/assert.ts'
import { formatId, parseId, type Uuid } from '../../base/id.ts'
import { because, invalidField } from '../../base/refusal.ts'
import { ok, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import { type Reads, readingAs } from '../../platform/database/reads.ts'
import { answer, refuse } from '../../platform/http/answer.ts'
import { limit, listOf } from '../../platform/http/paging.ts'
import { query } from '../../platform/http/query.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { conversationParams, keyOf, reading, tags } from './access.ts'
import { type ConversationFilter, selectConversations, selectCounts, selectLabels } from './list-store.ts'
import { lookFor } from './look-for.ts'
import { search } from './search.ts'
import { type ShowDeps, showConversations } from './show.ts'
import { findConversation } from './store.ts'
import { noConversation } from './thread.ts'
import { ConversationSchema, formatListPlace, parseListPlace } from './wire.ts'

type Deps = Omit<ShowDeps, 'database'> & { reads: Reads }

const conversation = component(ConversationSchema)
const oneOf = (values: readonly string[], description: string) => Type.Unsafe<string>({ type: 'string', enum: values, description })

const listQuery = query({
  limit,
  starting_after: Type.Optional(Type.String({ description: '`next` of the page before.' })),
  state: Type.Optional(oneOf(['open', 'closed', 'snoozed', 'all'], 'Left out: open.')),
  assignee: Type.Optional(Type.String({ description: '`me`, `none`, or the id of a member (usr_…).' })),
  channel_id: Type.Optional(Type.String({ description: 'Only over this number.' })),
  label: Type.Optional(Type.String({ maxLength: 40 })),
  unread: Type.Optional(Type.Boolean({ description: 'True: only those that somebody has to read.' })),
})
const conversationList = Type.Object({
  ...listOf(conversation).properties,
  next: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'For `starting_after`; null: there are no more.' }),
})
const countsMax = 1_000
const countsSchema = Type.Object({
  open: Type.Integer(),
  mine: Type.Integer(),
  unassigned: Type.Integer(),
  unread: Type.Integer({ description: 'Each is counted up to 1,000, of open conversations.' }),
})

/** Lists of conversations, one of them, the numbers beside the filters, and the search. */
export function listRoutes(account: HttpServer, deps: Deps): void {
  listRoute(account, deps)
  account.get(
    '/conversations/counts',
    {
      config: reading,
      schema: {
        operationId: 'countConversations',
        summary: 'Count open conversations',
        tags,
        querystring: query({
          assignee: Type.Optional(Type.String({ description: 'Whose are counted as `mine` (usr_…). Left out: of who asks.' })),
        }),
        response: { 200: countsSchema, ...errors() },
      },
    },
    async ({ member, query: { assignee } }, reply) => {
      const userId = assignee === undefined ? member.userId : parseId('usr', assignee)
      if (userId === null) return refuse(reply, invalidField('assignee', assigneeWords))
      return selectCounts(deps.reads.of(member.accountId), { ...member, userId }, deps.clock.now(), countsMax)
    },
  )
  account.get(
    '/conversations/:id',
    {
      config: reading,
      schema: {
        operationId: 'getConversation',
        summary: 'Fetch one conversation',
        tags,
        params: conversationParams,
        response: { 200: conversation, ...errors(404) },
      },
    },
    async ({ member, params }, reply) => {
      const found = await findConversation(deps.reads.of(member.accountId), keyOf(member, params.id))
      const [shown] = found === null ? [] : await showConversations(readingAs(deps, member.accountId), [found])
      return answer(reply, shown === undefined ? refused(noConversation) : ok(shown))
    },
  )
  account.get(
    '/labels',
    {
      config: reading,
      schema: {
        operationId: 'listLabels',
        summary: 'List the labels in use',
        description: 'The most used first, counted over the newest 5,000 conversations that have any.',
        tags,
        response: { 200: listOf(Type.Object({ label: Type.String(), conversations: Type.Integer() })), ...errors() },
      },
    },
    async ({ member }) => {
      const labels = await selectLabels(deps.reads.of(member.accountId), member)
      return { object: 'list' as const, data: labels.map(({ label, amount }) => ({ label, conversations: amount })), has_more: false }
    },
  )
  lookRoute(account, deps)
  searchRoute(account, deps)
}

const foundSchema = Type.Object({
  phone: Type.String({ description: 'In full, as it will be dialled; empty where only a user id is known.', examples: ['5511987654321'] }),
  name: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'What the person calls themselves.' }),
  is_known: Type.Boolean({ description: 'Something was said to them or by them before.' }),
  conversation_id: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Null: there is none over this number yet.' }),
})

function lookRoute(account: HttpServer, deps: Deps): void {
  account.get(
    '/conversations/with',
    {
      config: reading,
      schema: {
        operationId: 'findConversation',
        summary: 'Look for a person and their conversation over a number',
        description:
          "10 or 11 digits without `+` are of the number's own country. Nothing is made: a conversation begins with the first message.",
        tags,
        querystring: query({
          channel_id: Type.String({ description: 'One of our numbers.' }),
          to: Type.String({ maxLength: 150, description: 'A phone as people write it, or a user id.' }),
        }),
        response: { 200: foundSchema, ...errors(404) },
      },
    },
    async ({ member, query: asked }, reply) => {
      const channelId = parseId('ch', asked.channel_id)
      if (channelId === null) return refuse(reply, invalidField('channel_id', channelWords))
      const found = await lookFor(deps.reads.of(member.accountId), { ...member, channelId, to: asked.to })
      if (!found.ok) return refuse(reply, found.refusal)
      const { phone, contact, conversation: there } = found.value
      return {
        phone,
        name: contact?.name ?? null,
        is_known: contact !== null,
        conversation_id: there === null ? null : formatId('cnv', there.id),
      }
    },
  )
}

function listRoute(account: HttpServer, deps: Deps): void {
  account.get(
    '/conversations',
    {
      config: reading,
      schema: {
        operationId: 'listConversations',
        summary: 'List conversations',
        description: 'Those with the newest messages first.',
        tags,
        querystring: listQuery,
        response: { 200: conversationList, ...errors() },
      },
    },
    async ({ member, query: asked, socket }, reply) => {
      const after = asked.starting_after === undefined ? null : parseListPlace(asked.starting_after)
      if (asked.starting_after !== undefined && after === null) return refuse(reply, invalidField('starting_after', placeWords))
      const assignee = asked.assignee === undefined ? null : assigneeOf(asked.assignee, member.userId)
      if (asked.assignee !== undefined && assignee === null) return refuse(reply, invalidField('assignee', assigneeWords))
      const channelId = asked.channel_id === undefined ? null : parseId('ch', asked.channel_id)
      if (asked.channel_id !== undefined && channelId === null) return refuse(reply, invalidField('channel_id', channelWords))
      const filter: ConversationFilter = {
        accountId: member.accountId,
        livemode: member.livemode,
        state: (asked.state as ConversationFilter['state'] | undefined) ?? 'open',
        assignee,
        channelId,
        label: asked.label ?? null,
        isUnread: asked.unread === true,
        after,
      }
      const most = asked.limit ?? limits.listLimitDefault
      const lookup = deps.reads.of(member.accountId, () => socket.destroyed)
      const { rows, stoppedAt } = await selectConversations(lookup, filter, deps.clock.now(), most + 1)
      const page = rows.slice(0, most)
      const last = rows.length > most ? present(page.at(-1), 'a page has an item') : stoppedAt
      return {
        object: 'list' as const,
        data: await showConversations(readingAs(deps, member.accountId), page),
        has_more: last !== null,
        next: last === null ? null : formatListPlace(last),
      }
    },
  )
}

const placeWords = because('malformed', 'This must be `next` of another page.')
const assigneeWords = because('malformed', 'This must be me, none, or the id of a member (usr_…).')
const channelWords = because('malformed', 'This must be the id of a channel: ch_ and 32 hex characters.')

const assigneeOf = (text: string, userId: Uuid): Uuid | 'none' | null =>
  text === 'me' ? userId : text === 'none' ? 'none' : parseId('usr', text)

const hitSchema = Type.Object({
  id: Type.String(),
  conversation_id: Type.String(),
  channel_id: Type.String(),
  contact: Type.Object({ name: Type.Unsafe<string | null>({ type: ['string', 'null'] }), phone: Type.String() }),
  direction: Type.Unsafe<string>({ type: 'string', enum: ['inbound', 'outbound'] }),
  snippet: Type.String(),
  created_at: Type.Unsafe<Date>({ type: 'string', format: 'date-time' }),
})

function searchRoute(account: HttpServer, deps: Deps): void {
  account.get(
    '/search',
    {
      config: reading,
      schema: {
        operationId: 'search',
        summary: 'Search people and messages',
        description: 'Without regard to accents and case; of each the 50 newest at most. What was written a moment ago may be missing.',
        tags,
        querystring: query({
          q: Type.String({ minLength: 2, maxLength: 200, description: 'Part of a name, of a phone, or of what was said.' }),
        }),
        response: { 200: Type.Object({ conversations: Type.Array(conversation), messages: Type.Array(hitSchema) }), ...errors() },
      },
    },
    async ({ member, query: { q } }, reply) => answer(reply, await search(readingAs(deps, member.accountId), member, q)),
  )
}
