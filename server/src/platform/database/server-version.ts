import { OperatorError } from '../../base/operator-error.ts'
import type { Queries } from './database.ts'
import { statement } from './statement.ts'

/** Tested, and what the schema needs. */
const majorMin = 16

/** The server is of a version that nothing here was made for. */
export class ServerTooOld extends OperatorError {}

const selectVersion = statement(
  'select_server_version',
  `select current_setting('server_version_num')::integer as number, current_setting('server_version') as text`,
)

/** A server's `server_version_num`, and how it prints itself. */
export type ServerVersion = { number: number; text: string }

/** Reads the version of the server. */
export async function serverVersion(queries: Queries): Promise<ServerVersion> {
  const [row] = await queries.run<ServerVersion>(selectVersion, [])
  return row ?? { number: 0, text: 'unknown' }
}

/** Whether this version serves. */
export const isNewEnough = ({ number }: ServerVersion): boolean => Math.floor(number / 10_000) >= majorMin

/** What is wrong with a version that does not serve, and what to do. */
export const tooOldWords = ({ text }: ServerVersion) => ({
  fault: `PostgreSQL ${text} is too old.`,
  advice: `Use version ${majorMin} or newer.`,
})

/** Throws `ServerTooOld` unless the server serves; before anything is written to it. */
export async function refuseOldServer(queries: Queries): Promise<void> {
  const version = await serverVersion(queries)
  if (isNewEnough(version)) return
  const { fault, advice } = tooOldWords(version)
  throw new ServerTooOld(`${fault} ${advice} Nothing was changed in it.`)
}
