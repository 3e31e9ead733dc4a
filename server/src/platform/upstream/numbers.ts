import type { Json, JsonObject } from '../../base/json.ts'
import { ok, type Result } from '../../base/result.ts'
import { type Graph, memberOf } from './graph.ts'
import { askUpstream, tellUpstream, type UpstreamFailure } from './manage.ts'

/** A number as upstream answers it; null: the field was not answered. */
export type NumberFields = {
  displayPhoneNumber: string | null
  verifiedName: string | null
  nameStatus: string | null
  qualityRating: string | null
  throughputLevel: string | null
  managerMessagingLimit: string | null
  messagingLimitTier: string | null
  status: string | null
  platformType: string | null
  isOfficialBusinessAccount: boolean | null
  isOnBusinessApp: boolean | null
}

export type NumberCall = { token: string; phoneNumberId: string }

const fields = [
  'display_phone_number',
  'verified_name',
  'name_status',
  'quality_rating',
  'throughput',
  'whatsapp_business_manager_messaging_limit',
  'messaging_limit_tier',
  'status',
  'platform_type',
  'is_official_business_account',
  'is_on_biz_app',
]

/** Reads a number, which also proves that the token may use it. */
export async function readNumber(graph: Graph, call: NumberCall): Promise<Result<NumberFields, UpstreamFailure>> {
  const path = `/${encodeURIComponent(call.phoneNumberId)}?fields=${fields.join(',')}`
  const answer = await askUpstream(graph, { method: 'GET', path, token: call.token })
  return answer.ok ? ok(numberFields(answer.value)) : answer
}

/** Asks upstream to send the notices of this business account to the app that the token belongs to. Harmless to repeat. */
export async function subscribeApp(graph: Graph, call: { token: string; wabaId: string }): Promise<Result<null, UpstreamFailure>> {
  const path = `/${encodeURIComponent(call.wabaId)}/subscribed_apps`
  return tellUpstream(graph, { method: 'POST', path, token: call.token })
}

/** Registers a number on the Cloud API; `pin` becomes its six digits of two-step verification, or must match them. Upstream allows 10 calls in 72 hours. */
export async function registerNumber(graph: Graph, call: NumberCall & { pin: string }): Promise<Result<null, UpstreamFailure>> {
  const path = `/${encodeURIComponent(call.phoneNumberId)}/register`
  const body = JSON.stringify({ messaging_product: 'whatsapp', pin: call.pin })
  return tellUpstream(graph, { method: 'POST', path, token: call.token, body })
}

function numberFields(body: JsonObject): NumberFields {
  return {
    displayPhoneNumber: textOf(body.display_phone_number),
    verifiedName: textOf(body.verified_name),
    nameStatus: textOf(body.name_status),
    qualityRating: textOf(body.quality_rating),
    throughputLevel: textOf(memberOf(body.throughput, 'level')),
    managerMessagingLimit: textOf(body.whatsapp_business_manager_messaging_limit),
    messagingLimitTier: textOf(body.messaging_limit_tier),
    status: textOf(body.status),
    platformType: textOf(body.platform_type),
    isOfficialBusinessAccount: booleanOf(body.is_official_business_account),
    isOnBusinessApp: booleanOf(body.is_on_biz_app),
  }
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)
const booleanOf = (value: Json | undefined): boolean | null => (typeof value === 'boolean' ? value : null)
