import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { oneTimeCode } from '../support/one-time-code.ts'
import { callWith, clockWithMinutes, cookiesOf, linkTokenOf, signedIn } from '../support/people-of-console.ts'
import { sql } from '../support/stage.ts'

const clock = clockWithMinutes()
const password = 'uma senha bem longa'
let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway({ clock })
  account = await gateway.account({ channels: 0 })
})
afterAll(() => gateway.close())
beforeEach(() => clock.nextMinute())

const signIn = (email: string, cookie = '') => callWith(gateway, cookie, 'POST', '/sign-in', { body: { email, password } })
const giveCode = (cookie: string, body: object) => callWith(gateway, cookie, 'POST', '/sign-in/second-factor', { body })
const openLink = (body: object) => callWith(gateway, '', 'POST', '/sign-in/link/open', { body })
const isSignedIn = async (cookie: string) => (await callWith(gateway, cookie, 'GET', '/me')).status === 200
/** Never the code of now, nor of the steps beside it. */
const wrongCode = (secret: string) => {
  const near = [-60, -30, 0, 30, 60].map((seconds) => oneTimeCode(secret, new Date(Date.now() + seconds * 1_000)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((each) => !near.includes(each)) ?? ''
}
const codeNow = (secret: string) => oneTimeCode(secret, new Date())

/** Somebody with a password and a second factor. */
async function withSecondFactor() {
  const person = await signedIn(gateway, { accountId: account.uuid })
  const set = await person.call('POST', '/me/password', { body: { new_password: password } })
  const started = await person.call('POST', '/me/two-factor', { body: { password } })
  if (set.status !== 200 || started.status !== 200) throw new Error(started.text)
  const { secret, backup_codes: backupCodes } = started.body as { secret: string; backup_codes: string[] }
  const confirmed = await person.call('POST', '/me/two-factor/confirm', { body: { code: codeNow(secret) } })
  if (confirmed.status !== 200) throw new Error(confirmed.text)
  clock.nextMinute()
  return { ...person, cookie: cookiesOf(confirmed), secret, backupCodes }
}

describe('setting a second factor up', () => {
  test('shows its secret and ten backup codes once, and counts only when a first code is right', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    const started = await ana.call('POST', '/me/two-factor', { body: {} })
    expect(started.status).toBe(200)
    expect(started.body.totp_uri).toMatch(/^otpauth:\/\/totp\/Pombo/)
    expect(new URL(started.body.totp_uri).searchParams.get('secret')).toBe(started.body.secret)
    expect(new Set(started.body.backup_codes).size).toBe(10)
    expect((await ana.call('GET', '/me')).body.user.two_factor).toBe(false)

    const wrong = await ana.call('POST', '/me/two-factor/confirm', { body: { code: wrongCode(started.body.secret) } })
    expect([wrong.status, wrong.body.error.details[0].field]).toEqual([400, 'code'])
    expect((await ana.call('GET', '/me')).body.user.two_factor).toBe(false)
    const right = await ana.call('POST', '/me/two-factor/confirm', { body: { code: codeNow(started.body.secret) } })
    expect(right.status).toBe(200)
    expect((await callWith(gateway, cookiesOf(right), 'GET', '/me')).body.user.two_factor).toBe(true)
  })

  test('asks whoever has a password for it', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    await ana.call('POST', '/me/password', { body: { new_password: password } })
    for (const body of [{}, { password: 'not it at all' }]) {
      const refused = await ana.call('POST', '/me/two-factor', { body })
      expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'password'])
    }
    expect((await ana.call('POST', '/me/two-factor', { body: { password } })).status).toBe(200)
  })

  test('is a conflict while there is one, as is confirming or taking away what is not there', async () => {
    const ana = await withSecondFactor()
    const again = await callWith(gateway, ana.cookie, 'POST', '/me/two-factor', { body: { password } })
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict'])
    const eva = await signedIn(gateway, { accountId: account.uuid })
    expect((await eva.call('POST', '/me/two-factor/confirm', { body: { code: '123456' } })).status).toBe(409)
    expect((await eva.call('DELETE', '/me/two-factor', { body: { code: '123456' } })).status).toBe(409)
  })
})

