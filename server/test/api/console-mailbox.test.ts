import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../src/base/clock.ts'
import { formatId } from '../../src/base/id.ts'
import { addMember, dropExpiredSignIns } from '../../src/features/members/public.ts'
import { done, type TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type MailReceiver, startMailReceiver } from '../support/mail-receiver.ts'
import { oneTimeCode } from '../support/one-time-code.ts'
import { callWith, clockWithMinutes, cookiesOf, linkTokenOf, signedIn, tokenIn } from '../support/people-of-console.ts'
import { sql } from '../support/stage.ts'

const clock = clockWithMinutes()
const password = 'uma senha bem longa'
let silent: TestGateway
let mailing: TestGateway
let receiver: MailReceiver
let [ofAttacker, ofVictim]: TestAccount[] = []
beforeAll(async () => {
  receiver = await startMailReceiver()
  silent = await startTestGateway({ clock })
  mailing = await startTestGateway({ clock, settings: { SMTP_URL: receiver.url, PUBLIC_URL: 'http://console.test' } })
})
afterAll(async () => {
  await silent.close()
  await mailing.close()
  await receiver.close()
})

let emails = 0
let email = ''
beforeEach(() => {
  clock.nextMinute()
  emails += 1
  email = `ceo${emails}@b.example`
})

const accountsOf = async (gateway: TestGateway) => {
  ;[ofAttacker, ofVictim] = [await gateway.account({ channels: 0 }), await gateway.account({ channels: 0 })]
  return { accountId: ofVictim.uuid, email, name: null, role: 'owner' }
}
const invited = (gateway: TestGateway, account: TestAccount) => invitedBy(gateway, account.uuid)
async function invitedBy(gateway: TestGateway, accountId: TestAccount['uuid']): Promise<string | null> {
  const owner = await signedIn(gateway, { accountId })
  const made = await owner.onAccount('POST', '/invitations', { body: { email, role: 'agent' } })
  expect(made.status).toBe(201)
  return made.body.link
}
const accept = (gateway: TestGateway, token: string, cookie = '') =>
  callWith(gateway, cookie, 'POST', '/invitations/accept', { body: cookie === '' ? { token, name: 'Nova', password } : { token } })
const signIn = (gateway: TestGateway) => callWith(gateway, '', 'POST', '/sign-in', { body: { email, password } })
const openLink = (gateway: TestGateway, body: object) => callWith(gateway, '', 'POST', '/sign-in/link/open', { body })
const me = (gateway: TestGateway, cookie: string) => callWith(gateway, cookie, 'GET', '/me')
const add = (gateway: TestGateway, given: Parameters<typeof addMember>[1]) => addMember(gateway.deps, given)

/** Who has the link of an invitation that no mail carried: they are known by whatever address they chose. */
async function madeUp(gateway: TestGateway, account: TestAccount): Promise<string> {
  const accepted = await accept(gateway, tokenIn((await invited(gateway, account)) ?? ''))
  expect(accepted.status).toBe(200)
  return cookiesOf(accepted)
}

/** The same where mail is set up since then. */
async function madeUpBeforeMail(account: TestAccount): Promise<string> {
  const { database } = mailing.deps
  const cookie = await signedInByMailedInvitation(account)
  await sql(database, `update auth."user" set "emailVerified" = false where email = $1`, [email])
  return cookie
}

