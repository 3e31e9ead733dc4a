import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import { type CannedAnswer, deleteCanned, findCanned, insertCanned, selectCanned, updateCanned } from './canned-store.ts'

type Deps = { database: Database; clock: Clock }

/** More than this nobody finds one in. */
const cannedMax = 500

const taken = refusal('conflict', because('shortcut_taken', 'Another canned answer has this shortcut.'))
const missing = refusal('not_found', because('no_canned', 'There is no canned answer with this id.'))

/** All canned answers of an account, by shortcut. */
export const listCanned = ({ database }: Pick<Deps, 'database'>, accountId: Uuid): Promise<CannedAnswer[]> =>
  selectCanned(database, accountId, cannedMax)

export async function createCanned(
  { database, clock }: Deps,
  wanted: { accountId: Uuid; shortcut: string; text: string },
): Promise<Result<CannedAnswer, Refusal>> {
  if ((await selectCanned(database, wanted.accountId, cannedMax)).length >= cannedMax)
    return refused(refusal('conflict', because('canned_full', `An account has at most ${cannedMax} canned answers.`, { max: cannedMax })))
  const canned = { ...wanted, id: newUuid(clock.now()) }
  return (await insertCanned(database, canned)) ? ok(canned) : refused(taken)
}

/** Null is left as it is. */
export async function changeCanned(
  { database }: Pick<Deps, 'database'>,
  key: { accountId: Uuid; id: Uuid | null },
  changes: { shortcut: string | null; text: string | null },
): Promise<Result<CannedAnswer, Refusal>> {
  const { accountId, id } = key
  if (id === null) return refused(missing)
  const changed = await updateCanned(database, { accountId, id }, changes)
  if (changed !== null) return ok(changed)
  return refused((await findCanned(database, accountId, id)) === null ? missing : taken)
}

export async function removeCanned(
  { database }: Pick<Deps, 'database'>,
  { accountId, id }: { accountId: Uuid; id: Uuid | null },
): Promise<Result<{ deleted: true }, Refusal>> {
  return id !== null && (await deleteCanned(database, accountId, id)) ? ok({ deleted: true }) : refused(missing)
}
