import { describe, expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import { refusalFor, type SendFacts } from './rules.ts'

const clock = manualClock('2026-03-02T12:00:00.000Z')
const hoursAgo = (hours: number, ms = 0) => new Date(clock.now().getTime() - hours * 3_600_000 + ms)

const fine: SendFacts = {
  accountSuspended: false,
  missing: null,
  channels: 1,
  channelNamed: false,
  channelConnected: true,
  lastInboundAt: hoursAgo(1),
  optedOut: false,
  templateCategory: null,
  windowAlways: null,
}
const text = (facts: Partial<SendFacts> = {}) => refusalFor(false, { ...fine, ...facts }, clock.now())
const template = (facts: Partial<SendFacts> = {}) => refusalFor(true, { ...fine, ...facts }, clock.now())

describe('the order of refusals', () => {
  test('is the contract order: each reason hides those after it', () => {
    const missing = { what: 'person', field: 'to' } as const
    const all: Partial<SendFacts> = { accountSuspended: true, missing, channels: 2, channelConnected: false, lastInboundAt: null }
    expect(text(all)).toBe('account_suspended')
    expect(text({ ...all, accountSuspended: false })).toBe('not_found')
    expect(text({ ...all, accountSuspended: false, missing: null })).toBe('channel_ambiguous')
    expect(text({ ...all, accountSuspended: false, missing: null, channelNamed: true })).toBe('channel_not_connected')
    expect(text({ ...all, accountSuspended: false, missing: null, channels: 1 })).toBe('channel_not_connected')
    expect(text({ lastInboundAt: null })).toBe('outside_customer_service_window')
    expect(text()).toBeNull()
  })

  test('an account without a number has nothing to send from', () => {
    expect(text({ channels: 0, channelConnected: false })).toBe('channel_not_connected')
  })

  test('disconnected numbers count towards ambiguity', () => {
    expect(text({ channels: 2, channelConnected: true })).toBe('channel_ambiguous')
  })
})

// rule: send 9
describe('a person who has opted out', () => {
  test.each([
    ['MARKETING', 'recipient_opted_out'],
    [null, 'recipient_opted_out'],
    ['UTILITY', null],
    ['AUTHENTICATION', null],
  ])('a template of the category %s: %s', (templateCategory, refused) => {
    expect(template({ optedOut: true, templateCategory })).toBe(refused)
    expect(template({ optedOut: false, templateCategory })).toBeNull()
  })

  test('still gets everything that is no template, and comes last in the order of refusals', () => {
    expect(text({ optedOut: true, templateCategory: 'MARKETING' })).toBeNull()
    expect(template({ optedOut: true, templateCategory: 'MARKETING', channelConnected: false })).toBe('channel_not_connected')
  })
})

describe('the 24-hour window', () => {
  // rule: send 3
  test('is open until the last millisecond and closed at exactly 24 hours', () => {
    expect(text({ lastInboundAt: hoursAgo(24, 1) })).toBeNull()
    expect(text({ lastInboundAt: hoursAgo(24) })).toBe('outside_customer_service_window')
  })

  test('never stops a template', () => {
    expect(template({ lastInboundAt: null })).toBeNull()
    expect(template({ channelConnected: false })).toBe('channel_not_connected')
  })

  test('of a test key is open, but for the number that asks for a closed one', () => {
    expect(text({ lastInboundAt: null, windowAlways: 'open' })).toBeNull()
    expect(text({ windowAlways: 'closed' })).toBe('outside_customer_service_window')
  })
})
