import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

export type Note = { accountId: Uuid; id: Uuid; conversationId: Uuid; author: Uuid; text: string }
type Row = { account_id: Uuid; id: Uuid; conversation_id: Uuid; author: Uuid; text: string }

const noteOf = (row: Row): Note => ({
  accountId: row.account_id,
  id: row.id,
  conversationId: row.conversation_id,
  author: row.author,
  text: row.text,
})

const columns = 'account_id, id, conversation_id, author, text'
const list = statement(
  'list_notes',
  `select ${columns} from conversation_note where account_id = $1 and conversation_id = $2 and id < $3 order by id desc limit $4`,
)
const insert = statement(
  'insert_note',
  'insert into conversation_note (account_id, id, conversation_id, author, text) values ($1, $2, $3, $4, $5)',
)
const lock = statement(
  'lock_note',
  `select ${columns} from conversation_note where account_id = $1 and id = $2 and conversation_id = $3 for update`,
)
const remove = statement('delete_note', 'delete from conversation_note where account_id = $1 and id = $2')

/** The notes of a conversation below an id, newest first. */
export async function selectNotes(
  queries: Queries,
  of: { accountId: Uuid; conversationId: Uuid },
  before: Uuid,
  most: number,
): Promise<Note[]> {
  return (await queries.run<Row>(list, [of.accountId, of.conversationId, before, most])).map(noteOf)
}

export async function insertNote(tx: Tx, note: Note): Promise<void> {
  await tx.run(insert, [note.accountId, note.id, note.conversationId, note.author, note.text])
}

export async function lockNote(tx: Tx, of: { accountId: Uuid; id: Uuid; conversationId: Uuid }): Promise<Note | null> {
  const [row] = await tx.run<Row>(lock, [of.accountId, of.id, of.conversationId])
  return row === undefined ? null : noteOf(row)
}

export async function deleteNote(tx: Tx, { accountId, id }: Note): Promise<void> {
  await tx.run(remove, [accountId, id])
}
