import { OperatorError } from './base/operator-error.ts'
import type { SecretKey } from './base/seal.ts'
import type { Database } from './platform/database/database.ts'
import { hasSealed, keepKeyCheck, keyOpens } from './platform/database/key-check.ts'
import { keptSecretKey, secretKeyIn } from './secret-key.ts'

/** The secrets of the database were sealed with another key than the one at hand. The message says what to bring back. */
export class WrongSecretKey extends OperatorError {}

/**
 * The key of this installation: as set, or as kept in the data directory, where it is made while nothing has been sealed yet. Throws
 * `WrongSecretKey` when the database's secrets cannot be opened with it.
 */
export async function secretKeyFor(database: Database, config: { secretKey: SecretKey | null; dataDir: string }): Promise<SecretKey> {
  const known = config.secretKey ?? (await keptSecretKey(config.dataDir))
  if (known === null && (await hasSealed(database))) throw new WrongSecretKey(lostWords(config.dataDir))
  const key = known ?? (await secretKeyIn(config.dataDir))
  if (!(await keyOpens(database, key))) throw new WrongSecretKey(config.secretKey === null ? otherWords(config.dataDir) : setWords)
  await keepKeyCheck(database, key)
  return key
}

const lostWords = (dataDir: string) =>
  `The file secret-key is missing in ${dataDir}, and the tokens and secrets in the database were sealed with it. Bring it back from a backup, or set SECRET_KEY to what it held.`
const otherWords = (dataDir: string) =>
  `The file secret-key in ${dataDir} is not the one that the tokens and secrets in the database were sealed with. Bring that one back from a backup.`
const setWords =
  'SECRET_KEY is not the key that the tokens and secrets in the database were sealed with. Set the one that this database has been used with.'