describe('signing in with a second factor', () => {
  test('takes the password and a code; the password alone is no session', async () => {
    const ana = await withSecondFactor()
    const first = await signIn(ana.email)
    expect([first.status, first.body, await isSignedIn(cookiesOf(first))]).toEqual([200, { second_factor: true }, false])
    const wrong = await giveCode(cookiesOf(first), { code: wrongCode(ana.secret) })
    expect([wrong.status, wrong.body.error.code, cookiesOf(wrong)]).toEqual([401, 'unauthorized', ''])
    const right = await giveCode(cookiesOf(first), { code: codeNow(ana.secret) })
    expect([right.status, right.body, await isSignedIn(cookiesOf(right))]).toEqual([200, { second_factor: false }, true])
  })

  test('works beside a session of somebody else in the same browser', async () => {
    const [ana, eva] = [await withSecondFactor(), await signedIn(gateway, { accountId: account.uuid })]
    const first = await signIn(ana.email, eva.cookie)
    const right = await giveCode(`${eva.cookie}; ${cookiesOf(first)}`, { code: codeNow(ana.secret) })
    expect((await callWith(gateway, cookiesOf(right), 'GET', '/me')).body.user.email).toBe(ana.email)
  })

  test('takes a backup code in place of it, once', async () => {
    const ana = await withSecondFactor()
    const [code = ''] = ana.backupCodes
    const first = cookiesOf(await signIn(ana.email))
    expect((await giveCode(first, { code: 'aaaaa-bbbbb', is_backup: true })).status).toBe(401)
    const right = await giveCode(first, { code, is_backup: true })
    expect([right.status, await isSignedIn(cookiesOf(right))]).toEqual([200, true])
    expect((await giveCode(cookiesOf(await signIn(ana.email)), { code, is_backup: true })).status).toBe(401)
  })

  test('takes a code of the app once, also of two at the same time', async () => {
    const ana = await withSecondFactor()
    const [first = '', second = '', third = ''] = [await signIn(ana.email), await signIn(ana.email), await signIn(ana.email)].map(cookiesOf)
    const code = codeNow(ana.secret)
    const answers = await Promise.all([giveCode(first, { code }), giveCode(second, { code })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    const again = await giveCode(third, { code })
    expect([again.status, again.body.error.code, cookiesOf(again)]).toEqual([401, 'unauthorized', ''])
    const sessions = await sql(gateway.deps.database, 'select id from auth.session where "userId" = $1', [ana.userId])
    // The one in which the factor was set up, and the one that the code opened.
    expect(sessions).toHaveLength(2)
    // The link of the same person takes it no more either.
    expect((await openLink({ token: await linkTokenOf(gateway, ana.email), code })).status).toBe(401)
  })

  test('asks a trusted device no more, until the second factor is taken away', async () => {
    const ana = await withSecondFactor()
    const right = await giveCode(cookiesOf(await signIn(ana.email)), { code: codeNow(ana.secret), trust_device: true })
    const trust = cookiesOf(right)
    expect(trust).toContain('trust_device')
    const again = await signIn(
      ana.email,
      trust.split('; ').find((each) => each.includes('trust_device')),
    )
    expect([again.body, await isSignedIn(cookiesOf(again))]).toEqual([{ second_factor: false }, true])
    expect((await signIn(ana.email)).body).toEqual({ second_factor: true })
    const stopped = await callWith(gateway, ana.cookie, 'DELETE', '/me/two-factor', { body: { code: codeNow(ana.secret) } })
    expect(stopped.status).toBe(200)
    const left = await sql(gateway.deps.database, 'select id from auth.verification where value = $1', [ana.userId])
    expect(left.length).toBeLessThan(3)
  })

  test('ends after five wrong codes, also when the sixth is right', async () => {
    const ana = await withSecondFactor()
    const first = cookiesOf(await signIn(ana.email))
    for (let i = 0; i < 5; i += 1) expect((await giveCode(first, { code: wrongCode(ana.secret) })).status).toBe(401)
    clock.nextMinute()
    const sixth = await giveCode(first, { code: codeNow(ana.secret) })
    expect([sixth.status, cookiesOf(sixth)]).toEqual([401, ''])
  })

  test('is shut for the person after ten wrong codes in a row, however often they begin anew', async () => {
    const ana = await withSecondFactor()
    for (let round = 0; round < 2; round += 1) {
      clock.nextMinute()
      const first = cookiesOf(await signIn(ana.email))
      for (let i = 0; i < 5; i += 1) await giveCode(first, { code: wrongCode(ana.secret) })
    }
    clock.nextMinute()
    const locked = await giveCode(cookiesOf(await signIn(ana.email)), { code: codeNow(ana.secret) })
    expect([locked.status, locked.body.error.code]).toEqual([429, 'rate_limited'])
  })

  test('is not there for a code without a password', async () => {
    const ana = await withSecondFactor()
    expect((await giveCode('', { code: codeNow(ana.secret) })).status).toBe(401)
    // Nor is a session one: the code of whoever has signed in signs nobody in.
    expect((await giveCode(ana.cookie, { code: codeNow(ana.secret) })).status).toBe(401)
  })
})

describe('a one-time link of somebody with a second factor', () => {
  test('asks for a code and is not spent by that; a wrong one neither signs in nor spends it', async () => {
    const ana = await withSecondFactor()
    const token = await linkTokenOf(gateway, ana.email)
    const asked = await openLink({ token })
    expect([asked.status, asked.body, cookiesOf(asked)]).toEqual([200, { second_factor: true }, ''])
    const wrong = await openLink({ token, code: wrongCode(ana.secret) })
    expect([wrong.status, wrong.body.error.code, cookiesOf(wrong)]).toEqual([401, 'unauthorized', ''])
    const right = await openLink({ token, code: codeNow(ana.secret) })
    expect([right.status, right.body, await isSignedIn(cookiesOf(right))]).toEqual([200, { second_factor: false }, true])
    expect((await openLink({ token, code: codeNow(ana.secret) })).status).toBe(401)
  })

  test('takes a backup code too', async () => {
    const ana = await withSecondFactor()
    const right = await openLink({ token: await linkTokenOf(gateway, ana.email), code: ana.backupCodes[3] })
    expect([right.status, await isSignedIn(cookiesOf(right))]).toEqual([200, true])
  })

  test('is worth nothing after five wrong codes', async () => {
    const ana = await withSecondFactor()
    const token = await linkTokenOf(gateway, ana.email)
    for (let i = 0; i < 5; i += 1) expect((await openLink({ token, code: wrongCode(ana.secret) })).status).toBe(401)
    clock.nextMinute()
    const sixth = await openLink({ token, code: codeNow(ana.secret) })
    expect([sixth.status, cookiesOf(sixth)]).toEqual([401, ''])
  })
})

describe('taking the second factor away', () => {
  test('needs a code of now or a backup code; then the password is enough again', async () => {
    for (const which of ['app', 'backup'] as const) {
      const ana = await withSecondFactor()
      const stop = (code: string) => callWith(gateway, ana.cookie, 'DELETE', '/me/two-factor', { body: { code } })
      const refused = await stop(which === 'app' ? wrongCode(ana.secret) : 'aaaaa-bbbbb')
      expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'code'])
      expect((await stop(which === 'app' ? codeNow(ana.secret) : (ana.backupCodes[0] ?? ''))).status).toBe(200)
      expect((await callWith(gateway, ana.cookie, 'GET', '/me')).body.user.two_factor).toBe(false)
      expect((await signIn(ana.email)).body).toEqual({ second_factor: false })
    }
  })

  test('is guessed five times a minute at most', async () => {
    const ana = await withSecondFactor()
    const statuses: number[] = []
    for (let i = 0; i < 6; i += 1)
      statuses.push((await callWith(gateway, ana.cookie, 'DELETE', '/me/two-factor', { body: { code: wrongCode(ana.secret) } })).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  })
})
