import { type GraphError, parameterError } from './graph-error.ts'

/** The state of a WABA that can change while the simulator runs. `subscribed`: its notices go out. */
export type WabaState = {
  subscribed: boolean
  name: string
  currency: string
  timezoneId: string
  country: string
  accountReviewStatus: string
  businessVerificationStatus: string
  ownershipType: string
}

/** The state of a WABA of which nothing else is said. */
export const healthyWaba: WabaState = {
  subscribed: false,
  name: 'Simulated business',
  currency: 'USD',
  timezoneId: '1',
  country: 'US',
  accountReviewStatus: 'APPROVED',
  businessVerificationStatus: 'VERIFIED',
  ownershipType: 'SELF_OWNED',
}

const DEFAULT_FIELDS = ['name', 'currency', 'timezone_id', 'message_template_namespace']

/** The asked fields of a WABA, always with its id. `asked` is the comma-separated list of the query, or null for the default ones. */
export function wabaFields(id: string, waba: WabaState, asked: string | null): { [name: string]: unknown } | GraphError {
  const names = asked === null || asked === '' ? DEFAULT_FIELDS : asked.split(',').map((name) => name.trim())
  const all: { [name: string]: unknown } = {
    name: waba.name,
    currency: waba.currency,
    timezone_id: waba.timezoneId,
    message_template_namespace: `namespace_${id}`,
    country: waba.country,
    primary_business_location: waba.country,
    account_review_status: waba.accountReviewStatus,
    business_verification_status: waba.businessVerificationStatus,
    ownership_type: waba.ownershipType,
    health_status: { can_send_message: 'AVAILABLE', entities: [{ entity_type: 'WABA', id, can_send_message: 'AVAILABLE' }] },
  }
  const unknown = names.find((name) => name !== 'id' && !Object.hasOwn(all, name))
  if (unknown !== undefined) return parameterError(`Tried accessing nonexisting field (${unknown})`)
  return { ...Object.fromEntries(names.filter((name) => name !== 'id').map((name) => [name, all[name]])), id }
}
