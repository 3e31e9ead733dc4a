import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import type { Asker, Told } from './auth.ts'
import type { MembersDeps } from './deps.ts'
import { insertLink, spendLink, takeTryOfLink, userOfLink } from './link-store.ts'
import { linkMail } from './mails.ts'
import { parseEmail, type User } from './member.ts'
import { refusalOfCode } from './refusals.ts'
import { hashOfToken, newToken, signInLink } from './token.ts'
import { findUser, findUserIdByEmail } from './user-store.ts'

/** Whether somebody signed in, or must give their second factor first; and the cookies to be set. */
export type SignedIn = { email: string; secondFactor: boolean; cookies: readonly string[] }

/** Makes the address that signs this person in once, within so many milliseconds. Whoever has it is them. */
async function makeLink(
  queries: Queries,
  { userId, publicUrl, now, validMs }: { userId: Uuid; publicUrl: string; now: Date; validMs: number },
): Promise<string> {
  const token = newToken()
  await insertLink(queries, { hash: hashOfToken(token), userId, createdAt: now, expiresAt: new Date(now.getTime() + validMs) })
  return signInLink(publicUrl, token)
}

/** For the operator, who hands it over: valid for a day. Refused: nobody has this e-mail. */
export async function makeOperatorsLink(
  { database, clock, publicUrl }: { database: Database; clock: Clock; publicUrl: string },
  text: string,
): Promise<Result<{ link: string; expiresAt: Date }, Refusal>> {
  const email = parseEmail(text)
  const userId = email === null ? null : await findUserIdByEmail(database, email)
  if (userId === null) return refused(refusal('not_found', 'Nobody has this e-mail address.'))
  const now = clock.now()
  const link = await makeLink(database, { userId, publicUrl, now, validMs: limits.operatorsLinkMs })
  return ok({ link, expiresAt: new Date(now.getTime() + limits.operatorsLinkMs) })
}

/** Mails a link to whoever has this address. The caller learns neither whether somebody has, nor by the time that it takes. */
export function requestLink(deps: MembersDeps, text: string): void {
  const email = parseEmail(text)
  if (email === null || !deps.hasMail) return
  deps.errands.start(async () => {
    const { database, clock, publicUrl } = deps
    const userId = await findUserIdByEmail(database, email)
    const user = userId === null ? null : await findUser(database, userId)
    if (user === null) return
    const link = await makeLink(database, { userId: user.id, publicUrl, now: clock.now(), validMs: limits.mailedLinkMs })
    await deps.sendMail({ to: email, ...linkMail(user.language, link) })
  })
}

/**
 * Signs in whoever shows an unspent link, and spends it. A person with a second factor must give a code too, of the app or a backup
 * code: until it is right the link is not spent, and after a few wrong ones it is worth nothing.
 */
export async function openLink(
  deps: MembersDeps,
  asker: Asker,
  { token, code }: { token: string; code: string | null },
): Promise<Result<SignedIn, Refusal>> {
  const { database, clock } = deps
  const now = clock.now()
  const hash = hashOfToken(token)
  const userId = await userOfLink(database, hash, now)
  const user = userId === null ? null : await findUser(database, userId)
  if (user === null) return refused(linkIsOver)
  if (!user.hasTwoFactor) {
    if ((await spendLink(database, hash, now)) === null) return refused(linkIsOver)
    return signedIn(user, await (await deps.auth()).openSession(asker, user.id))
  }
  if (code === null) return ok({ email: user.email, secondFactor: true, cookies: [] })
  if ((await takeTryOfLink(database, hash, now, limits.linkTriesMax)) === null) return refused(linkIsOver)
  const auth = await deps.auth()
  const opened = await auth.openSessionWithCode(asker, { userId: user.id, code, challenge: newToken(), now })
  if (!opened.ok) return refused(refusalOfCode(opened.code))
  if ((await spendLink(database, hash, now)) !== null) return signedIn(user, opened)
  // Two with a right code at once: one of them came in.
  await auth.signOut({ ...asker, cookie: opened.cookies.map((each) => each.split(';')[0]).join('; ') })
  return refused(linkIsOver)
}

const linkIsOver = refusal('unauthorized', 'This link is not valid: it was used, or has expired. Ask for a new one.')

function signedIn({ email }: User, told: Told<null>): Result<SignedIn, Refusal> {
  return told.ok ? ok({ email, secondFactor: false, cookies: told.cookies }) : refused(refusalOfCode(told.code))
}
