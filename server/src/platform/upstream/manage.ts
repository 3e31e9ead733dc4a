import { isObject, type JsonObject } from '../../base/json.ts'
import { because, type Detail, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { type Graph, type GraphAnswer, type GraphError, type GraphRequest, parsed, readGraphError } from './graph.ts'

/**
 * Upstream refused a call (`code` is its own, null where it gave none), or could not be reached (`reached` false). `explained` is a
 * second sentence, for people, where it gave one.
 */
export type UpstreamFailure = { reached: boolean; code: number | null; message: string; explained?: Detail }

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
  if (!failure.reached)
    return refusal('meta_error', because('upstream_unreachable', 'The upstream platform could not be reached. Try again later.'))
  const detail = { message: failure.message, ...(failure.code === null ? {} : { code: failure.code }) }
  const details = failure.explained === undefined ? [detail] : [detail, failure.explained]
  return refusal('meta_error', because('upstream_refused', `The upstream platform refused this: ${failure.message}`), details)
}

/** Of upstream's errors those that it also gives after it has acted. */
const unclearCodes: readonly number[] = [1, 131000]

/** Whether a call that changes something may have been done although it failed. */
export function mayHaveHappened({ reached, code }: UpstreamFailure): boolean {
  return !reached || code === null || unclearCodes.includes(code)
}

function readAnswer(answer: GraphAnswer): Result<JsonObject, UpstreamFailure> {
  if (answer.kind !== 'answer') return refused({ reached: false, code: null, message: answer.because })
  const body = parsed(answer.body)
  const error = readGraphError(answer.body)
  if (error !== null) return refused(failureOf(error))
  if (answer.statusCode < 200 || answer.statusCode > 299 || !isObject(body))
    return refused({ reached: true, code: null, message: `It answered ${answer.statusCode} in a form that is not the Graph API's.` })
  return ok(body)
}

function failureOf({ code, message, explained }: GraphError): UpstreamFailure {
  if (explained === null) return { reached: true, code, message }
  const { subcode, message: words } = explained
  // Written for people, in the language of their account: the one thing that says what to change.
  const { reason } = because('platform_says', words, { words })
  return { reached: true, code, message, explained: { message: words, reason, ...(subcode === null ? {} : { code: subcode }) } }
}
