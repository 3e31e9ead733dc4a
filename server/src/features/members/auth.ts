import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { twoFactor } from 'better-auth/plugins/two-factor'
import pg from 'pg'
import { assert, present } from '../../base/assert.ts'
import type { Uuid } from '../../base/id.ts'
import type { SecretKey } from '../../base/seal.ts'
import { limits } from '../../limits.ts'
import type { Connection } from '../../platform/database/database.ts'
import { createGate } from '../../platform/http/gate.ts'
import { networkOf } from '../../platform/http/network-of.ts'
import { authSecretOf, cookiePrefix } from './session-cookie.ts'
import { isOfApp } from './token.ts'

// Loaded on first use (`load-auth.ts`): the library costs 0.4 s and 50 MB.

export type AuthOptions = {
  connection: Connection
  secretKey: SecretKey
  /** Where the console is, as browsers know it. */
  publicUrl: string
  observe: (observation: AuthObservation) => void
  /** Spends a code of a person's app; false: it has signed somebody in before. */
  spendCode(userId: Uuid, code: string): Promise<boolean>
}

export type AuthObservation =
  | { kind: 'auth.told'; level: 'warn' | 'error'; message: string }
  | { kind: 'auth.connection_lost'; message: string }

/** Who asks: what the library wants to know of a request. */
export type Asker = {
  cookie: string
  userAgent: string
  address: string
  /** Whether this person has signed in there before: then nobody's flood of sign-ins is in the way. */
  isKnown: boolean
}

/** What the library answered, with the cookies to be set; or the code of its refusal. */
export type Told<Value> = { ok: true; value: Value; cookies: readonly string[] } | { ok: false; code: string }

/** What we use of the library. */
export type Auth = {
  /** Takes the same time for an unknown e-mail and a wrong password. `secondFactor`: nobody has signed in yet. */
  signIn(asker: Asker, given: { email: string; password: string }): Promise<Told<{ secondFactor: boolean }>>
  /** Completes a sign-in that asked for it. A code of the app signs in once. */
  giveSecondFactor(asker: Asker, given: { code: string; isBackup: boolean; trustDevice: boolean }): Promise<Told<null>>
  /** Signs a person in who has shown that it is them, and has no second factor. */
  openSession(asker: Asker, userId: Uuid): Promise<Told<null>>
  /** The same for one who has, with their code. `challenge` is a word of the caller's that nobody can guess. */
  openSessionWithCode(asker: Asker, given: { userId: Uuid; code: string; challenge: string; now: Date }): Promise<Told<null>>
  signOut(asker: Asker): Promise<Told<null>>
  /** Renews a session that is old enough, and its cookie. */
  renew(asker: Asker): Promise<Told<null>>
  /** Of a person without a password `current` is null. Their other sessions end. */
  changePassword(asker: Asker, given: { current: string | null; next: string }): Promise<Told<null>>
  /** Nothing changes for the person until a first code is confirmed. */
  startTwoFactor(asker: Asker, password: string | null): Promise<Told<{ uri: string; backupCodes: string[] }>>
  /** Whether this is a code of now. The first that is right makes the second factor count. */
  checkCode(asker: Asker, code: string): Promise<Told<null>>
  /** Whether this is one of the backup codes; it is spent. */
  checkBackupCode(asker: Asker, code: string): Promise<Told<null>>
  hashPassword(asker: Asker, password: string): Promise<string>
  close(): Promise<void>
}

