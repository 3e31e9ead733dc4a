import type { Uuid } from '../../base/id.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Fact, LastTold } from './channel.ts'

/** Told after what is known, or in the same second and then the greater one: so the end is the same in any order. Null where nothing was told. */
const newer = (column: string) =>
  `(told.${column}_at, coalesce(told.${column}, '') collate "C")
    > (coalesce(channel.${column}_at, '-infinity'), coalesce(channel.${column}, '') collate "C")`

const fact = (column: string) =>
  `${column} = case when ${newer(column)} then told.${column} else channel.${column} end,
  ${column}_at = greatest(channel.${column}_at, told.${column}_at)`

const updateTold = statement(
  'update_told_of_channels',
  // Several changes of one number are folded before: a statement touches a row once. A number whose token the operator took away is and
  // stays disconnected by him.
  `update channel set
  ${fact('quality')},
  ${fact('throughput')},
  ${fact('messaging_limit')},
  ${fact('display_name')},
  ${fact('name_status')},
  status = case when channel.token is not null and ${newer('disconnected_because')} then 'disconnected' else channel.status end,
  disconnected_because = case when channel.token is not null and ${newer('disconnected_because')}
    then told.disconnected_because else channel.disconnected_because end,
  disconnected_because_at = greatest(channel.disconnected_because_at, told.disconnected_because_at)
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[], $6::timestamptz[], $7::text[], $8::timestamptz[],
    $9::text[], $10::timestamptz[], $11::text[], $12::timestamptz[], $13::text[], $14::timestamptz[])
    as told (account_id, id, quality, quality_at, throughput, throughput_at, messaging_limit, messaging_limit_at,
      display_name, display_name_at, name_status, name_status_at, disconnected_because, disconnected_because_at)
  where channel.account_id = told.account_id and channel.id = told.id`,
)

/** Writes what was told last of each fact, unless something newer is known. Locks the rows in the order given: that of their ids. */
export async function updateToldOfChannels(tx: Tx, told: readonly LastTold[]): Promise<void> {
  if (told.length === 0) return
  const of = (name: Fact) => [told.map(({ facts }) => facts.get(name)?.value ?? null), told.map(({ facts }) => facts.get(name)?.at ?? null)]
  await tx.run(updateTold, [
    told.map((each) => each.accountId),
    told.map((each) => each.channelId),
    ...of('quality'),
    ...of('throughput'),
    ...of('messagingLimit'),
    ...of('displayName'),
    ...of('nameStatus'),
    ...of('disconnectedBecause'),
  ])
}

type Key = { accountId: Uuid; channelId: Uuid }

const keysOf = (keys: readonly Key[]) => {
  const sorted = keys.toSorted((a, b) => (a.channelId < b.channelId ? -1 : 1))
  return [sorted.map((each) => each.accountId), sorted.map((each) => each.channelId)]
}

const schedule = statement(
  'schedule_channel_checks',
  `update channel
  set check_due_at = $3
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id)
  where channel.account_id = wanted.account_id and channel.id = wanted.id`,
)

/** Says when numbers are read from upstream next. Locks them in the order of their ids. */
export async function scheduleChecks(tx: Tx, dueAt: Date, wanted: readonly Key[]): Promise<void> {
  if (wanted.length > 0) await tx.run(schedule, [...keysOf(wanted), dueAt])
}

const findUnwell = statement(
  'find_unwell_channels',
  // One whose token somebody took away is as they want it.
  `select account_id as "accountId", id as "channelId", status = 'disconnected' as disconnected
  from channel
  where token is not null and (status = 'disconnected' or quality = 'RED')
  limit $1`,
)

/** A number that upstream does not let us use, or rates as low, of whichever account. */
export type UnwellChannel = Key & { disconnected: boolean }

/** At most `most`, in no order. */
export async function unwellChannels(queries: Queries, most: number): Promise<UnwellChannel[]> {
  return queries.run<UnwellChannel>(findUnwell, [most])
}

const updateLastNotice = statement(
  'update_last_notices',
  `update channel
  set last_notice_at = $3
  from unnest($1::uuid[], $2::uuid[]) as heard (account_id, id)
  where channel.account_id = heard.account_id and channel.id = heard.id
    and (channel.last_notice_at is null or channel.last_notice_at < $3)`,
)

/** Writes down of which numbers a notice came, in a transaction of its own: no notice ever waits for it. */
export async function noteLastNotices(queries: Queries, at: Date, heard: readonly Key[]): Promise<void> {
  if (heard.length > 0) await queries.run(updateLastNotice, [...keysOf(heard), at])
}
