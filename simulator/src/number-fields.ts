import { type GraphError, parameterError } from './graph-error.ts'
import type { NumberState } from './numbers.ts'

const DEFAULT_FIELDS = ['verified_name', 'code_verification_status', 'display_phone_number', 'quality_rating']

/** The asked fields of a number, always with its id. `asked` is the comma-separated list of the query, or null for the default ones. */
export function numberFields(
  number: NumberState,
  asked: string | null,
  callbackUrl: string | null,
): { [name: string]: unknown } | GraphError {
  const names = asked === null || asked === '' ? DEFAULT_FIELDS : asked.split(',').map((name) => name.trim())
  const all = allFields(number, callbackUrl)
  const unknown = names.find((name) => name !== 'id' && !Object.hasOwn(all, name))
  if (unknown !== undefined) return parameterError(`Tried accessing nonexisting field (${unknown})`)
  return { ...Object.fromEntries(names.filter((name) => name !== 'id').map((name) => [name, all[name]])), id: number.phoneNumberId }
}

function allFields(number: NumberState, callbackUrl: string | null): { [name: string]: unknown } {
  const able = number.registered && number.status === 'CONNECTED'
  return {
    display_phone_number: displayNumber(number.displayDigits),
    verified_name: number.verifiedName,
    name_status: number.nameStatus,
    quality_rating: number.qualityRating,
    throughput: { level: number.throughputLevel },
    whatsapp_business_manager_messaging_limit: number.messagingLimit,
    messaging_limit_tier: number.messagingLimit === 'TIER_2K' ? 'TIER_1K' : number.messagingLimit,
    status: number.status,
    account_mode: number.accountMode,
    platform_type: number.registered ? 'CLOUD_API' : 'NOT_APPLICABLE',
    is_official_business_account: number.isOfficialBusinessAccount,
    is_on_biz_app: number.isOnBizApp,
    is_pin_enabled: number.pin !== null,
    code_verification_status: number.codeVerificationStatus,
    webhook_configuration: callbackUrl === null ? {} : { application: callbackUrl },
    health_status: healthOf(number, able ? 'AVAILABLE' : 'BLOCKED'),
  }
}

function healthOf(number: NumberState, own: string): object {
  const entities = [
    { entity_type: 'PHONE_NUMBER', id: number.phoneNumberId, can_send_message: own },
    { entity_type: 'WABA', id: number.wabaId, can_send_message: 'AVAILABLE' },
  ]
  return { can_send_message: own, entities }
}

/** Numbers are shown with spaces and hyphens here, though notices carry digits only. */
function displayNumber(digits: string): string {
  const american = /^1(\d{3})(\d{3})(\d{4})$/.exec(digits)
  if (american !== null) return `+1 ${american[1]}-${american[2]}-${american[3]}`
  const brazilian = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(digits)
  return brazilian === null ? `+${digits}` : `+55 ${brazilian[1]} ${brazilian[2]}-${brazilian[3]}`
}
