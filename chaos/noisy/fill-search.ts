import { uuidOf } from '../histories.ts'
import type { Town } from './town.ts'

const fill = `
  insert into message_search (account_id, message_id, livemode, channel_id, contact_id, words)
  select account_id, id, livemode, channel_id, contact_id, lower(text) from message where account_id = $1 and text is not null
  on conflict do nothing`

/** Lets every message of the noisy account be found, as the search's own lane would have come to it. */
export async function fillSearch({ rows, noisy }: Town): Promise<void> {
  await rows(fill, [uuidOf(noisy.accountId)])
}
