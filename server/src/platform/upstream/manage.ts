import { isObject, type JsonObject } from '../../base/json.ts'
import { type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { type Graph, type GraphAnswer, type GraphRequest, parsed, readGraphError } from './graph.ts'

/** Upstream refused a call (`code` is its own, null where it gave none), or could not be reached (`reached` false). */
export type UpstreamFailure = { reached: boolean; code: number | null; message: string }

/** One call whose answer somebody waits for: a JSON object, or why there is none. For sends, whose outcome can be unknown, see `send.ts`. */
export async function askUpstream(graph: Graph, request: GraphRequest): Promise<Result<JsonObject, UpstreamFailure>> {
  return readAnswer(await graph.call(request))
}

/** The same for calls that answer no more than `{"success": true}`. */
export async function tellUpstream(graph: Graph, request: GraphRequest): Promise<Result<null, UpstreamFailure>> {
  const answer = await askUpstream(graph, request)
  if (!answer.ok) return answer
  return answer.value.success === true ? ok(null) : refused({ reached: true, code: null, message: 'It did not report success.' })
}

/** The 502 of an operation that upstream refused or did not answer; `details` carry its code and words. */
export function upstreamRefusal(failure: UpstreamFailure): Refusal {
  if (!failure.reached) return refusal('meta_error', 'The upstream platform could not be reached. Try again later.')
  const detail = { message: failure.message, ...(failure.code === null ? {} : { code: failure.code }) }
  return refusal('meta_error', `The upstream platform refused this: ${failure.message}`, [detail])
}

function readAnswer(answer: GraphAnswer): Result<JsonObject, UpstreamFailure> {
  if (answer.kind !== 'answer') return refused({ reached: false, code: null, message: answer.because })
  const body = parsed(answer.body)
  const error = readGraphError(answer.body)
  if (error !== null) return refused({ reached: true, code: error.code, message: error.message })
  if (answer.statusCode < 200 || answer.statusCode > 299 || !isObject(body))
    return refused({ reached: true, code: null, message: `It answered ${answer.statusCode} in a form that is not the Graph API's.` })
  return ok(body)
}
