import type { Clock } from '../../base/clock.ts'
import { formatId, momentOf, newUuid, type Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { recordChanges } from '../messages/public.ts'
import { deleteNote, insertNote, lockNote, type Note, selectNotes } from './notes-store.ts'
import { type ConversationKey, findConversation, lockConversation } from './store.ts'
import { memberJson, type Team } from './team.ts'
import { noConversation } from './thread.ts'

type Deps = { database: Database; clock: Clock; team: Team }

export type NoteJson = ReturnType<typeof noteJson>

const noteJson = (note: Note, names: ReadonlyMap<Uuid, string>) => ({
  id: formatId('nte', note.id),
  object: 'note' as const,
  author: memberJson(note.author, names),
  text: note.text,
  created_at: momentOf(note.id),
})

/** Notes of a conversation, newest first, those before an id; one more than `limit` is never answered. */
export async function listNotes(
  { database, team }: Omit<Deps, 'database'> & { database: Queries },
  key: ConversationKey,
  page: { before: Uuid; limit: number },
): Promise<Result<{ notes: NoteJson[]; hasMore: boolean }, Refusal>> {
  const conversation = await findConversation(database, key)
  if (conversation === null) return refused(noConversation)
  const found = await selectNotes(database, { accountId: key.accountId, conversationId: key.id }, page.before, page.limit + 1)
  const notes = found.slice(0, page.limit)
  const names = notes.length === 0 ? new Map<Uuid, string>() : await team.namesOf([...new Set(notes.map((each) => each.author))])
  return ok({ notes: notes.map((each) => noteJson(each, names)), hasMore: found.length > page.limit })
}

/** Writes a note, which only the team sees. */
export async function addNote(
  { database, clock, team }: Deps,
  key: ConversationKey,
  { author, text }: { author: Uuid; text: string },
): Promise<Result<NoteJson, Refusal>> {
  const now = clock.now()
  const note: Note = { accountId: key.accountId, id: newUuid(now), conversationId: key.id, author, text }
  const isThere = await database.transaction(async (tx) => {
    if ((await lockConversation(tx, key)) === null) return false
    await insertNote(tx, note)
    await recordChanges(tx, now, [{ ...key, how: 'conversation' }])
    return true
  })
  return isThere ? ok(noteJson(note, await team.namesOf([author]))) : refused(noConversation)
}

/** Deletes a note: one's own, or anybody's with `mayAny`. */
export async function removeNote(
  { database, clock }: Deps,
  key: ConversationKey,
  { noteId, userId, mayAny }: { noteId: Uuid; userId: Uuid; mayAny: boolean },
): Promise<Result<{ deleted: true }, Refusal>> {
  return database.transaction(async (tx) => {
    if ((await lockConversation(tx, key)) === null) return refused(noConversation)
    const note = await lockNote(tx, { accountId: key.accountId, id: noteId, conversationId: key.id })
    if (note === null) return refused(refusal('not_found', because('no_note', 'There is no note with this id.')))
    if (note.author !== userId && !mayAny)
      return refused(refusal('forbidden', because('only_author', 'Only its author or an admin may delete a note.')))
    await deleteNote(tx, note)
    await recordChanges(tx, clock.now(), [{ ...key, how: 'conversation' }])
    return ok({ deleted: true })
  })
}