export function openAuth(options: AuthOptions): Auth {
  const pool = openPool(options)
  const auth = betterAuth(authOptions(options, pool))
  const { api } = auth
  // A password is hashed on one of the four threads that files and name look-ups need too: strangers have one of them, who is known another.
  const gates = { known: createGate(hashing), strangers: createGate(hashing) }
  /** Looks at a code of the app. Where it was used before, the session that the library has just opened ends before anybody has it. */
  const signInByApp = async (given: { body: { code: string }; headers: Headers; returnHeaders: true }): Promise<Told<null>> => {
    const signedIn = await told(api.verifyTOTP(given), ({ token, user }) => ({ token, userId: user.id as Uuid }))
    if (!signedIn.ok) return signedIn
    const { token, userId } = signedIn.value
    if (await options.spendCode(userId, given.body.code)) return { ...signedIn, value: null }
    await (await auth.$context).internalAdapter.deleteSession(token)
    return { ok: false, code: 'INVALID_CODE' }
  }
  const inTurn = <Value>(asker: Asker, work: () => Promise<Value>) =>
    gates[asker.isKnown ? 'known' : 'strangers'].run(networkOf(asker.address), work)
  return {
    signIn: (asker, body) =>
      inTurn(asker, () =>
        told(api.signInEmail({ body, headers: headersOf(asker), returnHeaders: true }), (answer) => ({
          secondFactor: 'twoFactorRedirect' in answer,
        })),
      ),
    giveSecondFactor(asker, { code, isBackup, trustDevice }) {
      // With a session of somebody the library would look at their code, and sign nobody in.
      const given = { body: { code, trustDevice }, headers: headersOf(withoutSession(asker)), returnHeaders: true as const }
      return isBackup ? told<object, null>(api.verifyBackupCode(given), nothing) : signInByApp(given)
    },
    openSession: (asker, userId) => told(open(api.openSession, asker, { userId }), nothing),
    async openSessionWithCode(asker, { userId, code, challenge, now }) {
      const challenged = await told(
        open(api.openChallenge, asker, { userId, identifier: `2fa-${challenge}`, atMs: now.getTime() }),
        nothing,
      )
      if (!challenged.ok) return challenged
      const cookie = challenged.cookies.map((each) => each.split(';')[0]).join('; ')
      const given = { body: { code }, headers: headersOf({ ...asker, cookie }), returnHeaders: true as const }
      return isOfApp(code) ? signInByApp(given) : told<object, null>(api.verifyBackupCode(given), nothing)
    },
    signOut: (asker) => told(api.signOut({ headers: headersOf(asker), returnHeaders: true }), nothing),
    renew: (asker) => told(api.getSession({ headers: headersOf(asker), returnHeaders: true }), nothing),
    changePassword(asker, { current, next }) {
      const headers = headersOf(asker)
      if (current === null)
        return inTurn(asker, () => told(api.setPassword({ body: { newPassword: next }, headers, returnHeaders: true }), nothing))
      const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true }
      return inTurn(asker, () => told(api.changePassword({ body, headers, returnHeaders: true }), nothing))
    },
    startTwoFactor: (asker, password) =>
      inTurn(asker, () =>
        told(
          api.enableTwoFactor({ body: password === null ? {} : { password }, headers: headersOf(asker), returnHeaders: true }),
          (answer) => {
            assert(answer.method === 'totp', 'the app is the only method')
            return { uri: answer.totpURI, backupCodes: answer.backupCodes }
          },
        ),
      ),
    checkCode: (asker, code) => told(api.verifyTOTP({ body: { code }, headers: headersOf(asker), returnHeaders: true }), nothing),
    checkBackupCode: (asker, code) =>
      told<object, null>(
        api.verifyBackupCode({ body: { code, disableSession: true }, headers: headersOf(asker), returnHeaders: true }),
        nothing,
      ),
    hashPassword: (asker, password) => inTurn(asker, async () => (await auth.$context).password.hash(password)),
    close: () => pool.end(),
  }
}

/** A hash takes some 80 ms, so that nobody waits for longer than some seconds. */
const hashing = { atOnce: 1, waitingMax: 64, waitingOfOneMax: 32 }

const nothing = () => null

type Returned<Answer> = Promise<{ headers: Headers; response: Answer }>
type OwnEndpoint = (given: { body: never; headers: Headers; returnHeaders: true }) => Returned<unknown>

const open = (endpoint: unknown, asker: Asker, body: object) =>
  (endpoint as OwnEndpoint)({ body: body as never, headers: headersOf(asker), returnHeaders: true })

async function told<Answer, Value>(asked: Returned<Answer>, read: (answer: Answer) => Value): Promise<Told<Value>> {
  try {
    const { headers, response } = await asked
    return { ok: true, value: read(response), cookies: headers.getSetCookie() }
  } catch (error) {
    // What is its own fault is thrown on, as is an outage of the database.
    if (!(error instanceof APIError) || error.statusCode >= 500) throw error
    return { ok: false, code: error.body?.code ?? String(error.status) }
  }
}

