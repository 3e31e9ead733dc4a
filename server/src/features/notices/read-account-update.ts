import { isObject, type Json, type JsonObject, textOrDigits } from '../../base/json.ts'
import type { ReadChange, Whose } from './change.ts'

/** `disconnects`: its numbers cannot be used any more. `tells`: what it means for them is read from upstream. */
const kinds: Readonly<Record<string, 'disconnects' | 'tells' | undefined>> = {
  ACCOUNT_DELETED: 'disconnects',
  ACCOUNT_OFFBOARDED: 'disconnects',
  PARTNER_REMOVED: 'disconnects',
  ACCOUNT_RECONNECTED: 'tells',
  ACCOUNT_RESTRICTION: 'tells',
  ACCOUNT_VIOLATION: 'tells',
  DISABLED_UPDATE: 'tells',
  VERIFIED_ACCOUNT: 'tells',
}

/** Reads a change of a business account. Those of partners, prices and terms are nothing for us. */
export function readAccountUpdate(value: JsonObject, entryId: string): ReadChange {
  const event = typeof value.event === 'string' ? value.event : ''
  const kind = event === 'DISABLED_UPDATE' && isDisabled(value.ban_info) ? 'disconnects' : kinds[event]
  if (kind === undefined) return { kind: 'passed_over', alert: null }
  // Of some the entry is the business portfolio.
  const inside = textOrDigits(isObject(value.waba_info) ? value.waba_info.waba_id : undefined)
  const common = { kind: 'numbers', wabaId: inside ?? entryId } as const
  if (kind === 'tells') return { ...common, whose: whoseOf(value, true), facts: [], check: 'those' }
  return {
    ...common,
    whose: whoseOf(value, false),
    facts: [{ fact: 'disconnectedBecause', value: reasonOf(event, value) }],
    check: 'none',
  }
}

/** rule: changes 1. Where a number is named it is that one's: another account's must not be shown it. */
function whoseOf({ phone_number: number }: JsonObject, elseWaba: boolean): Whose {
  const digits = (textOrDigits(number) ?? '').replaceAll(/\D/g, '')
  return digits === '' ? { by: 'waba' } : { by: 'digits', digits, elseWaba }
}

/** A ban that is only announced, or taken back, leaves the numbers as they are. The state comes as a text or as a list. */
function isDisabled(info: Json | undefined): boolean {
  const state = isObject(info) ? info.waba_ban_state : undefined
  return [state].flat().includes('DISABLE')
}

function reasonOf(event: string, { disconnection_info: info }: JsonObject): string {
  const more = isObject(info) ? [info.reason, info.initiated_by].flatMap(wordOf) : []
  return `The platform has told ${event}${more.length === 0 ? '' : ` (${more.join(', ')})`}.`
}

/** Only upstream's own words; what else may stand there is nothing for a reason. */
const wordOf = (value: Json | undefined): string[] => (typeof value === 'string' && /^[A-Z0-9_]{1,64}$/.test(value) ? [value] : [])
