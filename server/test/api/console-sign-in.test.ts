import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatId } from '../../src/base/id.ts'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { callWith, clockWithMinutes, cookiesOf, setCookiesOf, signedIn } from '../support/people-of-console.ts'
import { sql } from '../support/stage.ts'

const clock = clockWithMinutes()
const password = 'uma senha bem longa'
let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway({ clock })
  account = await gateway.account()
})
afterAll(() => gateway.close())
beforeEach(() => clock.nextMinute())

const signIn = (email: string, given: string) => callWith(gateway, '', 'POST', '/sign-in', { body: { email, password: given } })

/** Somebody with that password. */
async function withPassword() {
  const person = await signedIn(gateway, { accountId: account.uuid, name: 'Ana' })
  const set = await person.call('POST', '/me/password', { body: { new_password: password } })
  if (set.status !== 200) throw new Error(set.text)
  return person
}

describe('with e-mail and password', () => {
  test('one signs in, however the address is spelled, and is who one is', async () => {
    const ana = await withPassword()
    const answer = await signIn(ana.email.toUpperCase(), password)
    expect([answer.status, answer.body]).toEqual([200, { second_factor: false }])
    const me = await callWith(gateway, cookiesOf(answer), 'GET', '/me')
    expect([me.status, me.body]).toEqual([
      200,
      {
        user: {
          id: formatId('usr', ana.userId),
          object: 'user',
          email: ana.email,
          name: 'Ana',
          language: null,
          two_factor: false,
          has_password: true,
        },
        accounts: [{ id: formatId('acc', account.uuid), name: 'Loja de Teste', role: 'owner', scopes: null, suspended: false }],
      },
    ])
  })

  test('the cookie is for the server alone, for this site, and for 30 days', async () => {
    const ana = await withPassword()
    const [cookie = '', ...more] = setCookiesOf(await signIn(ana.email, password))
    expect(more).toEqual([expect.stringContaining('pombo.device=')])
    expect(cookie).toMatch(/^pombo\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('an unknown address and a wrong password are answered with the same words, and take as long', async () => {
    const ana = await withPassword()
    const timed = async (email: string, given: string) => {
      const began = performance.now()
      const { status, body, headers } = await signIn(email, given)
      return { ms: performance.now() - began, said: { status, ...body.error, request_id: '' }, cookie: headers['set-cookie'] }
    }
    await timed(ana.email, 'not it at all')
    const [wrong, unknown, noPassword] = [
      await timed(ana.email, 'not it at all'),
      await timed('nobody@example.com', 'not it at all'),
      await timed((await signedIn(gateway, { accountId: account.uuid })).email, 'not it at all'),
    ]
    expect(wrong.said).toMatchObject({ status: 401, code: 'unauthorized' })
    expect([unknown.said, noPassword.said]).toEqual([wrong.said, wrong.said])
    expect([wrong.cookie, unknown.cookie]).toEqual([undefined, undefined])
    // A hash is made for each of them: without one the answer would come in a few milliseconds.
    for (const each of [wrong, unknown, noPassword]) expect(each.ms).toBeGreaterThan(25)
  })

  test('the sixth attempt of a minute for one address is a 429 with Retry-After where five have failed, whatever the password', async () => {
    const ana = await withPassword()
    clock.nextMinute()
    for (let i = 0; i < 5; i += 1) expect((await signIn(ana.email, 'not it at all')).status).toBe(401)
    const sixth = await signIn(ana.email.toUpperCase(), password)
    expect([sixth.status, sixth.body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(0)
    clock.nextMinute()
    expect((await signIn(ana.email, password)).status).toBe(200)
  })
})

describe('a session', () => {
  test('is worth nothing once one has signed out', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    expect((await ana.call('GET', '/me')).status).toBe(200)
    const out = await ana.call('POST', '/sign-out')
    expect([out.status, cookiesOf(out)]).toEqual([200, ''])
    expect((await ana.call('GET', '/me')).status).toBe(401)
    expect((await callWith(gateway, '', 'POST', '/sign-out')).status).toBe(200)
  })

  test('changes nothing from a page of another site, or of none', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { origin: '' }]) {
      const answer = await ana.call('PATCH', '/me', { body: { name: 'Eva' }, headers })
      expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
    }
    const { origin: _origin, ...headers } = { origin: '', cookie: ana.cookie }
    expect((await gateway.call('PATCH', '/console/api/me', { body: { name: 'Eva' }, headers })).status).toBe(403)
    expect((await signIn(ana.email, password)).status).toBe(401)
    expect((await gateway.call('POST', '/console/api/sign-in', { body: { email: ana.email, password } })).status).toBe(403)
    expect((await ana.call('GET', '/me')).body.user.name).not.toBe('Eva')
  })

  test('is renewed by use once it is an hour old, and ends 30 days after the last time', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    const aged = (interval: string) =>
      sql(
        gateway.deps.database,
        `update auth.session set "expiresAt" = "expiresAt" - $2::interval, "updatedAt" = "updatedAt" - $2::interval where "userId" = $1`,
        [ana.userId, interval],
      )
    expect(setCookiesOf(await ana.call('GET', '/me'))).toEqual([])
    await aged('2 hours')
    expect(setCookiesOf(await ana.call('GET', '/me'))).toEqual([expect.stringContaining('Max-Age=2592000')])
    const [session] = (await ana.call('GET', '/me/sessions')).body.data
    expect(Date.now() - Date.parse(session.last_seen_at)).toBeLessThan(60_000)
    await aged('31 days')
    expect((await ana.call('GET', '/me')).status).toBe(401)
  })

  test('shows and changes name and language', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    expect((await ana.call('PATCH', '/me', { body: { name: '  Ana Maria ', language: 'en' } })).body.user).toMatchObject({
      name: 'Ana Maria',
      language: 'en',
    })
    expect((await ana.call('PATCH', '/me', { body: { language: 'pt-BR' } })).body.user).toMatchObject({
      name: 'Ana Maria',
      language: 'pt-BR',
    })
    for (const body of [{}, { name: '' }, { name: '   ' }, { language: 'fr' }, { email: 'eva@example.com' }])
      expect([body, (await ana.call('PATCH', '/me', { body })).status]).toEqual([body, 400])
  })
})

