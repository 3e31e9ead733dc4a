import { present } from '../../base/assert.ts'
import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Person } from '../../platform/http/caller.ts'
import { type Account, findAccounts } from '../accounts/public.ts'
import type { Asker } from './auth.ts'
import type { MembersDeps } from './deps.ts'
import { removeLinksOf } from './link-store.ts'
import type { Language, Role, User } from './member.ts'
import { refusalOfChange, wrongPassword } from './refusals.ts'
import { membershipsOf } from './store.ts'
import { isOfApp } from './token.ts'
import { findUser, removeOtherSessions, removeTwoFactor, updateUser } from './user-store.ts'

type Deps = MembersDeps
type Changed<Value> = Result<{ value: Value; cookies: readonly string[] }, Refusal>

/** A person and where they belong, in the order in which the accounts were made. */
export type Me = { user: User; accounts: { account: Account; role: Role }[] }

export async function readMe({ database }: Pick<Deps, 'database'>, userId: Uuid): Promise<Me> {
  const memberships = await membershipsOf(database, userId)
  const roles = new Map(memberships.map((each) => [each.accountId, each.role]))
  const accounts = roles.size === 0 ? [] : await findAccounts(database, [...roles.keys()])
  return {
    user: present(await findUser(database, userId), 'who has signed in is known'),
    accounts: accounts.map((account) => ({ account, role: present(roles.get(account.id), 'it was asked for') })),
  }
}

/** What is null stays as it is. */
export async function changeMe(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  input: { id: Uuid; name: string | null; language: Language | null },
): Promise<void> {
  await updateUser(database, input, clock.now())
}

/** Gives a person a new password. Their other sessions end, and links that were not used yet are worth nothing. */
export async function changePassword(
  deps: Deps,
  asker: Asker,
  { person, current, next }: { person: Person; current: string | null; next: string },
): Promise<Changed<null>> {
  const user = present(await findUser(deps.database, person.userId), 'who has signed in is known')
  if (user.hasPassword && current === null) return refused(refusalOfChange('INVALID_PASSWORD', 'current_password'))
  const wrong = wrongPassword('new_password', next)
  if (wrong !== null) return refused(wrong)
  const auth = await deps.auth()
  const told = await auth.changePassword(asker, { current: user.hasPassword ? current : null, next })
  if (!told.ok) return refused(refusalOfChange(told.code, 'current_password'))
  // With a current password the library has ended all sessions and made a new one.
  if (!user.hasPassword) await removeOtherSessions(deps.database, person.userId, person.sessionId)
  await removeLinksOf(deps.database, person.userId)
  return ok({ value: null, cookies: told.cookies })
}

export type TwoFactorStarted = { uri: string; secret: string; backupCodes: string[] }

/** Makes a secret and backup codes, shown now and never again. They count once a first code of the app is confirmed. */
export async function startTwoFactor(deps: Deps, asker: Asker, password: string | null): Promise<Changed<TwoFactorStarted>> {
  const told = await (await deps.auth()).startTwoFactor(asker, password)
  if (!told.ok) return refused(refusalOfChange(told.code, 'password'))
  const { uri, backupCodes } = told.value
  const secret = present(new URL(uri).searchParams.get('secret'), 'the address of a TOTP key has its secret')
  return ok({ value: { uri, secret, backupCodes }, cookies: told.cookies })
}

/** From now on each sign-in asks for a code. */
export async function confirmTwoFactor(deps: Deps, asker: Asker, code: string): Promise<Changed<null>> {
  const told = await (await deps.auth()).checkCode(asker, code)
  return told.ok ? ok({ value: null, cookies: told.cookies }) : refused(refusalOfChange(told.code, 'password'))
}

/** Takes the second factor away, with a code of the app or a backup code; devices that were trusted are forgotten. */
export async function stopTwoFactor(deps: Deps, asker: Asker, { userId, code }: { userId: Uuid; code: string }): Promise<Changed<null>> {
  const user = present(await findUser(deps.database, userId), 'who has signed in is known')
  if (!user.hasTwoFactor) return refused(refusal('conflict', because('two_factor_off', 'There is no second factor yet.')))
  const auth = await deps.auth()
  const told = await (isOfApp(code) ? auth.checkCode(asker, code) : auth.checkBackupCode(asker, code))
  if (!told.ok) return refused(refusalOfChange(told.code, 'password'))
  await deps.database.transaction((tx) => removeTwoFactor(tx, userId, deps.clock.now()))
  return ok({ value: null, cookies: told.cookies })
}
