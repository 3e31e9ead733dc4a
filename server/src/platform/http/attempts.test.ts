import { beforeEach, describe, expect, test } from 'vitest'
import { type ManualClock, manualClock } from '../../base/clock.ts'
import { type Email, parseEmail } from '../../base/email.ts'
import type { Uuid } from '../../base/id.ts'
import type { Attempts } from './attempts.ts'
import { createRateLimits } from './rate-limit.ts'

let clock: ManualClock
let attempts: Attempts
beforeEach(async () => {
  clock = manualClock('2026-11-27T21:11:41.747Z')
  attempts = (await createRateLimits({ clock, observe: () => {}, perKey: 600, perAccount: 1_200, redisUrl: null })).attempts
})

const mailbox = (text: string) => parseEmail(text) as Email
const email = mailbox('ana@example.com')
const password = async (ip: string, device: string | null = null, who = 'ana@example.com') =>
  (await attempts.takePassword({ email: mailbox(who), from: { ip }, device })).window.admitted
const account = '01900000-0000-7000-8000-00000000000a' as Uuid

/** How many of so many tries may be made. */
async function admitted(times: number, take: (i: number) => Promise<boolean>): Promise<number> {
  let count = 0
  for (let i = 0; i < times; i += 1) if (await take(i)) count += 1
  return count
}

describe('a password', () => {
  test('is tried five times a minute from one network, and its owner has five of their own from another', async () => {
    expect(await admitted(20, () => password('203.0.113.1'))).toBe(5)
    expect(await password('192.0.2.1')).toBe(true)
    clock.advance(60_000)
    expect(await password('203.0.113.1')).toBe(true)
  })

  test('is tried fifty times a minute from all networks together; a known device has five that nobody else can use up', async () => {
    expect(await admitted(200, (i) => password(`198.51.${i}.1`))).toBe(50)
    expect(await password('192.0.2.1')).toBe(false)
    expect(await admitted(20, () => password('192.0.2.1', 'her own device'))).toBe(5)
  })

  test('of many people is tried thirty times a minute from one network, a /64 of IPv6 being one', async () => {
    expect(await admitted(100, (i) => password(`2001:db8::${i.toString(16)}`, null, `p${i}@example.com`))).toBe(30)
  })

  test('that is right counts for nothing', async () => {
    const signsIn = async () => {
      const attempt = await attempts.takePassword({ email, from: { ip: '192.0.2.1' }, device: null })
      if (attempt.window.admitted) attempt.giveBack()
      return attempt.window.admitted
    }
    expect(await admitted(100, signsIn)).toBe(100)
  })

  test('many tries at once are counted before any of them is given back', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => attempts.takePassword({ email, from: { ip: '192.0.2.1' }, device: null })),
    )
    expect(all.filter((each) => each.window.admitted).length).toBe(5)
  })

  test('behind a proxy that we were not told of has twenty times as many tries from the one address that all share', async () => {
    const take = async (i: number) =>
      (await attempts.takePassword({ email: mailbox(`p${i}@example.com`), from: { ip: '10.0.0.1', sharesAddress: true }, device: null }))
        .window.admitted
    expect(await admitted(1_000, take)).toBe(600)
  })
})

test('tries that one mailbox is refused use up nothing of its network', async () => {
  expect(await admitted(100, () => password('203.0.113.9'))).toBe(5)
  expect(await admitted(100, (i) => password('203.0.113.9', null, `p${i}@example.com`))).toBe(25)
  expect(await admitted(100, () => link('ana@example.com', '203.0.113.9'))).toBe(5)
  expect(await admitted(100, (i) => link(`p${i}@example.com`, '203.0.113.9'))).toBe(25)
})

test('what a person must show once more is counted apart from what strangers try at the same address', async () => {
  await admitted(100, (i) => password('192.0.2.1', null, `p${i}@example.com`))
  expect(await admitted(20, async () => (await attempts.takeOfPerson(account)).window.admitted)).toBe(5)
})

const link = async (to: string, ip: string, device: string | null = null) =>
  (await attempts.takeLinkMail({ email: mailbox(to), from: { ip }, device })).window.admitted
const invite = async (to: string, by: Uuid = account) => (await attempts.takeInvitationMail(mailbox(to), by)).window.admitted

test('an address gets five links an hour by one network, fifteen by all, and five by a device that nobody else can use up; a network orders thirty', async () => {
  expect(await admitted(50, () => link('ana@example.com', '203.0.113.1'))).toBe(5)
  expect(await link('ana@example.com', '192.0.2.1')).toBe(true)
  expect(await admitted(50, (i) => link('ana@example.com', `198.51.${i}.1`))).toBe(9)
  expect(await admitted(50, () => link('ana@example.com', '192.0.2.1', 'her own device'))).toBe(5)
  expect(await admitted(50, (i) => link(`p${i}@example.com`, '203.0.113.2'))).toBe(30)
})

test('an address gets three invitations an hour of one account, twelve of all; an account sends fifty', async () => {
  const others = Array.from({ length: 20 }, (_, i) => `01900000-0000-7000-8000-0000000000${i + 10}` as Uuid)
  expect(await admitted(50, () => invite('ana@example.com'))).toBe(3)
  expect(await admitted(60, (i) => invite('ana@example.com', others[i % 20]))).toBe(9)
  clock.advance(3_600_000)
  expect(await admitted(100, (i) => invite(`p${i}@example.com`))).toBe(50)
})