describe('a password', () => {
  test('is changed with the current one, which ends the other sessions', async () => {
    const ana = await withPassword()
    const other = cookiesOf(await signIn(ana.email, password))
    const change = (body: object) => ana.call('POST', '/me/password', { body })
    for (const body of [{ new_password: 'outra senha longa' }, { current_password: 'not it at all', new_password: 'outra senha longa' }]) {
      const refused = await change(body)
      expect([refused.status, refused.body.error.details?.[0].field]).toEqual([400, 'current_password'])
    }
    expect((await change({ current_password: password, new_password: 'curta' })).status).toBe(400)
    const changed = await change({ current_password: password, new_password: 'outra senha longa' })
    expect(changed.status).toBe(200)
    expect((await callWith(gateway, other, 'GET', '/me')).status).toBe(401)
    expect((await callWith(gateway, cookiesOf(changed), 'GET', '/me')).status).toBe(200)
    clock.nextMinute()
    expect((await signIn(ana.email, password)).status).toBe(401)
    expect((await signIn(ana.email, 'outra senha longa')).status).toBe(200)
  })

  test('is guessed five times a minute at most, also by whoever is signed in', async () => {
    const ana = await withPassword()
    clock.nextMinute()
    const guess = () => ana.call('POST', '/me/password', { body: { current_password: 'not it at all', new_password: 'outra senha longa' } })
    const statuses: number[] = []
    for (let i = 0; i < 6; i += 1) statuses.push((await guess()).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  })
})

test('no answer ever holds a session’s token or a password’s hash', async () => {
  const ana = await withPassword()
  const answers = [
    await signIn(ana.email, password),
    ...(await Promise.all(['/me', '/me/sessions'].map((path) => ana.call('GET', path)))),
    ...(await Promise.all(['/members', '/invitations', '/audit-log'].map((path) => ana.onAccount('GET', path)))),
  ]
  const rows = await sql<{ secret: string }>(
    gateway.deps.database,
    `select token as secret from auth.session where "userId" = $1 union select password from auth.account where "userId" = $1`,
    [ana.userId],
  )
  expect(rows.length).toBeGreaterThan(2)
  for (const { secret } of rows) for (const answer of answers) expect(answer.text).not.toContain(secret)
})

test('over https the cookie is secure, and of a name that no page in the clear can set', async () => {
  const safe = await startTestGateway({ settings: { PUBLIC_URL: 'https://console.example' } })
  try {
    const { uuid } = await safe.account({ channels: 0 })
    const ana = await signedIn(safe, { accountId: uuid })
    expect((await ana.call('POST', '/me/password', { body: { new_password: password } })).status).toBe(200)
    const [cookie = ''] = setCookiesOf(await callWith(safe, '', 'POST', '/sign-in', { body: { email: ana.email, password } }))
    expect(cookie).toMatch(/^__Secure-pombo\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect((await callWith(safe, cookie.split(';')[0] ?? '', 'GET', '/me')).status).toBe(200)
  } finally {
    await safe.close()
  }
})

test('a password of digits alone, or that everybody has, is refused where one is chosen', async () => {
  const person = await signedIn(gateway, { accountId: (await gateway.account({ channels: 0 })).uuid })
  for (const [chosen, reason] of [
    ['1234567890', 'password_digits'],
    ['Password123!', 'password_common'],
  ]) {
    const { status, body } = await person.call('POST', '/me/password', { body: { new_password: chosen } })
    expect([status, body.error.details[0].field, body.error.details[0].reason]).toEqual([400, 'new_password', { code: reason, params: {} }])
  }
  expect((await person.call('GET', '/me')).body.user.has_password).toBe(false)
})

test('the page that signs in is told whether there is mail', async () => {
  expect((await callWith(gateway, '', 'GET', '/facts')).body).toEqual({ mail: false })
})
