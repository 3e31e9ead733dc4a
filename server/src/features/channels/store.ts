import type { Generated, Insertable, Selectable } from 'kysely'
import type { Uuid } from '../../base/id.ts'
import { type HomeCountry, homeCountryOf } from '../../base/national-phone.ts'
import type { Sealed } from '../../base/seal.ts'
import { limits } from '../../limits.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import { type Channel, type ChannelInUse, type ChannelStatus, disconnectedByOperator, type NumberFacts, secondOf } from './channel.ts'

type FactColumns = {
  status: ChannelStatus
  disconnected_because: string | null
  phone: string | null
  display_name: string | null
  name_status: string | null
  quality: string | null
  throughput: string | null
  messaging_limit: string | null
  official_business_account: boolean | null
  on_business_app: boolean
}
/** Of when each fact is that can change by itself. */
type MomentColumns = {
  quality_at: Date | null
  throughput_at: Date | null
  messaging_limit_at: Date | null
  display_name_at: Date | null
  name_status_at: Date | null
  disconnected_because_at: Date | null
  checked_at: Date | null
  check_due_at: Generated<Date>
}
type ChannelTable = FactColumns &
  MomentColumns & {
    account_id: Uuid
    id: Uuid
    phone_number_id: string
    waba_id: string
    token: Sealed | null
    subscribed: boolean | null
    last_notice_at: Date | null
    created_at: Date
  }

const build = queryBuilder<{ channel: ChannelTable }>()
const columns = [
  'account_id',
  'id',
  'phone_number_id',
  'waba_id',
  'status',
  'disconnected_because',
  'phone',
  'display_name',
  'name_status',
  'quality',
  'throughput',
  'messaging_limit',
  'official_business_account',
  'on_business_app',
  'subscribed',
  'checked_at',
  'last_notice_at',
  'created_at',
] as const

/** The most numbers that one list of the operator's tool shows. */
const channelsListedMax = 10_000

const inUseColumns = 'id, account_id, status, disconnected_because, phone_number_id, waba_id, phone, token, on_business_app'

// On the path of every batch of sends: served by the primary key, which starts with the account. Oldest first.
const selectOfAccounts = statement(
  'select_channels_of_accounts',
  `select ${inUseColumns}
  from channel
  where account_id = any($1::uuid[])
  order by id`,
)

// On the path of every start: only those that have something to send, of accounts that may have a thousand.
const selectByIds = statement(
  'select_channels_by_ids',
  `select ${inUseColumns.replaceAll(/\w+/g, 'channel.$&')}
  from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, id)
  join channel on channel.account_id = wanted.account_id and channel.id = wanted.id`,
)

// On the path of every notice, where the number is all that upstream names: served by its unique index.
const selectByPhoneNumberIds = statement(
  'select_channels_by_phone_number_ids',
  `select ${inUseColumns}
  from channel
  where phone_number_id = any($1::text[])`,
)

// What upstream tells of a business account concerns every account that has a number of it: served by `channel_by_waba`.
const selectByWabaIds = statement(
  'select_channels_by_waba_ids',
  `select ${inUseColumns}
  from channel
  where waba_id = any($1::text[])
  order by id`,
)

const updateDisconnected = statement(
  'mark_channels_disconnected',
  `update channel
  set status = 'disconnected', disconnected_because = gone.because,
    disconnected_because_at = greatest(channel.disconnected_because_at, gone.at)
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[]) as gone (account_id, id, because, at)
  where channel.account_id = gone.account_id and channel.id = gone.id and channel.status = 'connected'
  returning channel.id`,
)

/** Whose number it is, over all accounts; null: nobody's yet. */
export async function ownerOfNumber(queries: Queries, phoneNumberId: string): Promise<Uuid | null> {
  const rows = await queries.all(build.selectFrom('channel').select('account_id').where('phone_number_id', '=', phoneNumberId))
  return rows[0]?.account_id ?? null
}

