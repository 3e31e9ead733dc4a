import { uuidOf } from '../histories.ts'
import type { Resident, Town } from './town.ts'

/** Takes away what of somebody still waits to leave. */
export async function forgetQueue({ rows }: Pick<Town, 'rows'>, { accountId }: Resident): Promise<void> {
  await rows('delete from send_queue where account_id = $1 and state = 0', [uuidOf(accountId)])
}
