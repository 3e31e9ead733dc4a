import { expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import { createInboundQuota } from './inbound-quota.ts'

const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}` as Uuid
const sender = (account: number, contact: number) => ({ accountId: idOf(account), contactId: idOf(contact) })

// rule: media 7
test('one person’s files are bounded by day, and another person’s of the same account are not touched', () => {
  const clock = manualClock('2026-11-27T21:11:41.747Z')
  const quota = createInboundQuota(clock)
  quota.add(sender(1, 1), limits.inboundBytesPerPersonMax)
  expect([quota.allows(sender(1, 1)), quota.allows(sender(1, 2)), quota.allows(sender(2, 1))]).toEqual([false, true, true])
  clock.advance(24 * 3_600_000)
  expect(quota.allows(sender(1, 1))).toBe(true)
})

// rule: media 7
test('very many people who write to one account are bounded together, and another account is not touched', () => {
  const quota = createInboundQuota(manualClock('2026-11-27T21:11:41.747Z'))
  let people = 0
  while (quota.allows(sender(1, people + 1)) && people < 1_000) {
    people += 1
    quota.add(sender(1, people), 100 * 1024 * 1024)
  }
  expect(people).toBe(Math.ceil(limits.inboundBytesPerAccountMax / (100 * 1024 * 1024)))
  expect(quota.allows(sender(2, 1))).toBe(true)
})