/** Stores a connected number, or brings the one of the same account up to date; null when another account has it. */
export async function upsertChannel(tx: Tx, channel: Channel, token: Sealed): Promise<Channel | null> {
  const news = { waba_id: channel.wabaId, token, ...factColumns(channel), ...momentColumns(channel) }
  const row: Insertable<ChannelTable> = {
    account_id: channel.accountId,
    id: channel.id,
    phone_number_id: channel.phoneNumberId,
    created_at: channel.createdAt,
    ...news,
  }
  const rows = await tx.all(
    build
      .insertInto('channel')
      .values(row)
      .onConflict((conflict) => conflict.column('phone_number_id').doUpdateSet(news).where('channel.account_id', '=', channel.accountId))
      .returning(columns),
  )
  return rows.map(channelOf)[0] ?? null
}

/** In order of connection. */
export async function listChannels(queries: Queries, accountId: Uuid): Promise<Channel[]> {
  const query = build.selectFrom('channel').select(columns).where('account_id', '=', accountId).orderBy('id')
  return (await queries.all(query.limit(channelsListedMax))).map(channelOf)
}

/** Those of all accounts, which only the operator may see. */
export async function listAllChannels(queries: Queries): Promise<Channel[]> {
  return (await queries.all(build.selectFrom('channel').select(columns).orderBy('id').limit(channelsListedMax))).map(channelOf)
}

/** The operator names no account. */
export async function findChannel(queries: Queries, id: Uuid): Promise<Channel | null> {
  return (await queries.all(build.selectFrom('channel').select(columns).where('id', '=', id))).map(channelOf)[0] ?? null
}

/** The channel, or null when the account has none with this id. */
export async function findChannelOf(queries: Queries, accountId: Uuid, id: Uuid): Promise<Channel | null> {
  const query = build.selectFrom('channel').select(columns).where('account_id', '=', accountId).where('id', '=', id)
  return (await queries.all(query)).map(channelOf)[0] ?? null
}

export async function updateToken(tx: Tx, channel: Channel, token: Sealed): Promise<Channel | null> {
  return update(tx, channel, { token, ...factColumns(channel), ...momentColumns(channel) })
}

/** Takes the token away, so that nothing can be sent by mistake; what was received stays. */
export async function removeToken(tx: Tx, channel: Channel): Promise<Channel | null> {
  return update(tx, channel, { token: null, status: 'disconnected', disconnected_because: disconnectedByOperator })
}

async function update(tx: Tx, channel: Channel, change: Partial<Insertable<ChannelTable>>): Promise<Channel | null> {
  const query = build.updateTable('channel').set(change).where('account_id', '=', channel.accountId).where('id', '=', channel.id)
  return (await tx.all(query.returning(columns))).map(channelOf)[0] ?? null
}

/** The numbers of these accounts, disconnected ones too, oldest first. An account without any is missing from the map. */
export async function channelsOf(queries: Queries, accountIds: readonly Uuid[]): Promise<Map<Uuid, ChannelInUse[]>> {
  const rows = await queries.run<InUseRow>(selectOfAccounts, [accountIds])
  return Map.groupBy(rows.map(inUseOf), (channel) => channel.accountId)
}

/** The country in which the account has its numbers, where its people write them without the country code. */
export async function homeCountryOfAccount(queries: Queries, accountId: Uuid): Promise<HomeCountry | null> {
  const channels = (await channelsOf(queries, [accountId])).get(accountId) ?? []
  const home = new Set(channels.map(({ phone }) => homeCountryOf(phone)))
  return home.size === 1 ? ([...home][0] ?? null) : null
}

/** These channels, by id; those that are not there are missing from the map. */
export async function findChannels(
  queries: Queries,
  wanted: readonly { accountId: Uuid; channelId: Uuid }[],
): Promise<Map<Uuid, ChannelInUse>> {
  const each = [...new Map(wanted.map((one) => [one.channelId, one])).values()]
  const rows = await queries.run<InUseRow>(selectByIds, [each.map((one) => one.accountId), each.map((one) => one.channelId)])
  return new Map(rows.map((row) => [row.id, inUseOf(row)]))
}

