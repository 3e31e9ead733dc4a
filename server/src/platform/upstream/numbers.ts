import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { type Graph, type GraphAnswer, type GraphRequest, memberOf, parsed, readGraphError } from './graph.ts'

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

/** Upstream refused a management call (`code` is its own, null where it gave none), or could not be reached (`reached` false). */
export type NumberFailure = { reached: boolean; code: number | null; message: string }

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
export async function readNumber(graph: Graph, call: NumberCall): Promise<Result<NumberFields, NumberFailure>> {
  const path = `/${encodeURIComponent(call.phoneNumberId)}?fields=${fields.join(',')}`
  const answer = await ask(graph, { method: 'GET', path, token: call.token })
  return answer.ok ? ok(numberFields(answer.value)) : answer
}

/** Asks upstream to send the notices of this business account to the app that the token belongs to. Harmless to repeat. */
export async function subscribeApp(graph: Graph, call: { token: string; wabaId: string }): Promise<Result<null, NumberFailure>> {
  const path = `/${encodeURIComponent(call.wabaId)}/subscribed_apps`
  return done(await ask(graph, { method: 'POST', path, token: call.token }))
}

/** Registers a number on the Cloud API; `pin` becomes its six digits of two-step verification, or must match them. Upstream allows 10 calls in 72 hours. */
export async function registerNumber(graph: Graph, call: NumberCall & { pin: string }): Promise<Result<null, NumberFailure>> {
  const path = `/${encodeURIComponent(call.phoneNumberId)}/register`
  const body = JSON.stringify({ messaging_product: 'whatsapp', pin: call.pin })
  return done(await ask(graph, { method: 'POST', path, token: call.token, body }))
}

async function ask(graph: Graph, request: GraphRequest): Promise<Result<JsonObject, NumberFailure>> {
  return readAnswer(await graph.call(request))
}

function readAnswer(answer: GraphAnswer): Result<JsonObject, NumberFailure> {
  if (answer.kind !== 'answer') return refused({ reached: false, code: null, message: answer.because })
  const body = parsed(answer.body)
  const error = readGraphError(answer.body)
  if (error !== null) return refused({ reached: true, code: error.code, message: error.message })
  if (answer.statusCode < 200 || answer.statusCode > 299 || !isObject(body))
    return refused({ reached: true, code: null, message: `It answered ${answer.statusCode} in a form that is not the Graph API's.` })
  return ok(body)
}

function done(answer: Result<JsonObject, NumberFailure>): Result<null, NumberFailure> {
  if (!answer.ok) return answer
  return answer.value.success === true ? ok(null) : refused({ reached: true, code: null, message: 'It did not report success.' })
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