const headersOf = ({ cookie, userAgent, address }: Asker): Headers =>
  new Headers({ cookie, 'user-agent': userAgent, [addressHeader]: address })

function withoutSession(asker: Asker): Asker {
  const cookies = asker.cookie.split(';').filter((each) => !(each.split('=')[0] ?? '').trim().endsWith('.session_token'))
  return { ...asker, cookie: cookies.join(';') }
}

function openPool({ connection, observe }: AuthOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    // Its tables have names like ours; so it sees none but its own.
    options: '-c search_path=auth',
    max: connectionsMax,
    connectionTimeoutMillis: 5_000,
    query_timeout: queryMsMax,
    statement_timeout: queryMsMax,
    keepAlive: true,
    application_name: 'pombo sign-ins',
  })
  pool.on('error', (error) => observe({ kind: 'auth.connection_lost', message: error.message }))
  // One that is lent out, or just ended, may be cut by the server too: its own query says so, or nobody needs it any more.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const connectionsMax = 4
const queryMsMax = 10_000
const challengeSeconds = 600

/** The library, set up for us, under its own schema of the database. Nothing of it is reachable but by these options and `auth.api`. */
export function authOptions(options: Pick<AuthOptions, 'secretKey' | 'publicUrl' | 'observe'>, pool: pg.Pool) {
  const { publicUrl, observe } = options
  return {
    appName: 'Pombo',
    baseURL: publicUrl,
    secret: authSecretOf(options.secretKey),
    database: pool,
    telemetry: { enabled: false },
    logger: { level: 'warn' as const, log: (level: string, message: string) => tell(observe, level, message) },
    user: { additionalFields: { language: { type: 'string' as const, required: false, input: false } } },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: limits.passwordCharsMin,
      maxPasswordLength: limits.passwordCharsMax,
    },
    session: { expiresIn: limits.sessionMs / 1_000, updateAge: limits.sessionRenewedMs / 1_000 },
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix,
      useSecureCookies: publicUrl.startsWith('https:'),
      database: { generateId: 'uuid' as const },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    plugins: [twoFactor({ issuer: 'Pombo', allowPasswordless: true, twoFactorCookieMaxAge: challengeSeconds }), ownEndpoints],
  }
}

const addressHeader = 'x-real-ip'

/** Its words hold no address and no secret, but what it appends to them may: that is left out. */
function tell(observe: AuthOptions['observe'], level: string, message: string): void {
  if (!expected.has(message)) observe({ kind: 'auth.told', level: level === 'error' ? 'error' : 'warn', message })
}

/** What a wrong sign-in makes it say: that is no news. */
const expected: ReadonlySet<string> = new Set(['User not found', 'Password not found', 'Invalid password'])

/** What the library does inside of its own sign-in, without the password: for whoever has shown a one-time link. */
const ownEndpoints = {
  id: 'pombo',
  endpoints: {
    openSession: createAuthEndpoint.serverOnly({ method: 'POST' }, async (ctx) => {
      const { userId } = ctx.body as { userId: string }
      const { internalAdapter } = ctx.context
      const user = present(await internalAdapter.findUserById(userId), 'the person was read a moment ago')
      const session = await internalAdapter.createSession(userId)
      await setSessionCookie(ctx, { session, user })
      return ctx.json({})
    }),
    /** Asks for the second factor as after a right password: its attempts are counted, for the challenge and for the person. */
    openChallenge: createAuthEndpoint.serverOnly({ method: 'POST' }, async (ctx) => {
      const { userId, identifier } = ctx.body as { userId: string; identifier: string }
      const { internalAdapter, createAuthCookie, secret } = ctx.context
      const cookie = createAuthCookie('two_factor', { maxAge: challengeSeconds })
      const expiresAt = new Date((ctx.body as { atMs: number }).atMs + challengeSeconds * 1_000)
      await internalAdapter.createVerificationValue({ value: userId, identifier, expiresAt })
      await internalAdapter.createVerificationValue({ value: '0', identifier: `2fa-attempts-${identifier}`, expiresAt })
      await ctx.setSignedCookie(cookie.name, identifier, secret, cookie.attributes)
      return ctx.json({})
    }),
  },
} satisfies BetterAuthPlugin
