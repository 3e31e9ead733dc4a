import type { Selectable } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import type { Media, MediaKind } from './media.ts'

type MediaTable = {
  account_id: Uuid
  id: Uuid
  token: string
  sha256: Buffer
  kind: MediaKind
  animated: boolean
  mime_type: string
  size_bytes: number
  file_name: string | null
  created_at: Date
  uploaded: boolean
  gone_at: Date | null
}
type QuotaTable = { account_id: Uuid; day: string; bytes: number }

const build = queryBuilder<{ media: MediaTable; media_quota: QuotaTable }>()
const columns = ['account_id', 'id', 'token', 'sha256', 'kind', 'animated', 'mime_type', 'size_bytes', 'file_name', 'created_at'] as const
const ofMedia = columns.map((each) => `media.${each}`).join(', ')

// On the path of every batch of sends and of every list of messages. Each row is found by the primary key.
const selectByIds = statement(
  'select_media_by_ids',
  `select wanted.n, ${ofMedia}
  from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted (account_id, id, n)
  join media on media.account_id = wanted.account_id and media.id = wanted.id and media.gone_at is null`,
)

// Tokens are unique over all accounts; another account's is not found.
const selectByTokens = statement(
  'select_media_by_tokens',
  `select wanted.n, ${ofMedia}
  from unnest($1::uuid[], $2::text[]) with ordinality as wanted (account_id, token, n)
  join media on media.token = wanted.token and media.account_id = wanted.account_id and media.gone_at is null`,
)

// On the path of every download: whoever has the token may read the file, without saying whose it is.
const selectOpenByToken = statement(
  'select_open_media_by_token',
  `select ${ofMedia}
  from media
  where token = $1 and gone_at is null`,
)

const claimSame = statement(
  'claim_same_media',
  `update media set gone_at = null, uploaded = uploaded or $3
  where account_id = $1 and sha256 = $2
  returning ${columns.join(', ')}`,
)

// Locks the day until commit. A process whose clock is behind does not bring an earlier day back.
const lockDay = statement(
  'lock_upload_day',
  `insert into media_quota (account_id, day, bytes)
  values ($1, $2, 0)
  on conflict (account_id) do update
  set day = greatest(media_quota.day, excluded.day),
    bytes = case when excluded.day > media_quota.day then 0 else media_quota.bytes end
  where media_quota.account_id = excluded.account_id
  returning bytes`,
)

const selectUpstreamIds = statement(
  'select_upstream_media_ids',
  `select wanted.n, media_upstream.upstream_id
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as wanted (account_id, media_id, channel_id, n)
  join media_upstream on media_upstream.account_id = wanted.account_id
    and media_upstream.media_id = wanted.media_id
    and media_upstream.channel_id = wanted.channel_id
  where media_upstream.uploaded_at > $4`,
)

const upsertUpstreamId = statement(
  'upsert_upstream_media_id',
  `insert into media_upstream (account_id, media_id, channel_id, upstream_id, uploaded_at)
  values ($1, $2, $3, $4, $5)
  on conflict (account_id, media_id, channel_id) do update
  set upstream_id = excluded.upstream_id, uploaded_at = excluded.uploaded_at
  where media_upstream.account_id = excluded.account_id`,
)

type Row = Omit<Selectable<MediaTable>, 'uploaded' | 'gone_at'>

/** Which file of an account is meant: by its id, or by the token of its url. */
export type WantedMedia = { accountId: Uuid; id: Uuid } | { accountId: Uuid; token: string }

/** The files in the order asked; null for what the account does not have, which includes every file of another account and what is gone. */
export async function findMedia(queries: Queries, wanted: readonly WantedMedia[]): Promise<(Media | null)[]> {
  const found: (Media | null)[] = wanted.map(() => null)
  const byId = wanted.flatMap((each, i) => ('id' in each ? [{ i, accountId: each.accountId, key: each.id as string }] : []))
  const byToken = wanted.flatMap((each, i) => ('token' in each ? [{ i, accountId: each.accountId, key: each.token }] : []))
  await Promise.all(
    [
      { select: selectByIds, asked: byId },
      { select: selectByTokens, asked: byToken },
    ].map(async ({ select, asked }) => {
      if (asked.length === 0) return
      const rows = await queries.run<Row & { n: number }>(select, [asked.map((each) => each.accountId), asked.map((each) => each.key)])
      for (const row of rows) {
        const place = asked[row.n - 1]
        if (place !== undefined) found[place.i] = mediaOf(row)
      }
    }),
  )
  return found
}

