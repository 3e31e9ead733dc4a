import type { Queries } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'

const selectVersion = statement(
  'select_server_version',
  `select current_setting('server_version_num')::integer as number, current_setting('server_version') as text`,
)

/** The version of the server: its major number, and as it prints itself. */
export async function serverVersion(queries: Queries): Promise<{ major: number; text: string }> {
  const [row] = await queries.run<{ number: number; text: string }>(selectVersion, [])
  return { major: Math.floor((row?.number ?? 0) / 10_000), text: row?.text ?? 'unknown' }
}
