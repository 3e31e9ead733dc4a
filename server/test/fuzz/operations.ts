import type { Document } from '../support/contract.ts'

export type Parameter = { name: string; schema: Document; required: boolean }

/** An operation of the document, as far as a request is made from it. */
export type Operation = {
  /** `POST /v1/messages` */
  name: string
  method: string
  /** With its placeholders: `/v1/messages/{id}`. */
  path: string
  pathParameters: readonly Parameter[]
  query: readonly Parameter[]
  headers: readonly Parameter[]
  body: { schema: Document; required: boolean; form: boolean } | null
}

/** Every operation that the document has. */
export function operationsOf(document: Document): Operation[] {
  return Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} /v1${path}`,
      method: method.toUpperCase(),
      path: `/v1${path}`,
      pathParameters: parametersIn(operation, 'path'),
      query: parametersIn(operation, 'query'),
      headers: parametersIn(operation, 'header'),
      body: bodyOf(operation),
    })),
  )
}

function parametersIn(operation: Document, place: string): Parameter[] {
  const parameters: Document[] = operation.parameters ?? []
  return parameters
    .filter((each) => each.in === place)
    .map(({ name, schema, required, example }) => ({
      name,
      schema: { ...schema, ...(example && { examples: [example] }) },
      required: required === true,
    }))
}

function bodyOf({ requestBody }: Document): Operation['body'] {
  if (requestBody === undefined) return null
  const [[type, media] = []] = Object.entries<Document>(requestBody.content)
  return media === undefined
    ? null
    : { schema: media.schema, required: requestBody.required === true, form: type === 'multipart/form-data' }
}
