import { type Sealed, type SecretKey, seal, unseal } from '../../base/seal.ts'
import type { Queries } from './database.ts'
import { statement } from './statement.ts'

const checkedText = 'Pombo opens this with its secret key.'
/** So many of the newest secrets are tried: one that was sealed by mistake with another key proves nothing. */
const triedMax = 20

const readCheck = statement('read_key_check', 'select sealed from key_check')
const writeCheck = statement('write_key_check', 'insert into key_check (sealed) values ($1) on conflict do nothing')
const findSecrets = statement(
  'find_sealed_secrets',
  `(select token as sealed from channel where token is not null order by id desc limit $1)
  union all (select secret from webhook order by id desc limit $1)`,
)

/** Whether anything in the database was sealed with a key. */
export async function hasSealed(queries: Queries): Promise<boolean> {
  return (await sealedHere(queries)).length > 0
}

/** Whether this key is the one that the database's secrets were sealed with; any key is, where there are none. */
export async function keyOpens(queries: Queries, key: SecretKey): Promise<boolean> {
  const sealed = await sealedHere(queries)
  return sealed.length === 0 || sealed.some((each) => opens(key, each))
}

/** Writes the check of a key that `keyOpens` has found right; one that is there stays. */
export async function keepKeyCheck(queries: Queries, key: SecretKey): Promise<void> {
  await queries.run(writeCheck, [seal(key, checkedText)])
}

/** The check, or before it was ever written the secrets themselves. */
async function sealedHere(queries: Queries): Promise<Sealed[]> {
  const checks = await queries.run<{ sealed: Sealed }>(readCheck, [])
  const rows = checks.length > 0 ? checks : await queries.run<{ sealed: Sealed }>(findSecrets, [triedMax])
  return rows.map((row) => row.sealed)
}

function opens(key: SecretKey, sealed: Sealed): boolean {
  try {
    unseal(key, sealed)
    return true
  } catch {
    return false
  }
}
