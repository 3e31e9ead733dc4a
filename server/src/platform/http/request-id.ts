import { newUuid, type Uuid } from '../../base/id.ts'

/** The name of one call: in the answer's `Request-Id`, in its error, in every log line and in the request log. */
export type RequestId = `req_${string}`

// rule: requests 4
export function newRequestId(now: Date): RequestId {
  return `req_${newUuid(now).replaceAll('-', '')}`
}

/** The uuid inside: the request log's row has it as its id. */
export function uuidOfRequestId(id: RequestId): Uuid {
  const hex = id.slice(4)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Uuid
}
