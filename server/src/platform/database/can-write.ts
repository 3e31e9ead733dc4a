import type { Queries } from './database.ts'
import { statement } from './statement.ts'

const readMode = statement('read_mode', `select current_setting('transaction_read_only') = 'off' as writes`)

/** False for a server that only repeats another, as an old primary after a failover, or that was told to take no writes. */
export async function takesWrites(queries: Queries): Promise<boolean> {
  const [row] = await queries.run<{ writes: boolean }>(readMode, [])
  return row?.writes === true
}
