import type { Operation } from './operations.ts'

/**
 * What must come of a request: `fine` is never refused for its form, `refused` always is, with a 400 that names `field` where there is
 * one, and of `open` nothing is known but what holds for every answer.
 */
export type Expected = { kind: 'fine' | 'open' } | { kind: 'refused'; field: string | null }

/** A request as it goes out. */
export type FuzzRequest = {
  /** What was done to it, for the report. */
  what: string
  method: string
  /** With its query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: string | Buffer | null
  expected: Expected
}

/** A request that fits the document, before anything is done to it. */
export type Plain = {
  operation: Operation
  path: string
  query: readonly (readonly [name: string, value: string])[]
  headers: Readonly<Record<string, string>>
  /** Undefined: none. */
  body: unknown
}

export type Changes = Partial<Omit<FuzzRequest, 'what' | 'expected' | 'path'>> & {
  path?: string
  query?: Plain['query']
  /** Appended as it stands. */
  rawQuery?: string
}

export const fine: Expected = { kind: 'fine' }
export const open: Expected = { kind: 'open' }
export const refused = (field: string | null): Expected => ({ kind: 'refused', field })

/** The request with something changed. */
export function request(plain: Plain, what: string, expected: Expected, changes: Changes = {}): FuzzRequest {
  const body = changes.body === undefined ? (plain.body === undefined ? null : JSON.stringify(plain.body)) : changes.body
  const search =
    changes.rawQuery ??
    new URLSearchParams((changes.query ?? plain.query).map(([name, value]): [string, string] => [name, value])).toString()
  const path = changes.path ?? plain.path
  return {
    what,
    method: changes.method ?? plain.operation.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...plain.headers, ...changes.headers },
    body,
    expected,
  }
}
