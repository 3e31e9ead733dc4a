import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../base/json.ts'
import { parseNotice } from './parse.ts'
import { readChange } from './read-change.ts'
import { readPreference } from './read-preference.ts'

const folder = new URL('../../../test/fixtures/notices/', import.meta.url)
const read = (field: string, value: object, entryId: string | null = '204') => {
  const entry = { ...(entryId === null ? {} : { id: entryId }), time: 1793000500, changes: [{ field, value }] }
  const [item] = parseNotice(Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry: [entry] })))
  if (item?.kind !== 'change') throw new Error(`a ${item?.kind}`)
  return readChange(item.change)
}
const facts = (field: string, value: object) => {
  const change = read(field, value)
  return change.kind === 'numbers' ? Object.fromEntries(change.facts.map((each) => [each.fact, each.value])) : change
}

describe('a change of a template', () => {
  const named = { message_template_name: 'aviso', message_template_language: 'pt-BR' }

  test.each([
    ['message_template_status_update', { event: 'PAUSED' }, 'template.status_updated'],
    ['message_template_status_update', { previous_quality_score: 'GREEN', new_quality_score: 'RED' }, 'template.quality_updated'],
    ['message_template_quality_update', { new_quality_score: 'RED' }, 'template.quality_updated'],
    ['template_category_update', { new_category: 'UTILITY', correct_category: 'MARKETING' }, 'template.category_updated'],
    ['message_template_status_update', { new_category: 'UTILITY' }, 'template.category_updated'],
    ['message_template_components_update', { message_template_element: 'Oi' }, 'template.components_updated'],
    ['message_template_components_update', { message_template_footer: 'Oi' }, 'template.components_updated'],
    ['message_template_status_update', {}, 'template.status_updated'],
  ])('%s with %j is %s: its keys count before its field', (field, value, type) => {
    expect(read(field, { ...named, ...value })).toMatchObject({ kind: 'template', wabaId: '204', type })
  })

  test.each([
    [{ ...named, new_category: 'UTILITY', correct_category: 'MARKETING' }, 'UTILITY'],
    [{ ...named, previous_category: 'UTILITY', new_category: 'MARKETING' }, 'MARKETING'],
    [{ ...named, event: 'APPROVED', message_template_category: 'AUTHENTICATION' }, 'AUTHENTICATION'],
    [{ ...named, event: 'DELETED' }, null],
    [{ ...named, message_template_name: 7, new_category: 'UTILITY' }, null],
    [{ ...named, new_category: '' }, null],
  ])('%j leaves the category %s', (value, category) => {
    const known = category === null ? null : { name: 'aviso', language: 'pt-BR', category }
    expect(read('template_category_update', value)).toMatchObject({ category: known })
  })
})