/** The channels of the numbers that a notice names, by `phoneNumberId`; unknown numbers are missing from the map. */
export async function findByPhoneNumberIds(queries: Queries, phoneNumberIds: readonly string[]): Promise<Map<string, ChannelInUse>> {
  const rows = await queries.run<InUseRow>(selectByPhoneNumberIds, [phoneNumberIds])
  return new Map(rows.map((row) => [row.phone_number_id, inUseOf(row)]))
}

/** The numbers of these business accounts, over all accounts, disconnected ones too, by `wabaId`. */
export async function findByWabaIds(queries: Queries, wabaIds: readonly string[]): Promise<Map<string, ChannelInUse[]>> {
  if (wabaIds.length === 0) return new Map()
  const rows = await queries.run<InUseRow>(selectByWabaIds, [wabaIds])
  return Map.groupBy(rows.map(inUseOf), (channel) => channel.wabaId)
}

export type Disconnection = { accountId: Uuid; channelId: Uuid; because: string; at: Date }

/** Marks connected numbers that upstream will not serve, and answers the ids that were connected until now. The token stays: a good check brings them back. */
export async function markDisconnected(tx: Tx, gone: readonly Disconnection[]): Promise<Uuid[]> {
  if (gone.length === 0) return []
  // Sorted, so that two batches lock the rows in the same order.
  const sorted = gone.toSorted((a, b) => (a.channelId < b.channelId ? -1 : 1))
  const rows = await tx.run<{ id: Uuid }>(updateDisconnected, [
    sorted.map((each) => each.accountId),
    sorted.map((each) => each.channelId),
    sorted.map((each) => each.because),
    sorted.map((each) => each.at),
  ])
  return rows.map((row) => row.id)
}

type InUseRow = Pick<
  ChannelTable,
  'id' | 'account_id' | 'status' | 'disconnected_because' | 'phone_number_id' | 'waba_id' | 'phone' | 'token' | 'on_business_app'
>

function inUseOf(row: InUseRow): ChannelInUse {
  return {
    id: row.id,
    accountId: row.account_id,
    status: row.status,
    disconnectedBecause: row.disconnected_because,
    phoneNumberId: row.phone_number_id,
    wabaId: row.waba_id,
    phone: row.phone,
    sealedToken: row.token,
    onBusinessApp: row.on_business_app,
  }
}

function factColumns(facts: NumberFacts): FactColumns {
  return {
    status: facts.status,
    disconnected_because: facts.disconnectedBecause,
    phone: facts.phone,
    display_name: facts.displayName,
    name_status: facts.nameStatus,
    quality: facts.quality,
    throughput: facts.throughput,
    messaging_limit: facts.messagingLimit,
    official_business_account: facts.officialBusinessAccount,
    on_business_app: facts.onBusinessApp,
  }
}

/** All of them of the moment at which it was read. */
function momentColumns({ checkedAt, subscribed }: Channel): Partial<Insertable<ChannelTable>> {
  if (checkedAt === null) return { subscribed }
  const at = secondOf(checkedAt)
  return {
    subscribed,
    quality_at: at,
    throughput_at: at,
    messaging_limit_at: at,
    display_name_at: at,
    name_status_at: at,
    disconnected_because_at: at,
    checked_at: checkedAt,
    check_due_at: new Date(checkedAt.getTime() + limits.channelCheckMs),
  }
}

function channelOf(row: Pick<Selectable<ChannelTable>, (typeof columns)[number]>): Channel {
  return {
    id: row.id,
    accountId: row.account_id,
    phoneNumberId: row.phone_number_id,
    wabaId: row.waba_id,
    status: row.status,
    disconnectedBecause: row.disconnected_because,
    phone: row.phone,
    displayName: row.display_name,
    nameStatus: row.name_status,
    quality: row.quality,
    throughput: row.throughput,
    messagingLimit: row.messaging_limit,
    officialBusinessAccount: row.official_business_account,
    onBusinessApp: row.on_business_app,
    subscribed: row.subscribed,
    checkedAt: row.checked_at,
    lastNoticeAt: row.last_notice_at,
    createdAt: row.created_at,
  }
}
