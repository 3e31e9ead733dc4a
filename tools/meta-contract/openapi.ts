import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'

/** A JSON Schema as it stands in an OpenAPI file. */
export type Schema = { readonly [keyword: string]: unknown }

/** One operation of the file, found for a call. `name` is short, as differences are told: `POST messages`. */
export type Operation = { name: string; request: (contentType: string) => Schema | null; answer: (status: number) => Schema | null }

/** An OpenAPI file, read once. */
export type OpenApi = {
  schema(name: string): Schema | null
  /** The schema behind a reference, or the schema itself when it is none. */
  resolve(schema: Schema): Schema
  /** The operation at a path such as `/{Version}/{Media-ID}`, or null when the file has none. */
  operation(method: string, path: string): Operation | null
}

/** Reads the file. Throws when it is not OpenAPI. */
export async function readOpenApi(file: string): Promise<OpenApi> {
  const document: unknown = parse(await readFile(file, 'utf8'))
  if (!isSchema(document) || !isSchema(document.paths)) throw new Error(`${file} is not an OpenAPI file.`)
  return openApiOf(document)
}

/** The same for a document that is already read. */
export function openApiOf(document: Schema): OpenApi {
  const at = (pointer: string): Schema | null => {
    const steps = pointer.replace(/^#\//, '').split('/')
    const found = steps.reduce<unknown>(
      (value, step) => (isSchema(value) ? value[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      document,
    )
    return isSchema(found) ? found : null
  }
  const resolve = (schema: Schema, depth = 0): Schema => {
    if (typeof schema.$ref !== 'string' || depth > 20) return schema
    return resolve(at(schema.$ref) ?? {}, depth + 1)
  }
  const schemaOf = (part: unknown, contentType: string): Schema | null => {
    const content = isSchema(part) ? resolve(part).content : null
    const media = isSchema(content) ? content[contentType] : null
    return isSchema(media) && isSchema(media.schema) ? media.schema : null
  }
  return {
    schema: (name) => at(`#/components/schemas/${name}`),
    resolve,
    operation: (method, path) => {
      const operation = at(`#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`)
      if (operation === null) return null
      const responses = isSchema(operation.responses) ? operation.responses : {}
      return {
        name: `${method} ${path.split('/').at(-1)}`,
        request: (contentType) => schemaOf(operation.requestBody, contentType),
        answer: (status) => schemaOf(responses[String(status)], 'application/json'),
      }
    },
  }
}

/** True for an object that is no list. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
