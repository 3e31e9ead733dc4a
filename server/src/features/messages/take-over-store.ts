import { momentOf, type Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Message } from './message.ts'
import type { WamidOf } from './store.ts'

const takeOver = statement(
  'take_over_wamids',
  // Only from what is not told of: nothing else can be the same message under another id.
  `update message_wamid set message_id = ours.message_id
  from (
    select known.account_id, known.channel_id, known.wamid, known.message_id as stand_in_id, named.message_id
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[]) as named (account_id, channel_id, wamid, message_id)
    join message_wamid known on known.account_id = named.account_id and known.channel_id = named.channel_id and known.wamid = named.wamid
    join message on message.account_id = known.account_id and message.id = known.message_id
    where message.untold and known.message_id <> named.message_id
    order by known.account_id, known.channel_id, known.wamid
    for update of known
  ) as ours
  where message_wamid.account_id = ours.account_id and message_wamid.channel_id = ours.channel_id and message_wamid.wamid = ours.wamid
  returning ours.account_id, ours.message_id, ours.stand_in_id`,
)

const moveReactions = statement(
  'move_reactions',
  `update message_reaction set message_id = moved.message_id
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as moved (account_id, message_id, stand_in_id)
  where message_reaction.account_id = moved.account_id and message_reaction.message_id = moved.stand_in_id`,
)

const dropEchoes = statement(
  'drop_echoes_of_own_sends',
  // A placeholder stays: it was told of.
  `delete from message
  using unnest($1::uuid[], $2::uuid[]) as gone (account_id, stand_in_id)
  where message.account_id = gone.account_id and message.id = gone.stand_in_id and message.direction = 'outbound'
  returning message.account_id, message.livemode, message.id, message.source, message.status, message.pricing_category, message.pricing_billable,
    message.error_code, message.error_message, message.sent_at, message.failed_at`,
)

/** An echo that went, with what it had counted for. */
export type DroppedEcho = Pick<
  Message,
  'accountId' | 'livemode' | 'id' | 'direction' | 'source' | 'status' | 'pricing' | 'error' | 'createdAt' | 'sentAt' | 'failedAt'
>

type DroppedRow = {
  account_id: Uuid
  livemode: boolean
  id: Uuid
  source: Message['source']
  status: Message['status']
  pricing_category: string | null
  pricing_billable: boolean | null
  error_code: number | null
  error_message: string | null
  sent_at: Date | null
  failed_at: Date | null
}

/**
 * The messages turn out to be what stood under these wamids before: an echo of our own send that came before its answer, which goes, or a
 * placeholder that a reaction made, which hands its reactions over. Returns those that went.
 */
export async function takeOverWamids(tx: Tx, named: readonly WamidOf[]): Promise<DroppedEcho[]> {
  if (named.length === 0) return []
  const rows = await tx.run<{ account_id: string; message_id: string; stand_in_id: string }>(takeOver, [
    named.map((each) => each.accountId),
    named.map((each) => each.channelId),
    named.map((each) => each.wamid),
    named.map((each) => each.messageId),
  ])
  if (rows.length === 0) return []
  const accounts = rows.map((row) => row.account_id)
  const standIns = rows.map((row) => row.stand_in_id)
  await tx.run(moveReactions, [accounts, rows.map((row) => row.message_id), standIns])
  return (await tx.run<DroppedRow>(dropEchoes, [accounts, standIns])).map((row) => ({
    ...{ accountId: row.account_id, livemode: row.livemode, id: row.id, direction: 'outbound' as const },
    ...{ source: row.source, status: row.status, createdAt: momentOf(row.id), sentAt: row.sent_at, failedAt: row.failed_at },
    pricing: { category: row.pricing_category, billable: row.pricing_billable },
    error: row.error_message === null ? null : { code: row.error_code, message: row.error_message },
  }))
}
