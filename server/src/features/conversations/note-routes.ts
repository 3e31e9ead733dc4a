import { Type } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { parseId } from '../../base/id.ts'
import { because, invalidField, refusal } from '../../base/refusal.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Reads, readingAs } from '../../platform/database/reads.ts'
import { answer, refuse } from '../../platform/http/answer.ts'
import { limit, listOf } from '../../platform/http/paging.ts'
import { query } from '../../platform/http/query.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { lastUuid } from '../messages/public.ts'
import { conversationParams, keyOf, reading, tags, writing } from './access.ts'
import { addNote, listNotes, removeNote } from './notes.ts'
import type { Team } from './team.ts'
import { NoteSchema } from './wire.ts'

type Deps = { database: Database; reads: Reads; clock: Clock; team: Team }

const note = component(NoteSchema)
const noteParams = Type.Object({ id: Type.String({ description: 'The id of the conversation.' }), note_id: Type.String() })

/** Notes of the team, which the person never sees. */
export function noteRoutes(account: HttpServer, deps: Deps): void {
  account.get(
    '/conversations/:id/notes',
    {
      config: reading,
      schema: {
        operationId: 'listNotes',
        summary: 'List the notes of a conversation',
        description: 'Newest first.',
        tags,
        params: conversationParams,
        querystring: query({
          limit,
          starting_after: Type.Optional(Type.String({ description: 'The id of the last note of the page before.' })),
        }),
        response: { 200: listOf(note), ...errors(404) },
      },
    },
    async ({ member, params, query: asked }, reply) => {
      const before = asked.starting_after === undefined ? lastUuid : parseId('nte', asked.starting_after)
      if (before === null)
        return refuse(reply, invalidField('starting_after', because('malformed', 'This must be the id of a note (nte_…).')))
      const page = await listNotes(readingAs(deps, member.accountId), keyOf(member, params.id), {
        before,
        limit: asked.limit ?? limits.listLimitDefault,
      })
      if (!page.ok) return refuse(reply, page.refusal)
      return { object: 'list' as const, data: page.value.notes, has_more: page.value.hasMore }
    },
  )
  account.post(
    '/conversations/:id/notes',
    {
      config: writing,
      schema: {
        operationId: 'addNote',
        summary: 'Write a note',
        tags,
        params: conversationParams,
        body: Type.Object({ text: Type.String({ minLength: 1, maxLength: limits.textCharsMax }) }, { additionalProperties: false }),
        response: { 201: note, ...errors(404) },
      },
    },
    async ({ member, params, body }, reply) =>
      answer(reply, await addNote(deps, keyOf(member, params.id), { author: member.userId, text: body.text }), 201),
  )
  account.delete(
    '/conversations/:id/notes/:note_id',
    {
      config: writing,
      schema: {
        operationId: 'removeNote',
        summary: 'Delete a note',
        description: 'One’s own; an admin anybody’s.',
        tags,
        params: noteParams,
        response: { 200: Type.Object({ deleted: Type.Boolean() }), ...errors(404) },
      },
    },
    async ({ member, params }, reply) => {
      const noteId = parseId('nte', params.note_id)
      if (noteId === null) return refuse(reply, refusal('not_found', because('no_note', 'There is no note with this id.')))
      // Whoever may do everything is an admin, or the owner.
      const by = { noteId, userId: member.userId, mayAny: member.scopes === null }
      return answer(reply, await removeNote(deps, keyOf(member, params.id), by))
    },
  )
}
