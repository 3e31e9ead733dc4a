import fc, { type Arbitrary } from 'fast-check'
import { changedBodies, changedBytes } from './change-body.ts'
import { changedHeaders, changedPaths, changedQueries } from './change-rest.ts'
import { formRequests } from './forms.ts'
import type { Operation, Parameter } from './operations.ts'
import { type FuzzRequest, fine, type Plain, request } from './request.ts'
import { type Context, mostly, valuesOf } from './values.ts'

export type Sources = Context & {
  /** What exists, by the parts of a path that placeholders follow: `webhooks/deliveries` has an id of each. */
  existing: Readonly<Record<string, readonly (readonly string[])[]>>
  /** Whether a body fits what the document says of this operation. */
  fits: (operation: Operation, body: unknown) => boolean
}

/** Requests to one operation: a third as the document wants them, the rest with one thing done to them. */
export function requestsOf(sources: Sources, operation: Operation): Arbitrary<FuzzRequest> {
  return plainRequests(sources, operation).chain((plain) => {
    const rest = [
      { weight: 3, arbitrary: changedQueries(plain) },
      { weight: 1, arbitrary: changedPaths(plain) },
    ]
    // A form is a thing of its own; without one, nothing else about such a request is right.
    if (operation.body?.form === true) return fc.oneof({ weight: 8, arbitrary: formRequests(plain) }, ...rest)
    const json = operation.method === 'GET' ? [] : jsonChanges(plain, (body) => sources.fits(operation, body))
    const untouched = { weight: 6, arbitrary: fc.constant(request(plain, 'as it should be', fine)) }
    return fc.oneof(untouched, { weight: 1, arbitrary: changedHeaders(plain) }, ...json, ...rest)
  })
}

function jsonChanges(plain: Plain, fits: (body: unknown) => boolean): { weight: number; arbitrary: Arbitrary<FuzzRequest> }[] {
  // Where none is read or sent, an empty one stands for it.
  const withBody = { ...plain, body: plain.body ?? {} }
  return [
    { weight: 6, arbitrary: changedBodies(withBody, fits) },
    { weight: 3, arbitrary: changedBytes(withBody) },
  ]
}

function plainRequests(sources: Sources, operation: Operation): Arbitrary<Plain> {
  const { body } = operation
  const bodies = body === null || body.form ? fc.constant(undefined) : valuesOf(sources, body.schema)
  return fc
    .record({
      path: pathsOf(sources, operation),
      query: valuesByName(sources, operation.query),
      headers: valuesByName(sources, operation.headers),
      body: body?.required === false ? fc.option(bodies, { nil: undefined }) : bodies,
    })
    .map(({ path, query, headers, body }) => ({ operation, path, query: Object.entries(query), headers, body }))
}

/** Mostly of what exists, else the document's examples, which nobody has. */
function pathsOf({ existing }: Sources, { path, pathParameters }: Operation): Arbitrary<string> {
  const key = [...path.matchAll(/([^/]+)\/\{/g)].map(([, before]) => before).join('/')
  const nobodys = pathParameters.map(({ schema }) => String(schema.examples?.[0]))
  return mostly(() => existing[key], nobodys).map((values) =>
    pathParameters.reduce((made, { name }, i) => made.replace(`{${name}}`, encodeURIComponent(values[i] ?? '')), path),
  )
}

function valuesByName(sources: Sources, parameters: readonly Parameter[]): Arbitrary<Record<string, string>> {
  const values = Object.fromEntries(
    parameters.map(({ name, schema }) => [
      name,
      valuesOf(sources, schema, name)
        .map(String)
        .filter((text) => text !== ''),
    ]),
  )
  return fc.record(values, { requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name) }) as Arbitrary<
    Record<string, string>
  >
}