describe('a change of a number', () => {
  const number = { display_phone_number: '+1 555-010-4477' }

  test.each<[string, object, object]>([
    [
      'phone_number_quality_update',
      { event: 'THROUGHPUT_UPGRADE', max_daily_conversations_per_business: 'TIER_UNLIMITED' },
      { throughput: 'HIGH', messagingLimit: 'TIER_UNLIMITED' },
    ],
    ['phone_number_quality_update', { event: 'FLAGGED', current_limit: 'TIER_1K' }, { quality: 'RED', messagingLimit: 'TIER_1K' }],
    ['phone_number_quality_update', { event: 'ONBOARDING', max_daily_conversations_per_business: 250 }, { messagingLimit: 'TIER_250' }],
    ['phone_number_quality_update', { event: 'UPGRADE', current_limit: '100000' }, { messagingLimit: 'TIER_100K' }],
    ['phone_number_quality_update', { event: 'DOWNGRADE', current_limit: 'TIER_NOT_SET’; drop' }, {}],
    ['phone_number_name_update', { decision: 'APPROVED', requested_verified_name: 'Lua' }, { nameStatus: 'APPROVED', displayName: 'Lua' }],
    ['phone_number_name_update', { decision: 'REJECTED', requested_verified_name: 'Lua' }, { nameStatus: 'DECLINED' }],
    ['phone_number_name_update', { decision: 'DEFERRED' }, { nameStatus: 'PENDING_REVIEW' }],
    ['phone_number_name_update', { decision: 'APPROVED', requested_verified_name: null }, { nameStatus: 'APPROVED' }],
    ['phone_number_name_update', { decision: 'PONDERED' }, {}],
    ['business_capability_update', { max_daily_conversations_per_business: 2000 }, { messagingLimit: 'TIER_2K' }],
    ['business_capability_update', { max_daily_conversations_per_business: -1 }, { messagingLimit: 'TIER_UNLIMITED' }],
    ['business_capability_update', { max_phone_numbers_per_waba: 25 }, {}],
  ])('%s with %j tells %j', (field, value, expected) => {
    expect(facts(field, { ...number, ...value })).toEqual(expected)
  })

  test.each([
    ['phone_number_quality_update', number, { by: 'digits', digits: '15550104477', elseWaba: false }],
    ['phone_number_name_update', number, { by: 'digits', digits: '15550104477', elseWaba: false }],
    ['phone_number_name_update', { display_phone_number: 15550104477 }, { by: 'digits', digits: '15550104477', elseWaba: false }],
    ['account_alerts', { entity_type: 'PHONE_NUMBER', entity_id: '118' }, { by: 'id', phoneNumberId: '118' }],
    ['account_alerts', { entity_type: 'PHONE_NUMBER', entity_id: 118 }, { by: 'id', phoneNumberId: '118' }],
    ['account_alerts', { entity_type: 'BUSINESS', entity_id: '317' }, { by: 'waba' }],
    ['account_alerts', { entity_type: 'CURRENT_STATUS_ID', entity_id: '1' }, { by: 'waba' }],
    ['account_review_update', { decision: 'APPROVED' }, { by: 'waba' }],
  ])('%s of %j concerns %j', (field, value, whose) => {
    expect(read(field, value)).toMatchObject({ kind: 'numbers', whose })
  })

  test.each([{}, { display_phone_number: '' }, { display_phone_number: true }])('without a number (%j) it cannot be read', (value) => {
    for (const field of ['phone_number_quality_update', 'phone_number_name_update'])
      expect(read(field, value)).toEqual({ kind: 'unreadable', reason: 'it names no display_phone_number' })
  })

  test('without a business account it cannot be read', () => {
    expect(read('account_review_update', { decision: 'APPROVED' }, null)).toEqual({ kind: 'unreadable', reason: 'its entry has no id' })
  })
})

