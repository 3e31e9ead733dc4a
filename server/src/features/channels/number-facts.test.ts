import { describe, expect, test } from 'vitest'
import type { NumberFields } from '../../platform/upstream/numbers.ts'
import { numberFacts } from './number-facts.ts'

const fields: NumberFields = {
  displayPhoneNumber: '+55 11 91234-5678',
  verifiedName: 'Padaria',
  nameStatus: 'APPROVED',
  qualityRating: 'GREEN',
  throughputLevel: 'STANDARD',
  managerMessagingLimit: 'TIER_2K',
  messagingLimitTier: 'TIER_1K',
  status: 'CONNECTED',
  platformType: 'CLOUD_API',
  isOfficialBusinessAccount: false,
  isOnBusinessApp: null,
}

describe('what a channel shows of a number', () => {
  test('the phone is digits only, and the limit of the portfolio wins over the old tier', () => {
    expect(numberFacts(fields)).toEqual({
      status: 'connected',
      disconnectedBecause: null,
      phone: '5511912345678',
      displayName: 'Padaria',
      nameStatus: 'APPROVED',
      quality: 'GREEN',
      throughput: 'STANDARD',
      messagingLimit: 'TIER_2K',
      officialBusinessAccount: false,
      onBusinessApp: false,
    })
    expect(numberFacts({ ...fields, managerMessagingLimit: null }).messagingLimit).toBe('TIER_1K')
  })

  test.each([
    ['GREEN', 'GREEN'],
    ['YELLOW', 'YELLOW'],
    ['RED', 'RED'],
    ['UNKNOWN', null],
    ['NA', null],
    [null, null],
  ])('the quality %s is shown as %s', (qualityRating, quality) => {
    expect(numberFacts({ ...fields, qualityRating }).quality).toBe(quality)
  })

  test.each([
    ['CONNECTED', 'CLOUD_API', 'connected'],
    ['CONNECTED', null, 'connected'],
    ['CONNECTED', 'NOT_APPLICABLE', 'disconnected'],
    ['CONNECTED', 'ON_PREMISE', 'disconnected'],
    ['PENDING', 'CLOUD_API', 'disconnected'],
    ['BANNED', 'CLOUD_API', 'disconnected'],
    [null, 'CLOUD_API', 'disconnected'],
  ] as const)('a number that is %s on the platform %s is %s, and says why when it is not', (status, platformType, expected) => {
    const facts = numberFacts({ ...fields, status, platformType })
    expect(facts.status).toBe(expected)
    expect(facts.disconnectedBecause === null).toBe(expected === 'connected')
  })
})
