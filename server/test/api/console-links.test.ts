import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type MailReceiver, startMailReceiver } from '../support/mail-receiver.ts'
import { callWith, clockWithMinutes, cookiesOf, linkTokenOf, signedIn, tokenIn } from '../support/people-of-console.ts'
import { sql } from '../support/stage.ts'

const clock = clockWithMinutes()
let gateway: TestGateway
let account: TestAccount
let receiver: MailReceiver
beforeAll(async () => {
  receiver = await startMailReceiver()
  gateway = await startTestGateway({ clock, settings: { SMTP_URL: receiver.url, PUBLIC_URL: 'http://console.test' } })
  account = await gateway.account({ channels: 0 })
})
afterAll(async () => {
  await gateway.close()
  await receiver.close()
})
beforeEach(() => clock.nextMinute())

const request = (email: string, at = gateway) => callWith(at, '', 'POST', '/sign-in/link', { body: { email } })
const open = (token: string, at = gateway) => callWith(at, '', 'POST', '/sign-in/link/open', { body: { token } })

describe('asking for a link', () => {
  test('mails one that signs in once, in the person’s language', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    const asked = await request(ana.email.toUpperCase())
    expect([asked.status, asked.body]).toEqual([202, { mailed: true }])
    const mail = await receiver.mails.until((each) => each.to === ana.email)
    expect(mail.subject).toBe('Seu link para entrar no Pombo')
    const link = /http:\/\/console\.test\/sign-in\/link#\S+/.exec(mail.text)?.[0] ?? ''
    const opened = await open(tokenIn(link))
    expect([opened.status, opened.body]).toEqual([200, { second_factor: false }])
    expect((await callWith(gateway, cookiesOf(opened), 'GET', '/me')).body.user.email).toBe(ana.email)
    const again = await open(tokenIn(link))
    expect([again.status, again.body.error.code, cookiesOf(again)]).toEqual([401, 'unauthorized', ''])

    await ana.call('PATCH', '/me', { body: { language: 'en' } })
    const from = receiver.mails.all.length
    await request(ana.email)
    expect((await receiver.mails.until((each) => each.to === ana.email, { from })).subject).toBe('Your link to sign in to Pombo')
  })

  test('is answered the same for an address that nobody has, and mails nothing', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    const from = receiver.mails.all.length
    const [known, unknown] = [await request(ana.email), await request('nobody@example.com')]
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    await receiver.mails.until((each) => each.to === ana.email, { from })
    expect(receiver.mails.all.slice(from).map((each) => each.to)).toEqual([ana.email])
  })

  test('is answered as before when the mail cannot be sent, which is observed without the address', async () => {
    const refusing = await startMailReceiver({ refuses: true })
    const other = await startTestGateway({ settings: { SMTP_URL: refusing.url } })
    try {
      const { uuid } = await other.account({ channels: 0 })
      const ana = await signedIn(other, { accountId: uuid })
      expect((await request(ana.email, other)).body).toEqual({ mailed: true })
      const told = await other.observations.until((each) => each.kind === 'mail.failed')
      expect(JSON.stringify(told)).not.toContain(ana.email)
    } finally {
      await other.close()
      await refusing.close()
    }
  })

  test('tells that no mail is set up, and makes no link', async () => {
    const other = await startTestGateway()
    try {
      const { uuid } = await other.account({ channels: 0 })
      const ana = await signedIn(other, { accountId: uuid })
      const asked = await request(ana.email, other)
      expect([asked.status, asked.body]).toEqual([202, { mailed: false }])
      expect(await sql(other.deps.database, 'select hash from one_time_link')).toEqual([])
    } finally {
      await other.close()
    }
  })

  test('is a 429 from the sixth of a minute for one address on', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 6; i += 1) statuses.push((await request('alguem@example.com')).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  })
})

describe('opening a link', () => {
  test('of several at once signs one in', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    const token = await linkTokenOf(gateway, ana.email)
    const answers = await Promise.all([1, 2, 3, 4].map(() => open(token)))
    expect(answers.map((each) => each.status).toSorted()).toEqual([200, 401, 401, 401])
  })

  test('does nothing once it has expired, and nothing by a GET', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    const token = await linkTokenOf(gateway, ana.email)
    expect((await callWith(gateway, '', 'GET', `/sign-in/link/open?token=${token}`)).status).toBe(404)
    await sql(gateway.deps.database, `update one_time_link set expires_at = now() - interval '1 second' where user_id = $1`, [ana.userId])
    expect((await open(token)).status).toBe(401)
  })

  test('does nothing with a token that nobody has', async () => {
    expect((await open('a'.repeat(43))).status).toBe(401)
    expect((await open('short')).status).toBe(400)
  })

  test('does nothing once the password was changed', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    const token = await linkTokenOf(gateway, ana.email)
    await ana.call('POST', '/me/password', { body: { new_password: 'uma senha bem longa' } })
    expect((await open(token)).status).toBe(401)
  })
})

test('the table holds no token of a link', async () => {
  const ana = await signedIn(gateway, { accountId: account.uuid })
  const token = await linkTokenOf(gateway, ana.email)
  const rows = await sql<{ row: string }>(gateway.deps.database, 'select one_time_link::text as row from one_time_link')
  const [hex, plain] = [Buffer.from(token).toString('hex'), token]
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) expect(row.includes(hex) || row.includes(plain)).toBe(false)
})
