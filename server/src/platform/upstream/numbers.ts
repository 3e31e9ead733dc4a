import type { Json, JsonObject } from '../../base/json.ts'
import { ok, type Result, refused } from '../../base/result.ts'
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

/** `deadlineMs` is for the whole call; left out: as long as a call may take. */
export type NumberCall = { token: string; phoneNumberId: string; deadlineMs?: number }

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
  const answer = await askUpstream(graph, { method: 'GET', path, ...secretOf(call) })
  return answer.ok ? ok(numberFields(answer.value)) : answer
}

/** Asks upstream to send the notices of this business account to the app that the token belongs to. Harmless to repeat. */
export async function subscribeApp(graph: Graph, call: { token: string; wabaId: string }): Promise<Result<null, UpstreamFailure>> {
  const path = `/${encodeURIComponent(call.wabaId)}/subscribed_apps`
  return tellUpstream(graph, { method: 'POST', path, token: call.token })
}

/** The ids of the apps that get the notices of this business account; '' for one that upstream does not name. */
export async function readSubscribedApps(
  graph: Graph,
  call: { token: string; wabaId: string; deadlineMs?: number },
): Promise<Result<string[], UpstreamFailure>> {
  const path = `/${encodeURIComponent(call.wabaId)}/subscribed_apps`
  const answer = await askUpstream(graph, { method: 'GET', path, ...secretOf(call) })
  if (!answer.ok) return answer
  const { data } = answer.value
  if (!Array.isArray(data)) return refused({ reached: true, code: null, message: 'It answered no list of apps.' })
  return ok(data.map((each) => textOf(memberOf(memberOf(each, 'whatsapp_business_api_data'), 'id')) ?? ''))
}

const numbersPerPage = 100
const numberPagesMax = 100

/** Whether the number is one of this business account's, over all of upstream's pages. */
export async function wabaHasNumber(graph: Graph, call: NumberCall & { wabaId: string }): Promise<Result<boolean, UpstreamFailure>> {
  const path = `/${encodeURIComponent(call.wabaId)}/phone_numbers?fields=id&limit=${numbersPerPage}`
  let after = ''
  for (let pages = 0; pages < numberPagesMax; pages += 1) {
    const answer = await askUpstream(graph, { method: 'GET', path: `${path}${after}`, token: call.token })
    if (!answer.ok) return answer
    const { data, paging } = answer.value
    if (!Array.isArray(data)) return refused({ reached: true, code: null, message: 'It answered no list of numbers.' })
    if (data.some((each) => memberOf(each, 'id') === call.phoneNumberId)) return ok(true)
    // On the last page there is a cursor still, but no address of a next page.
    const cursor = textOf(memberOf(memberOf(paging, 'cursors'), 'after'))
    if (textOf(memberOf(paging, 'next')) === null || cursor === null) return ok(false)
    after = `&after=${encodeURIComponent(cursor)}`
  }
  return refused({ reached: true, code: null, message: 'It gave more pages of numbers than can be.' })
}

/** Registers a number on the Cloud API; `pin` becomes its six digits of two-step verification, or must match them. Upstream allows 10 calls in 72 hours. */
export async function registerNumber(graph: Graph, call: NumberCall & { pin: string }): Promise<Result<null, UpstreamFailure>> {
  const path = `/${encodeURIComponent(call.phoneNumberId)}/register`
  const body = JSON.stringify({ messaging_product: 'whatsapp', pin: call.pin })
  return tellUpstream(graph, { method: 'POST', path, token: call.token, body })
}

const secretOf = ({ token, deadlineMs }: { token: string; deadlineMs?: number }) =>
  deadlineMs === undefined ? { token } : { token, deadlineMs }

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
