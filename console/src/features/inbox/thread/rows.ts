import type { Note, TeamMessage } from '../../../api/generated/operations.ts'

/** A line of the thread. `day`: the day begins with it. */
export type Row = { key: string; at: string; day: boolean } & (
  | { kind: 'message'; message: TeamMessage; isFirst: boolean; isLast: boolean }
  | { kind: 'note'; note: Note }
)

/** What one person writes within this time stands together. */
const groupMs = 5 * 60_000

/** The lines of a thread: messages with the notes of their time among them; those of one author together. Pure. */
export function rowsOf(messages: readonly TeamMessage[], notes: readonly Note[], hasOlder: boolean): Row[] {
  const from = hasOlder ? (messages[0]?.created_at ?? '') : ''
  const waiting = notes.filter((each) => each.created_at >= from).toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  const rows: Row[] = []
  let next = 0
  const takeNotes = (until: string | null) => {
    for (let note = waiting[next]; note !== undefined && (until === null || note.created_at <= until); note = waiting[next]) {
      rows.push({ kind: 'note', key: note.id, at: note.created_at, day: false, note })
      next += 1
    }
  }
  for (const message of messages) {
    takeNotes(message.created_at)
    rows.push({ kind: 'message', key: message.id, at: message.created_at, day: false, message, isFirst: true, isLast: true })
  }
  takeNotes(null)
  let day = ''
  for (const [i, row] of rows.entries()) {
    const its = dayOf(row.at)
    row.day = its !== day
    day = its
    const before = rows[i - 1]
    if (row.kind !== 'message' || row.day || before?.kind !== 'message' || !belongTogether(before.message, row.message)) continue
    row.isFirst = false
    before.isLast = false
  }
  return rows
}

function belongTogether(a: TeamMessage, b: TeamMessage): boolean {
  return (
    a.direction === b.direction &&
    a.source === b.source &&
    a.author?.id === b.author?.id &&
    a.type !== 'system' &&
    b.type !== 'system' &&
    Date.parse(b.created_at) - Date.parse(a.created_at) < groupMs
  )
}

/** The reader's own day of a moment. */
export function dayOf(at: string): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`
}