// rule: changes 4
describe('a change of a business account', () => {
  const because = (value: object) => {
    const change = read('account_update', value)
    return change.kind === 'numbers' ? (change.facts[0]?.value ?? null) : change.kind
  }

  test.each([
    [{ event: 'ACCOUNT_DELETED' }, 'The platform has told ACCOUNT_DELETED.'],
    [{ event: 'ACCOUNT_OFFBOARDED' }, 'The platform has told ACCOUNT_OFFBOARDED.'],
    [
      { event: 'PARTNER_REMOVED', disconnection_info: { reason: 'ACCOUNT_DISCONNECTED', initiated_by: 'USER' } },
      'The platform has told PARTNER_REMOVED (ACCOUNT_DISCONNECTED, USER).',
    ],
    [
      { event: 'PARTNER_REMOVED', disconnection_info: { reason: 'the person +55 11 98765', initiated_by: 7 } },
      'The platform has told PARTNER_REMOVED.',
    ],
    [{ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } }, 'The platform has told DISABLED_UPDATE.'],
    [{ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: ['DISABLE'] } }, 'The platform has told DISABLED_UPDATE.'],
    [{ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE' } }, null],
    [{ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: ['REINSTATE'] } }, null],
    [{ event: 'DISABLED_UPDATE' }, null],
    [{ event: 'VERIFIED_ACCOUNT' }, null],
    [{ event: 'ACCOUNT_RECONNECTED' }, null],
    [{ event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SPAM' } }, null],
  ])('%j disconnects with: %s', (value, reason) => {
    expect(because(value)).toBe(reason)
  })

  test.each([
    ...[
      'PARTNER_ADDED',
      'APP_INSTALLED',
      'APP_UNINSTALLED',
      'AD_ACCOUNT_LINKED',
      'MM_LITE_TERMS_SIGNED',
      'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE',
    ],
    ...[
      'VOLUME_BASED_PRICING_TIER_UPDATE',
      'BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE',
      'PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE',
      'NEW_ONE',
    ],
  ])('%s is nothing for us', (event) => {
    expect(because({ event })).toBe('passed_over')
  })

  test('is of the WABA inside it where the entry is of the business portfolio', () => {
    const value = { event: 'PARTNER_REMOVED', waba_info: { waba_id: '777', owner_business_id: '317' } }
    expect(read('account_update', value, '317')).toMatchObject({ wabaId: '777', whose: { by: 'waba' } })
  })

  test('that takes a number away names it alone; any other that names one of nobody here is about all of them', () => {
    expect(read('account_update', { event: 'PARTNER_REMOVED', phone_number: '1555' })).toMatchObject({
      whose: { by: 'digits', elseWaba: false },
    })
    expect(read('account_update', { event: 'VERIFIED_ACCOUNT', phone_number: '1555' })).toMatchObject({
      whose: { by: 'digits', elseWaba: true },
    })
  })
})

test('what upstream tells of security is for the operator', () => {
  expect(read('security', { event: 'PIN_RESET_REQUEST' })).toEqual({ kind: 'passed_over', alert: 'PIN_RESET_REQUEST' })
})

describe('a word about marketing', () => {
  const item = { wa_id: '15550107712', user_id: 'US.48120773650912', category: 'marketing_messages', value: 'stop', timestamp: 1793000600 }
  const word = (more: object, contact: JsonObject | null = null) => readPreference({ ...item, ...more } as JsonObject, contact)

  test('is read with its person, whose name stands beside it', () => {
    expect(word({}, { profile: { name: 'Maya' }, wa_id: '15550107712' })).toEqual({
      kind: 'preference',
      wanted: false,
      at: new Date(1793000600_000),
      person: { waId: '15550107712', userId: 'US.48120773650912', name: 'Maya' },
    })
  })

  test.each([
    [{ value: 'pause' }, 'it says neither stop nor resume'],
    [{ timestamp: 'yesterday' }, 'its timestamp is not in seconds'],
    [{ wa_id: 'nobody', user_id: '' }, 'it names nobody'],
  ])('with %j cannot be read', (more, reason) => {
    expect(word(more)).toEqual({ kind: 'unreadable', reason })
  })
})

test('whatever upstream’s bodies turn into, nothing throws', () => {
  const names = [
    'account-update-partner-removed',
    'phone-name-approved',
    'template-status-rejected',
    'business-capability',
    'user-preferences-stop',
  ]
  const bodies = names.map((name) => readFileSync(new URL(`${name}.json`, folder), 'utf8'))
  fc.assert(
    fc.property(fc.constantFrom(...bodies), fc.nat(), fc.jsonValue(), (body, place, value) => {
      const tokens = [...body.matchAll(/"(?:[^"\\]|\\.)*"|\d+|null/g)]
      const token = tokens[place % tokens.length]
      const at = token?.index ?? 0
      const mutated = body.slice(0, at) + JSON.stringify(value) + body.slice(at + (token?.[0].length ?? 0))
      for (const parsed of parseNotice(Buffer.from(mutated))) {
        if (parsed.kind === 'change') readChange(parsed.change)
        if (parsed.kind === 'preference') readPreference(parsed.preference, parsed.contact)
      }
    }),
    { numRuns: 2_000 },
  )
})