/** The file of a token, whoever asks; null when there is none. */
export async function findOpenMedia(queries: Queries, token: string): Promise<Media | null> {
  return (await queries.run<Row>(selectOpenByToken, [token])).map(mediaOf)[0] ?? null
}

/** The account's file with exactly these bytes, or null. One that is about to go stays; an upload makes it one that was uploaded. */
export async function claimSameBytes(
  queries: Queries,
  { accountId, sha256 }: Pick<Media, 'accountId' | 'sha256'>,
  uploaded: boolean,
): Promise<Media | null> {
  const query = build
    .selectFrom('media')
    .select([...columns, 'uploaded', 'gone_at'])
    .where('account_id', '=', accountId)
    .where('sha256', '=', sha256)
  const [found] = await queries.all(query)
  if (found === undefined) return null
  // Nothing to be written, as nearly always.
  if (found.gone_at === null && (found.uploaded || !uploaded)) return mediaOf(found)
  return (await queries.run<Row>(claimSame, [accountId, sha256, uploaded])).map(mediaOf)[0] ?? null
}

/** False when the account has the same bytes already; then nothing is written. `uploaded`: they stay when no message has them any more. */
export async function insertMedia(tx: Tx, media: Media, uploaded: boolean): Promise<boolean> {
  const rows = await tx.all(
    build
      .insertInto('media')
      .values({ account_id: media.accountId, ...valuesOf(media), uploaded, gone_at: null })
      .onConflict((conflict) => conflict.columns(['account_id', 'sha256']).doNothing())
      .returning('id'),
  )
  return rows.length > 0
}

/** How many new bytes the account has uploaded in that day. Locks them until commit. */
export async function lockUploadDay(tx: Tx, accountId: Uuid, day: string): Promise<number> {
  const [row] = await tx.run<{ bytes: number }>(lockDay, [accountId, day])
  return row?.bytes ?? 0
}

/** Without a lock: only a hint. */
export async function readUploadDay(queries: Queries, accountId: Uuid, day: string): Promise<number> {
  const query = build.selectFrom('media_quota').select('bytes').where('account_id', '=', accountId).where('day', '=', day)
  return (await queries.all(query))[0]?.bytes ?? 0
}

/** Only while the day is locked. */
export async function setUploadDay(tx: Tx, accountId: Uuid, bytes: number): Promise<void> {
  await tx.all(build.updateTable('media_quota').set({ bytes }).where('account_id', '=', accountId))
}

/** Which file, from which number. */
export type UpstreamPlace = { accountId: Uuid; mediaId: Uuid; channelId: Uuid }

/** Upstream's ids of files that were uploaded after `after`, in the order asked; null: none that still counts. */
export async function findUpstreamIds(queries: Queries, places: readonly UpstreamPlace[], after: Date): Promise<(string | null)[]> {
  const found: (string | null)[] = places.map(() => null)
  const keys = [places.map((each) => each.accountId), places.map((each) => each.mediaId), places.map((each) => each.channelId)]
  const rows = await queries.run<{ n: number; upstream_id: string }>(selectUpstreamIds, [...keys, after])
  for (const row of rows) found[row.n - 1] = row.upstream_id
  return found
}

export async function saveUpstreamId(queries: Queries, place: UpstreamPlace, upstreamId: string, at: Date): Promise<void> {
  await queries.run(upsertUpstreamId, [place.accountId, place.mediaId, place.channelId, upstreamId, at])
}

function valuesOf(media: Media): Omit<MediaTable, 'account_id' | 'uploaded' | 'gone_at'> {
  return {
    id: media.id,
    token: media.token,
    sha256: media.sha256,
    kind: media.kind,
    animated: media.animated,
    mime_type: media.mimeType,
    size_bytes: media.sizeBytes,
    file_name: media.fileName,
    created_at: media.createdAt,
  }
}

function mediaOf(row: Row): Media {
  return {
    id: row.id,
    accountId: row.account_id,
    token: row.token,
    sha256: row.sha256,
    kind: row.kind,
    animated: row.animated,
    mimeType: row.mime_type,
    sizeBytes: row.size_bytes,
    fileName: row.file_name,
    createdAt: row.created_at,
  }
}
