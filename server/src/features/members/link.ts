import type { Clock } from '../../base/clock.ts'
import { type Email, parseEmail } from '../../base/email.ts'
import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Asker, Told } from './auth.ts'
import type { MembersDeps } from './deps.ts'
import { findLink, insertLink, removeLinksOf, spendLink, takeTryOfLink } from './link-store.ts'
import { linkMail } from './mails.ts'
import type { User } from './member.ts'
import { refusalOfCode } from './refusals.ts'
import { hashOfToken, newToken, signInLink } from './token.ts'
import { findUser, findUserIdByEmail, removeWaysIn, setEmailVerified } from './user-store.ts'

/** Whether somebody signed in, or must give their second factor first; and the cookies to be set. */
export type SignedIn = { email: string; secondFactor: boolean; cookies: readonly string[] }

/** Makes the address that signs this person in once, within so many milliseconds. Whoever has it is them. */
async function makeLink(
  queries: Queries,
  { userId, publicUrl, now, validMs, mailed }: { userId: Uuid; publicUrl: string; now: Date; validMs: number; mailed: boolean },
): Promise<string> {
  const token = newToken()
  const expiresAt = new Date(now.getTime() + validMs)
  await insertLink(queries, { hash: hashOfToken(token), userId, createdAt: now, expiresAt, mailed })
  return signInLink(publicUrl, token)
}

/** For the operator, who hands it over: valid for a day. Refused: nobody has this e-mail. `emailVerified`: see `User`. */
export async function makeOperatorsLink(
  { database, clock, publicUrl }: { database: Database; clock: Clock; publicUrl: string },
  text: string,
): Promise<Result<{ link: string; expiresAt: Date; emailVerified: boolean }, Refusal>> {
  const email = parseEmail(text)
  const userId = email === null ? null : await findUserIdByEmail(database, email)
  const user = userId === null ? null : await findUser(database, userId)
  if (user === null) return refused(refusal('not_found', 'Nobody has this e-mail address.'))
  const now = clock.now()
  const link = await makeLink(database, { userId: user.id, publicUrl, now, validMs: limits.operatorsLinkMs, mailed: false })
  return ok({ link, expiresAt: new Date(now.getTime() + limits.operatorsLinkMs), emailVerified: user.emailVerified })
}

/** Mails a link to whoever has this address. The caller learns neither whether somebody has, nor by the time that it takes. */
export function requestLink(deps: MembersDeps, { email, by }: { email: Email; by: Mail['by'] }): void {
  if (!deps.hasMail) return
  deps.errands.start(async () => {
    const { database, clock, publicUrl } = deps
    const userId = await findUserIdByEmail(database, email)
    const user = userId === null ? null : await findUser(database, userId)
    if (user === null) return
    const made = { userId: user.id, publicUrl, now: clock.now(), validMs: limits.mailedLinkMs, mailed: true }
    const link = await makeLink(database, made)
    await deps.sendMail({ by, to: email, ...linkMail(user.language, link) })
  })
}

/**
 * Signs in whoever shows an unspent link, and spends it. A person with a second factor must give a code too, of the app or a backup
 * code: until it is right the link is not spent, and after a few wrong ones it is worth nothing. A link that was mailed proves the
 * mailbox. Its first proof takes away what was set before it, unless a code shows that the same person set it.
 */
export async function openLink(
  deps: MembersDeps,
  asker: Asker,
  { token, code }: { token: string; code: string | null },
): Promise<Result<SignedIn, Refusal>> {
  const { database, clock } = deps
  const now = clock.now()
  const hash = hashOfToken(token)
  const found = await findLink(database, hash, now)
  const user = found === null ? null : await findUser(database, found.userId)
  if (found === null || user === null) return refused(linkIsOver)
  const proves = found.mailed && !user.emailVerified
  if (!user.hasTwoFactor) {
    if (!(await spend(deps, { hash, userId: user.id, proves }))) return refused(linkIsOver)
    return signedIn(user, await (await deps.auth()).openSession(asker, user.id))
  }
  if (code === null) return ok({ email: user.email, secondFactor: true, cookies: [] })
  if ((await takeTryOfLink(database, hash, now, limits.linkTriesMax)) === null) return refused(linkIsOver)
  const auth = await deps.auth()
  const opened = await auth.openSessionWithCode(asker, { userId: user.id, code, challenge: newToken(), now })
  if (!opened.ok) return refused(refusalOfCode(opened.code))
  if ((await spendLink(database, hash, now)) !== null) {
    if (proves) await setEmailVerified(database, user.id, now)
    return signedIn(user, opened)
  }
  // Two with a right code at once: one of them came in.
  await auth.signOut({ ...asker, cookie: opened.cookies.map((each) => each.split(';')[0]).join('; ') })
  return refused(linkIsOver)
}

/** False: it is spent already. `proves`: the password and the sessions may be of somebody who made this person up. */
async function spend(
  { database, clock }: Pick<MembersDeps, 'database' | 'clock'>,
  { hash, userId, proves }: { hash: Buffer; userId: Uuid; proves: boolean },
): Promise<boolean> {
  const now = clock.now()
  return database.transaction(async (tx) => {
    if ((await spendLink(tx, hash, now)) === null) return false
    if (proves) await startAfresh(tx, userId, now)
    return true
  })
}

/** Gives the address to who shows it now: no way in that was made before leads to it. */
export async function startAfresh(tx: Tx, userId: Uuid, now: Date): Promise<void> {
  await removeWaysIn(tx, userId, now)
  await removeLinksOf(tx, userId)
  await setEmailVerified(tx, userId, now)
}

const linkIsOver = refusal('unauthorized', because('link_over', 'This link is not valid: it was used, or has expired. Ask for a new one.'))

function signedIn({ email }: User, told: Told<null>): Result<SignedIn, Refusal> {
  return told.ok ? ok({ email, secondFactor: false, cookies: told.cookies }) : refused(refusalOfCode(told.code))
}
