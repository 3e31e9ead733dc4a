import { type Json, type JsonObject, textOrDigits } from '../../base/json.ts'
import type { NumberChange, ReadChange, TemplateEventKind, Whose } from './change.ts'
import type { Change } from './notice.ts'
import { readAccountUpdate } from './read-account-update.ts'

const passedOver: ReadChange = { kind: 'passed_over', alert: null }

/** Reads a change of anything else than messages and preferences. Pure. Fields that are nothing for us, or not known, are passed over. */
export function readChange(change: Change): ReadChange {
  const read = readers[change.field]
  if (read === undefined) return passedOver
  return change.entryId === null ? { kind: 'unreadable', reason: 'its entry has no id' } : read(change.value, change.entryId, change.field)
}

type Reader = (value: JsonObject, wabaId: string, field: string) => ReadChange

const readers: Readonly<Record<string, Reader | undefined>> = {
  message_template_status_update: readTemplate,
  template_category_update: readTemplate,
  message_template_quality_update: readTemplate,
  message_template_components_update: readTemplate,
  phone_number_quality_update: readQuality,
  phone_number_name_update: readName,
  account_alerts: (value, wabaId) => numbers(wabaId, { whose: whoseAlert(value), check: 'those' }),
  account_update: readAccountUpdate,
  account_review_update: (_value, wabaId) => numbers(wabaId, { check: 'those' }),
  // Of all numbers of the portfolio, of which only this account's are named: the others are read.
  business_capability_update: (value, wabaId) =>
    numbers(wabaId, { facts: limitOf(value.max_daily_conversations_per_business), check: 'whole_account' }),
  security: ({ event }) => ({ kind: 'passed_over', alert: typeof event === 'string' ? event : 'unknown' }),
}

const numbers = (wabaId: string, said: Partial<Omit<NumberChange, 'kind' | 'wabaId'>>): NumberChange => ({
  ...{ kind: 'numbers', wabaId, whose: { by: 'waba' }, facts: [], check: 'none' },
  ...said,
})

const templateKinds: Readonly<Record<string, TemplateEventKind>> = {
  message_template_status_update: 'template.status_updated',
  template_category_update: 'template.category_updated',
  message_template_quality_update: 'template.quality_updated',
  message_template_components_update: 'template.components_updated',
}

/** Upstream's own sample has a change of quality under the field of the status: the keys say what it is, and only without them the field. */
function readTemplate(value: JsonObject, wabaId: string, field: string): ReadChange {
  const type = kindByKeys(value) ?? templateKinds[field]
  if (type === undefined) return passedOver
  return { kind: 'template', wabaId, type, category: categoryOf(value) }
}

function kindByKeys(value: JsonObject): TemplateEventKind | null {
  const has = (key: string) => value[key] !== undefined
  if (has('event')) return 'template.status_updated'
  if (has('new_quality_score')) return 'template.quality_updated'
  if (has('new_category')) return 'template.category_updated'
  return has('message_template_element') ? 'template.components_updated' : null
}

/** In a warning of a change to come, too, `new_category` is the one of now. Of a deleted template the last one stays: it is asked for no more. */
function categoryOf(value: JsonObject) {
  const { message_template_name: name, message_template_language: language } = value
  const category = value.new_category ?? value.message_template_category
  return typeof name === 'string' && typeof language === 'string' && typeof category === 'string' && category !== ''
    ? { name, language, category }
    : null
}

function readQuality(value: JsonObject, wabaId: string): ReadChange {
  const whose = whoseDigits(value)
  if (whose === null) return noNumber
  const { event } = value
  const throughput: NumberChange['facts'] = event === 'THROUGHPUT_UPGRADE' ? [{ fact: 'throughput', value: 'HIGH' }] : []
  // Upstream's older words: flagged is the lowest quality; after it any other may follow.
  const quality: NumberChange['facts'] = event === 'FLAGGED' ? [{ fact: 'quality', value: 'RED' }] : []
  const limit = limitOf(value.max_daily_conversations_per_business ?? value.current_limit)
  return numbers(wabaId, { whose, facts: [...throughput, ...quality, ...limit], check: event === 'UNFLAGGED' ? 'those' : 'none' })
}

/** Upstream's decisions in the words that it has for the state of a name. */
const nameStatuses: Readonly<Record<string, string | undefined>> = {
  APPROVED: 'APPROVED',
  REJECTED: 'DECLINED',
  PENDING: 'PENDING_REVIEW',
  DEFERRED: 'PENDING_REVIEW',
}

function readName(value: JsonObject, wabaId: string): ReadChange {
  const whose = whoseDigits(value)
  if (whose === null) return noNumber
  const { decision, requested_verified_name: requested } = value
  const status = typeof decision === 'string' ? nameStatuses[decision] : undefined
  if (status === undefined) return numbers(wabaId, { whose, check: 'those' })
  const named = decision === 'APPROVED' && typeof requested === 'string' && requested !== ''
  return numbers(wabaId, {
    whose,
    facts: [{ fact: 'nameStatus', value: status }, ...(named ? [{ fact: 'displayName' as const, value: requested }] : [])],
  })
}

const noNumber: ReadChange = { kind: 'unreadable', reason: 'it names no display_phone_number' }

function whoseDigits({ display_phone_number: number }: JsonObject): Whose | null {
  const digits = (textOrDigits(number) ?? '').replaceAll(/\D/g, '')
  return digits === '' ? null : { by: 'digits', digits, elseWaba: false }
}

function whoseAlert({ entity_type: type, entity_id: id }: JsonObject): Whose {
  const text = typeof id === 'string' ? id : JSON.stringify(id ?? null)
  return type === 'PHONE_NUMBER' ? { by: 'id', phoneNumberId: text } : { by: 'waba' }
}

const tiers: Readonly<Record<string, string | undefined>> = {
  '-1': 'TIER_UNLIMITED',
  '50': 'TIER_50',
  '250': 'TIER_250',
  '1000': 'TIER_1K',
  '2000': 'TIER_2K',
  '10000': 'TIER_10K',
  '100000': 'TIER_100K',
}

/** A name of a tier, or the number of people that it stands for; anything else says nothing. */
function limitOf(value: Json | undefined): NumberChange['facts'] {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  const tier = /^TIER_[A-Z0-9_]{1,32}$/.test(text) ? text : tiers[text]
  return tier === undefined ? [] : [{ fact: 'messagingLimit', value: tier }]
}
