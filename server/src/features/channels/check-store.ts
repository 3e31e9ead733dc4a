import type { Uuid } from '../../base/id.ts'
import type { Sealed } from '../../base/seal.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import { type NumberFacts, secondOf } from './channel.ts'

/** A number whose hour is over. */
export type DueCheck = { accountId: Uuid; channelId: Uuid; phoneNumberId: string; wabaId: string; token: Sealed }

const claim = statement(
  'claim_channel_checks',
  // Two processes take different ones, and one that dies leaves them to the next turn after `$2`.
  `update channel
  set check_due_at = $2
  from (
    select account_id, id from channel
    where token is not null and check_due_at <= $1
    order by check_due_at
    limit $3
    for update skip locked
  ) as due
  where channel.account_id = due.account_id and channel.id = due.id
  returning channel.account_id, channel.id, channel.phone_number_id, channel.waba_id, channel.token`,
)

type DueRow = { account_id: Uuid; id: Uuid; phone_number_id: string; waba_id: string; token: Sealed }

/** Takes numbers that are due, at most `most`; what is not recorded is due again at `againAt`. */
export async function claimChecks(database: Database, now: Date, of: { againAt: Date; most: number }): Promise<DueCheck[]> {
  const rows = await database.run<DueRow>(claim, [now, of.againAt, of.most])
  return rows.map(dueOf)
}

const dueOf = (row: DueRow): DueCheck => ({
  accountId: row.account_id,
  channelId: row.id,
  phoneNumberId: row.phone_number_id,
  wabaId: row.waba_id,
  token: row.token,
})

const findOne = statement(
  'find_channel_to_check',
  `select account_id, id, phone_number_id, waba_id, token from channel where account_id = $1 and id = $2 and token is not null`,
)

/** A number with its token; null: the account has none with this id, or its token was taken away. */
export async function findToCheck(queries: Queries, accountId: Uuid, channelId: Uuid): Promise<DueCheck | null> {
  const [row] = await queries.run<DueRow>(findOne, [accountId, channelId])
  return row === undefined ? null : dueOf(row)
}

/** What a look at upstream found. `facts` null: upstream does not let this token use the number, for the reason given. */
export type Checked = DueCheck & {
  at: Date
  dueAt: Date
  facts: NumberFacts | null
  because: string | null
  /** null: it could not be told. */
  subscribed: boolean | null
}

const recordGood = statement(
  'record_good_channel_check',
  // A notice of something later may have come while upstream was asked, and a new token may have been given: both count more.
  `update channel set
    quality = case when coalesce(quality_at <= $5, true) then $6 else quality end,
    quality_at = greatest(quality_at, $5),
    throughput = case when coalesce(throughput_at <= $5, true) then $7 else throughput end,
    throughput_at = greatest(throughput_at, $5),
    messaging_limit = case when coalesce(messaging_limit_at <= $5, true) then $8 else messaging_limit end,
    messaging_limit_at = greatest(messaging_limit_at, $5),
    display_name = case when coalesce(display_name_at <= $5, true) then $9 else display_name end,
    display_name_at = greatest(display_name_at, $5),
    name_status = case when coalesce(name_status_at <= $5, true) then $10 else name_status end,
    name_status_at = greatest(name_status_at, $5),
    status = case when coalesce(disconnected_because_at <= $4, true) then $11 else status end,
    disconnected_because = case when coalesce(disconnected_because_at <= $4, true) then $12 else disconnected_because end,
    disconnected_because_at = greatest(disconnected_because_at, $5),
    phone = $13, official_business_account = $14, on_business_app = $15,
    subscribed = coalesce($16, subscribed), checked_at = $4, check_due_at = $17
  where account_id = $1 and id = $2 and token = $3`,
)

const recordBad = statement(
  'record_bad_channel_check',
  `update channel set
    status = 'disconnected', disconnected_because = $5, disconnected_because_at = greatest(disconnected_because_at, $4),
    checked_at = $4, check_due_at = $6
  where account_id = $1 and id = $2 and token = $3`,
)

/** Records what was found, unless the token was replaced meanwhile: then the next look will tell. */
export async function recordCheck(queries: Queries, { accountId, channelId, token, at, dueAt, ...found }: Checked): Promise<void> {
  const { facts } = found
  if (facts === null) {
    await queries.run(recordBad, [accountId, channelId, token, at, found.because, dueAt])
    return
  }
  await queries.run(recordGood, [
    ...[accountId, channelId, token, at, secondOf(at)],
    ...[facts.quality, facts.throughput, facts.messagingLimit, facts.displayName, facts.nameStatus],
    ...[facts.status, facts.disconnectedBecause, facts.phone, facts.officialBusinessAccount, facts.onBusinessApp],
    ...[found.subscribed, dueAt],
  ])
}
