import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type MailReceiver, startMailReceiver } from '../support/mail-receiver.ts'
import {
  type ConsoleCaller,
  callWith,
  clockWithMinutes,
  cookiesOf,
  linkTokenOf,
  setCookiesOf,
  signedIn,
} from '../support/people-of-console.ts'

const clock = clockWithMinutes()
const password = 'uma senha bem longa'
let gateway: TestGateway
let account: TestAccount
let receiver: MailReceiver
beforeAll(async () => {
  receiver = await startMailReceiver()
  gateway = await startTestGateway({ clock, settings: { SMTP_URL: receiver.url, TRUST_PROXY: '127.0.0.1' } })
  account = await gateway.account({ channels: 0 })
})
afterAll(async () => {
  await gateway.close()
  await receiver.close()
})
beforeEach(() => clock.nextMinute())

/** From another network each: what a proxy that is trusted says of its callers. */
const from = (address: string) => ({ 'x-forwarded-for': address })
const attacker = '203.0.113.66'
const home = '192.0.2.10'

const signIn = (email: string, given: string, address: string, cookie = '') =>
  callWith(gateway, cookie, 'POST', '/sign-in', { body: { email, password: given }, headers: from(address) })

async function withPassword() {
  const person = await signedIn(gateway, { accountId: account.uuid, name: 'Ana' })
  const set = await person.call('POST', '/me/password', { body: { new_password: password } })
  if (set.status !== 200) throw new Error(set.text)
  return person
}

describe('somebody tries passwords of a person', () => {
  test('from one network: they are stopped after five, and the person signs in from another', async () => {
    const ana = await withPassword()
    const tried: number[] = []
    for (let i = 0; i < 8; i += 1) tried.push((await signIn(ana.email, 'not it at all', attacker)).status)
    expect(tried).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    expect((await signIn(ana.email, password, home)).status).toBe(200)
  })

  test('at their own network: they are stopped, and the person signs in where they have signed in before, or by a link', async () => {
    const ana = await withPassword()
    const device = cookiesOf(await signIn(ana.email, password, home))
    for (let i = 0; i < 6; i += 1) await signIn(ana.email, 'not it at all', home)
    expect((await signIn(ana.email, password, home)).status).toBe(429)
    expect((await signIn(ana.email, password, home, device)).status).toBe(200)
    const token = await linkTokenOf(gateway, ana.email)
    const opened = await callWith(gateway, '', 'POST', '/sign-in/link/open', { body: { token }, headers: from(home) })
    expect(opened.status).toBe(200)
  }, 60_000)

  test('with a cookie that is forged, of somebody else, or stolen: five a minute and no more', async () => {
    const [ana, bia] = [await withPassword(), await withPassword()]
    const own = cookiesOf(await signIn(ana.email, password, home))
    const others = cookiesOf(await signIn(bia.email, password, home))
    const forged = own.replace(/(pombo\.device=[^.]+\.[^.]+\.)[^;]{4}/, '$1AAAA')
    for (let i = 0; i < 5; i += 1) await signIn(ana.email, 'not it at all', attacker)
    for (const cookie of [forged, others]) expect((await signIn(ana.email, password, attacker, cookie)).status).toBe(429)
    const stolen: number[] = []
    for (let i = 0; i < 6; i += 1) stolen.push((await signIn(ana.email, 'not it at all', attacker, own)).status)
    expect(stolen).toEqual([401, 401, 401, 401, 401, 429])
  }, 60_000)
})

test('the cookie of a device is for the server alone and does not hold the e-mail', async () => {
  const ana = await withPassword()
  const cookie = setCookiesOf(await signIn(ana.email, password, home)).find((each) => each.startsWith('pombo.device=')) ?? ''
  expect(cookie).toMatch(/^pombo\.device=[\w-]{36}\.[0-9]{10}\.[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/)
})

describe('what needs no session', () => {
  test('reads at most 4 KB', async () => {
    const answer = await callWith(gateway, '', 'POST', '/sign-in', { body: { email: 'a@example.com', password: 'x'.repeat(5_000) } })
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('4096 bytes')])
  })

  test('is counted by address before its body is looked at, and others are not held up', async () => {
    const wrong = () => callWith(gateway, '', 'POST', '/sign-in', { body: { nothing: 'right' }, headers: from('203.0.113.67') })
    const statuses: number[] = []
    for (let i = 0; i < 16; i += 1) statuses.push(...(await Promise.all(Array.from({ length: 20 }, wrong))).map((each) => each.status))
    expect([statuses.filter((each) => each === 400).length, statuses.filter((each) => each === 429).length]).toEqual([300, 20])
    const ana = await withPassword()
    expect((await signIn(ana.email, password, home)).status).toBe(200)
  }, 60_000)
})

