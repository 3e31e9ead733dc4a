import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'

/** A file of an account. */
export type FilePlace = { accountId: Uuid; mediaId: Uuid }

export type Removal = FilePlace & { tries: number }

const hide = statement(
  'hide_media',
  `update media set gone_at = $3
  from unnest($1::uuid[], $2::uuid[]) as released (account_id, media_id)
  where media.account_id = released.account_id and media.id = released.media_id and not media.uploaded and media.gone_at is null`,
)
const queue = statement(
  'queue_media_removals',
  `insert into media_removal (account_id, media_id, due_at)
  select account_id, media_id, $3
  from unnest($1::uuid[], $2::uuid[]) as released (account_id, media_id)
  order by account_id, media_id
  on conflict (account_id, media_id) do update set due_at = excluded.due_at, tries = 0
    where media_removal.account_id = excluded.account_id`,
)
const selectDue = statement(
  'find_due_media_removals',
  `select account_id, media_id, tries from media_removal
  where due_at <= $1
  order by due_at
  limit $2`,
)
const lock = statement(
  'lock_released_media',
  `select uploaded, gone_at from media
  where account_id = $1 and id = $2
  for update`,
)
const showAgain = statement('show_media_again', 'update media set gone_at = null where account_id = $1 and id = $2')
const remove = statement('delete_media', 'delete from media where account_id = $1 and id = $2')
const postpone = statement(
  'postpone_media_removal',
  'update media_removal set due_at = $3, tries = $4 where account_id = $1 and media_id = $2',
)
const end = statement('end_media_removal', 'delete from media_removal where account_id = $1 and media_id = $2')

/** From the commit on nobody gets these files, unless the account uploaded them itself. */
export async function hideMedia(tx: Tx, files: readonly FilePlace[], now: Date): Promise<void> {
  if (files.length > 0) await tx.run(hide, [files.map((each) => each.accountId), files.map((each) => each.mediaId), now])
}

/** Lets these files be looked at: they go when nothing has them. */
export async function queueRemovals(tx: Tx, files: readonly FilePlace[], now: Date): Promise<void> {
  if (files.length > 0) await tx.run(queue, [files.map((each) => each.accountId), files.map((each) => each.mediaId), now])
}

/** The oldest first. */
export async function findDueRemovals(queries: Queries, now: Date, most: number): Promise<Removal[]> {
  const rows = await queries.run<{ account_id: Uuid; media_id: Uuid; tries: number }>(selectDue, [now, most])
  return rows.map((row) => ({ accountId: row.account_id, mediaId: row.media_id, tries: row.tries }))
}

/** Locks the file until commit; null: its row is gone. */
export async function lockReleased(tx: Tx, { accountId, mediaId }: FilePlace): Promise<{ uploaded: boolean; goneAt: Date | null } | null> {
  const [row] = await tx.run<{ uploaded: boolean; gone_at: Date | null }>(lock, [accountId, mediaId])
  return row === undefined ? null : { uploaded: row.uploaded, goneAt: row.gone_at }
}

export async function showMediaAgain(tx: Tx, { accountId, mediaId }: FilePlace): Promise<void> {
  await tx.run(showAgain, [accountId, mediaId])
}

/** Its bytes are nobody's from the commit on. */
export async function deleteMedia(tx: Tx, { accountId, mediaId }: FilePlace): Promise<void> {
  await tx.run(remove, [accountId, mediaId])
}

export async function postponeRemoval(queries: Queries, { accountId, mediaId, tries }: Removal, dueAt: Date): Promise<void> {
  await queries.run(postpone, [accountId, mediaId, dueAt, tries])
}

export async function endRemoval(queries: Queries, { accountId, mediaId }: FilePlace): Promise<void> {
  await queries.run(end, [accountId, mediaId])
}