async function signedInByMailedInvitation(account: TestAccount): Promise<string> {
  const from = receiver.mails.all.length
  expect(await invited(mailing, account)).toBe(null)
  const mail = await receiver.mails.until((each) => each.to === email, { from })
  const accepted = await accept(mailing, /invitation#(\S+)/.exec(mail.text)?.[1] ?? '')
  expect(accepted.status).toBe(200)
  return cookiesOf(accepted)
}

async function mailedLink(): Promise<string> {
  const from = receiver.mails.all.length
  await callWith(mailing, '', 'POST', '/sign-in/link', { body: { email } })
  const mail = await receiver.mails.until((each) => each.to === email, { from })
  return /sign-in\/link#(\S+)/.exec(mail.text)?.[1] ?? ''
}

describe('who was made by a link that no mail carried', () => {
  test('is let into no other account by the operator: the address is refused, and nobody becomes a member', async () => {
    const given = await accountsOf(silent)
    await madeUp(silent, ofAttacker as TestAccount)
    const refused = await add(silent, given)
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'conflict', message: expect.stringContaining('--reset') } })
    expect(await sql(silent.deps.database, 'select 1 from member where account_id = $1', [given.accountId])).toEqual([])
  })

  test('has no way in any more once the operator gives the address to another: only the new link signs in', async () => {
    const given = await accountsOf(silent)
    const cookie = await madeUp(silent, ofAttacker as TestAccount)
    const old = await linkTokenOf(silent, email)
    done(await add(silent, { ...given, reset: true }))
    expect([(await signIn(silent)).status, (await me(silent, cookie)).status]).toEqual([401, 401])
    expect((await openLink(silent, { token: old })).status).toBe(401)
    const opened = await openLink(silent, { token: await linkTokenOf(silent, email) })
    const { body } = await me(silent, cookiesOf(opened))
    expect([body.user.has_password, body.accounts.map((each: { id: string }) => each.id)]).toEqual([
      false,
      expect.arrayContaining([formatId('acc', given.accountId)]),
    ])
    // Vouched for by the operator: from now on they are known.
    done(await add(silent, { ...given, accountId: (await silent.account({ channels: 0 })).uuid }))
    expect((await me(silent, cookiesOf(opened))).body.accounts).toHaveLength(3)
  })

  test('goes on in the account that made them, and joins others with links that they are given', async () => {
    await accountsOf(silent)
    const cookie = await madeUp(silent, ofAttacker as TestAccount)
    const token = tokenIn((await invited(silent, ofVictim as TestAccount)) ?? '')
    expect((await accept(silent, token, cookie)).status).toBe(200)
    expect((await signIn(silent)).status).toBe(200)
    expect((await me(silent, cookie)).body.accounts).toHaveLength(2)
  })

  test('loses password, sessions and links when a link by mail shows for the first time who has the mailbox', async () => {
    const given = await accountsOf(mailing)
    const cookie = await madeUpBeforeMail(ofAttacker as TestAccount)
    const old = await linkTokenOf(mailing, email)
    const opened = await openLink(mailing, { token: await mailedLink() })
    expect(opened.status).toBe(200)
    expect([(await signIn(mailing)).status, (await me(mailing, cookie)).status]).toEqual([401, 401])
    expect((await openLink(mailing, { token: old })).status).toBe(401)
    expect((await me(mailing, cookiesOf(opened))).body.user.has_password).toBe(false)
    done(await add(mailing, given))
    expect((await me(mailing, cookiesOf(opened))).body.accounts).toHaveLength(2)
  })

  test('keeps all when a code of their second factor stands beside the link by mail: both are theirs', async () => {
    const given = await accountsOf(mailing)
    const cookie = await madeUpBeforeMail(ofAttacker as TestAccount)
    const started = (await callWith(mailing, cookie, 'POST', '/me/two-factor', { body: { password } })).body
    const code = () => oneTimeCode(started.secret, new Date())
    const confirmed = await callWith(mailing, cookie, 'POST', '/me/two-factor/confirm', { body: { code: code() } })
    expect(confirmed.status).toBe(200)
    clock.nextMinute()
    const token = await mailedLink()
    expect((await openLink(mailing, { token })).body).toEqual({ second_factor: true })
    expect((await openLink(mailing, { token, code: code() })).body).toEqual({ second_factor: false })
    expect((await signIn(mailing)).body).toEqual({ second_factor: true })
    done(await add(mailing, given))
  })

  test('is known once they accept an invitation by mail while they are signed in', async () => {
    const given = await accountsOf(mailing)
    const cookie = await madeUpBeforeMail(ofAttacker as TestAccount)
    const from = receiver.mails.all.length
    await invited(mailing, ofVictim as TestAccount)
    const mail = await receiver.mails.until((each) => each.to === email, { from })
    expect((await accept(mailing, /invitation#(\S+)/.exec(mail.text)?.[1] ?? '', cookie)).status).toBe(200)
    done(await add(mailing, { ...given, accountId: (await mailing.account({ channels: 0 })).uuid }))
  })
})

describe('who has shown that the mailbox is theirs', () => {
  test('by an invitation that was mailed, is let into further accounts as they are', async () => {
    const given = await accountsOf(mailing)
    const cookie = await signedInByMailedInvitation(ofAttacker as TestAccount)
    done(await add(mailing, given))
    expect((await me(mailing, cookie)).body.accounts).toHaveLength(2)
    expect((await signIn(mailing)).status).toBe(200)
  })

  test('keeps the password when a link by mail signs them in', async () => {
    await accountsOf(mailing)
    await signedInByMailedInvitation(ofAttacker as TestAccount)
    expect((await openLink(mailing, { token: await mailedLink() })).status).toBe(200)
    expect((await signIn(mailing)).status).toBe(200)
  })
})

test('an invitation whose mail could not be sent is handed over, and proves nothing', async () => {
  const refusing = await startMailReceiver({ refuses: true })
  const gateway = await startTestGateway({ clock, settings: { SMTP_URL: refusing.url } })
  try {
    const given = await accountsOf(gateway)
    await madeUp(gateway, ofAttacker as TestAccount)
    expect(await add(gateway, given)).toMatchObject({ ok: false, refusal: { code: 'conflict' } })
  } finally {
    await gateway.close()
    await refusing.close()
  }
})

test('an invitation is forgotten once it has expired, whatever became of it', async () => {
  await accountsOf(silent)
  await madeUp(silent, ofAttacker as TestAccount)
  const { database } = silent.deps
  const left = () => sql(database, 'select 1 from invitation where email = $1', [email])
  const inDays = (days: number) => manualClock(new Date(Date.now() + days * 86_400_000).toISOString())
  await dropExpiredSignIns(database, inDays(6.9))
  expect(await left()).toHaveLength(1)
  await dropExpiredSignIns(database, inDays(7.1))
  expect(await left()).toEqual([])
})