test('a flood of sign-ins from many networks waits at a gate of its own: the person on a known device is not behind it', async () => {
  const ana = await withPassword()
  const device = cookiesOf(await signIn(ana.email, password, home))
  let answered = 0
  const flood = Array.from({ length: 20 }, async (_, i) => {
    const { status } = await signIn(`pessoa-${i}@example.org`, 'whatever it is', `198.18.${i}.1`)
    answered += 1
    return status
  })
  expect((await signIn(ana.email, password, home, device)).status).toBe(200)
  expect((await gateway.call('GET', '/health')).status).toBe(200)
  expect(answered).toBeLessThan(20)
  expect(await Promise.all(flood)).toEqual(Array(20).fill(401))
}, 60_000)

const ask = (email: string, address: string) => callWith(gateway, '', 'POST', '/sign-in/link', { body: { email }, headers: from(address) })
const invite = (member: ConsoleCaller, email: string) => member.onAccount('POST', '/invitations', { body: { email, role: 'agent' } })

describe('mails to strangers', () => {
  test('an address gets three invitations an hour, and the fourth is refused in words; the one before stays valid', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    const to = 'estranho@example.org'
    for (let i = 0; i < 3; i += 1) expect((await invite(ana, to)).status).toBe(201)
    const fourth = await invite(ana, to.toUpperCase())
    expect([fourth.status, fourth.body.error.code, fourth.body.error.message]).toEqual([
      ...[429, 'rate_limited'],
      expect.stringContaining('at most 3 invitations an hour'),
    ])
    expect(Number(fourth.headers['retry-after'])).toBeGreaterThan(60)
    expect(receiver.mails.all.filter((each) => each.to === to).length).toBe(3)
    expect((await invite(ana, 'outro@example.org')).status).toBe(201)
  })

  test('one network orders thirty links an hour, and whoever asks from another gets theirs', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    const statuses: number[] = []
    for (let i = 0; i < 32; i += 1) statuses.push((await ask(`pessoa-${i}@example.org`, '203.0.113.99')).status)
    expect(statuses.filter((each) => each === 429).length).toBe(2)
    expect((await ask(ana.email, home)).status).toBe(202)
    await receiver.mails.until((each) => each.to === ana.email)
  })

  test('an address gets five links by one network however it is spelt', async () => {
    const ana = await signedIn(gateway, { accountId: account.uuid })
    const statuses: number[] = []
    for (let i = 0; i < 30; i += 1) {
      const email = `${' '.repeat(i % 6)}${i % 2 ? ana.email.toUpperCase() : ana.email}${' '.repeat(i / 6)}`
      statuses.push((await ask(email, attacker)).status)
    }
    expect(statuses.filter((each) => each === 202).length).toBe(5)
    const to = 'outra-estranha@example.org'
    const invited: number[] = []
    for (let i = 0; i < 6; i += 1) invited.push((await invite(ana, `${' '.repeat(i)}${to}`)).status)
    expect(invited).toEqual([201, 201, 201, 429, 429, 429])
    expect(receiver.mails.all.filter((each) => each.to === to).length).toBe(3)
  }, 60_000)

  test('a person gets their link on a new device while a stranger asks, and on their own device while many do; invitations go on', async () => {
    const ana = await withPassword()
    const device = cookiesOf(await signIn(ana.email, password, home))
    const mailsTo = () => receiver.mails.all.filter((each) => each.to === ana.email)
    const next = (before: number) => vi.waitFor(() => expect(mailsTo().length).toBeGreaterThan(before), { timeout: 10_000 })
    for (let i = 0; i < 8; i += 1) await ask(ana.email, attacker)
    expect((await ask(ana.email, home)).status).toBe(202)
    for (let i = 0; i < 40; i += 1) await ask(ana.email, `198.19.${i % 10}.1`)
    expect((await ask(ana.email, '192.0.2.77')).status).toBe(429)
    await next(14)
    expect((await callWith(gateway, device, 'POST', '/sign-in/link', { body: { email: ana.email }, headers: from(home) })).status).toBe(202)
    await next(15)
    const other = await gateway.account({ channels: 0 })
    const owner = await signedIn(gateway, { accountId: other.uuid })
    expect((await invite(owner, ana.email)).body).toMatchObject({ mailed: true })
  }, 60_000)
})
