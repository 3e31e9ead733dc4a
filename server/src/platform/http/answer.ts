import type { Refusal, RefusalCode } from '../../base/refusal.ts'
import { REFUSALS } from '../../base/refusal.ts'
import type { Result } from '../../base/result.ts'

/** As much of a reply as answering needs: a route's reply, whatever its schema, is one. */
export type AnyReply = {
  readonly request: { readonly id: string; readonly url?: string; refusedWith: RefusalCode | null }
  code(status: number): unknown
  header(name: string, value: string): unknown
  send(payload: never): unknown
}

/** The console's own interface. */
export const consoleApi = '/console/api'

const json = 'application/json; charset=utf-8'

/** The contract's error, as the bytes that go out. `withReasons`: the console is told by what reason it can say it itself. */
export function errorBody(refusal: Refusal, requestId: string, withReasons = false): string {
  const { code, message, details, reason } = refusal
  const told = details?.map(({ reason: why, ...rest }) => ({ ...rest, ...(withReasons && why !== undefined ? { reason: why } : {}) }))
  return JSON.stringify({
    error: {
      ...{ code, message },
      ...(withReasons && reason !== undefined ? { reason } : {}),
      ...(told === undefined ? {} : { details: told }),
      request_id: requestId,
    },
  })
}

/** Answers with the contract's error. A handler returns what this returns. */
export function refuse(reply: AnyReply, refusal: Refusal): never {
  reply.request.refusedWith = refusal.code
  reply.code(REFUSALS[refusal.code])
  reply.header('content-type', json)
  // Already text, so no schema of the route applies to it: an error can always be said.
  reply.send(errorBody(refusal, reply.request.id, reply.request.url?.startsWith(consoleApi) === true) as never)
  // Fastify takes the reply itself as "answered already"; to the types, nothing is returned.
  return reply as never
}

/** Answers with the value, in `status`, or with the refusal. A handler returns what this returns. */
export function answer<Value>(reply: AnyReply, result: Result<Value, Refusal>, status = 200): Value {
  if (!result.ok) return refuse(reply, result.refusal)
  reply.code(status)
  return result.value
}
