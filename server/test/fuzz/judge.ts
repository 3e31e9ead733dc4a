import type { Answer } from '../support/caller.ts'
import type { Contract } from '../support/contract.ts'
import type { FuzzRequest } from './request.ts'

/** Refusals of a request that fits the document, by operation and field: what its schemas cannot say. Each has its reason. */
const beyondTheDocument: Readonly<Record<string, readonly string[]>> = {}

/** Throws where an answer breaks what holds for every answer, or for this request. Answers the contract's name of it, if it has one. */
export function judge(contract: Contract, { method, path, expected }: FuzzRequest, { status, headers, body }: Answer): string | null {
  if (!/^req_[0-9a-f]{32}$/.test(headers['request-id'] ?? '')) throw new Error('it has no Request-Id')
  if (status === 500) throw new Error('it is a fault of ours')
  const [plainPath = ''] = path.split(/[?#]/)
  const isOurs = plainPath.startsWith('/v1/')
  if (isOurs) {
    for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
      if (!/^[0-9]+$/.test(headers[name] ?? '')) throw new Error(`it lacks ${name}`)
  }
  if (method === 'HEAD') return null
  const name = isOurs ? contract.check({ method, path: plainPath, status, body, headers }) : null
  if (!isOurs && status >= 400) contract.checkSchema('Error', body)
  if (status === 400) checkDetails(body)
  if (expected.kind === 'fine' && isRefusal(status) && !isBeyond(name ?? '', body)) throw new Error('it fits the document, and is refused')
  if (expected.kind === 'refused' && status !== 400) throw new Error('it does not fit the document, and is not refused')
  if (expected.kind === 'refused' && expected.field !== null) checkField(expected.field, body)
  return name
}

const isRefusal = (status: number) => [400, 401, 403, 405, 406, 413, 415].includes(status)

type Detail = { field?: string; message: string }

const detailsOf = (body: unknown) => (body as { error: { details?: readonly Detail[] } }).error.details ?? []

function checkDetails(body: unknown): void {
  for (const { field, message } of detailsOf(body)) if (field === '' || message === '') throw new Error('a detail says nothing')
}

/** Some detail is about the field that was changed, about what it stands in, or about a part of it. */
function checkField(field: string, body: unknown): void {
  const fields = detailsOf(body).map((each) => each.field ?? '')
  if (fields.length === 0) throw new Error(`no details, of which one should name ${field}`)
  if (!fields.some((each) => each.startsWith(field) || field.startsWith(each)))
    throw new Error(`its details name ${fields.join(', ')}, not ${field}`)
}

function isBeyond(name: string, body: unknown): boolean {
  const [method = '', path = ''] = name.split(' ')
  const allowed = beyondTheDocument[`${method} ${path}`] ?? []
  const fields = detailsOf(body).map((each) => each.field ?? '')
  return fields.length > 0 && fields.every((field) => allowed.some((each) => field === each || field.startsWith(`${each}.`)))
}
