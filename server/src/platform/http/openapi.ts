import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { reasons } from '../../base/reasons.ts'
import { consoleApi } from './answer.ts'
import type { Access, Audience } from './caller.ts'
import type { Schemas } from './document-examples.ts'
import { documentedHeaders, errorComponents, finishOperation, giveSamples, type Operation } from './document-operation.ts'
import { consoleAccount } from './route-guard.ts'
import { codesOf, errorSchema } from './schema.ts'

export type DocumentOptions = {
  /** Public addresses without /v1, the main one first. */
  servers: readonly { url: string; description: string }[]
  description: string
  contact: { name: string; url: string }
  /** What the tags of operations mean, in the order in which they are shown; one that no operation has is left out. */
  tags: readonly { name: string; description: string }[]
  /** The document's `webhooks`: what we post to others. */
  webhooks: Readonly<Record<string, { post: object }>>
  /** Components that no route refers to. */
  schemas: Readonly<Record<string, object>>
}

type Document = {
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Schemas }
  tags?: readonly { name: string }[]
  [key: string]: unknown
}

/** Collects every route under /v1 from here on, and serves the contract at `/openapi.json`. Written on first use. */
export function documentRoutes(app: FastifyInstance, options: DocumentOptions): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Messaging Gateway API',
        version: '1.0.0',
        description: options.description,
        contact: options.contact,
        license: { name: 'MIT', identifier: 'MIT' } as { name: string },
      },
      servers: options.servers.map(({ url, description }) => ({ url: versioned(url), description })),
      components: {
        securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: svc_live_… or svc_test_….' } },
        headers: { ...documentedHeaders },
      },
      security: [{ apiKey: [] }],
      tags: [...options.tags],
      // OpenAPI 3.1; the plug-in passes it through without having it in its types.
      ...({ webhooks: options.webhooks } as object),
    },
    stripBasePath: false,
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => (typeof json.$id === 'string' ? json.$id : `def-${i}`) },
    transform: ({ schema, url, route }) =>
      url.startsWith('/v1/')
        ? { schema: described(schema, route), url: url.slice('/v1'.length) }
        : { schema: { ...schema, hide: true }, url },
    transformObject: (written) => finished(('openapiObject' in written ? written.openapiObject : {}) as Document, options) as never,
  })

  // Bytes, which slow readers share; each of them would have a text of its own.
  let bytes: Buffer | null = null
  app.get('/openapi.json', async (_request, reply) => {
    bytes ??= Buffer.from(JSON.stringify(app.swagger()))
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('access-control-allow-origin', '*')
    return bytes
  })
}

/** What only the route knows and the plug-in would drop: who may call it, and which error codes its answers can have. */
function described(schema: FastifySchema & { description?: string }, route: RouteOptions): FastifySchema {
  const access = route.config?.access as Exclude<Audience, string> | undefined
  const responses = Object.entries((schema.response ?? {}) as Record<string, unknown>)
  const codes = Object.fromEntries(responses.map(([status, each]) => [status, codesOf(each)]).filter(([, listed]) => listed?.length !== 0))
  const security = [{ apiKey: access?.scope === undefined || access.scope === null ? [] : [access.scope] }]
  const sentences = [schema.description, access === undefined ? undefined : accessWords(access)]
  return {
    ...schema,
    description: sentences.filter((each) => each !== undefined).join('\n\n'),
    security,
    'x-codes': codes,
    ...(route.config?.warns === true ? { 'x-warns': true } : {}),
  } as FastifySchema
}

function accessWords({ scope, testKeys }: Access): string {
  const key = scope === null ? 'Any key' : `A key with the scope \`${scope}\``
  return `${key} may call it; test keys ${testKeys ? 'too' : 'may not'}.`
}

function finished(document: Document, options: DocumentOptions): Document {
  const schemas = { ...mentioned(document, options), ...options.schemas } as Schemas
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, each]) => Object.values(each).map((one) => [path, one] as const))
  const codes = new Set(operations.flatMap(([path, operation]) => finishOperation(path, operation, schemas)))
  for (const [path, each] of Object.entries(document.paths ?? {}))
    for (const [method, operation] of Object.entries(each)) giveSamples(`${baseOf(options)}${path}`, method, operation)
  for (const schema of Object.values(schemas)) mapDiscriminator(schema as Union, schemas)
  document.components = { ...document.components, schemas: { ...schemas, ...errorComponents(codes) } }
  const posts = Object.values(options.webhooks).map(({ post }): Operation => post)
  const used = new Set([...operations.map(([, operation]) => operation), ...posts].flatMap(({ tags = [] }) => tags))
  document.tags = (document.tags ?? []).filter(({ name }) => used.has(name))
  return document
}

const versioned = (url: string) => `${url.replace(/\/+$/, '')}/v1`
const baseOf = ({ servers }: DocumentOptions) => versioned(servers[0]?.url ?? '')

type Union = { discriminator?: { propertyName: string; mapping?: Record<string, string> }; oneOf?: readonly { $ref?: string }[] }
type Branch = { properties?: Record<string, { const?: unknown; enum?: readonly unknown[] }> }

/**
 * Says which branch each value of a discriminator means. By OpenAPI it is else the name of the schema, and clients that are generated could
 * send nothing. The validator reads the values themselves and refuses a mapping, so that it stands in the document only.
 */
function mapDiscriminator({ discriminator, oneOf = [] }: Union, schemas: Schemas): void {
  if (discriminator === undefined || discriminator.mapping !== undefined) return
  discriminator.mapping = Object.fromEntries(
    oneOf.map(({ $ref = '' }) => {
      const branch = schemas[$ref.split('/').at(-1) ?? ''] as Branch | undefined
      const tag = branch?.properties?.[discriminator.propertyName]
      return [String(tag?.const ?? tag?.enum?.[0]), $ref]
    }),
  )
}

/** Those of its schemas that the contract itself comes to: the plug-in lists those of the console's routes too. */
function mentioned({ components, paths }: Document, { webhooks, schemas }: DocumentOptions): Schemas {
  const known = components?.schemas ?? {}
  const found = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [, name = ''] of (JSON.stringify(value) ?? '').matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      follow(known[name])
    }
  }
  follow([paths, webhooks, schemas])
  return Object.fromEntries(Object.entries(known).filter(([name]) => found.has(name))) as Schemas
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The document of the console's own interface, for its types. */
    consoleDocument: () => object
  }
}

/** The console is also told by which reason something is refused, of those that there are; callers of the API are not. */
function withReasons(document: Document): Document {
  const params = { type: 'object', additionalProperties: { type: ['string', 'number'] } }
  const reason = {
    type: 'object',
    required: ['code', 'params'],
    properties: { code: { type: 'string', enum: Object.keys(reasons) }, params },
  }
  const { error } = errorSchema.properties
  const { details } = error.properties
  const items = { ...details.items, properties: { ...details.items.properties, reason } }
  const properties = { ...error.properties, reason, details: { ...details, items } }
  const shown = { type: 'object', required: ['error'], 'x-reasons': reasons, properties: { error: { ...error, properties } } }
  return { ...document, components: { ...document.components, schemas: { ...document.components?.schemas, Error: shown } as Schemas } }
}

/** The console's interface as its client wants it: what is on an account stands under `/account`, whichever that is. */
export function consoleDocumentRoutes(app: FastifyInstance): void {
  app.register(swagger, {
    decorator: 'consoleDocument' as 'swagger',
    openapi: { openapi: '3.1.0', info: { title: 'Interface of the console', version: '1.0.0' } },
    stripBasePath: false,
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => (typeof json.$id === 'string' ? json.$id : `def-${i}`) },
    transform: ({ schema, url }) =>
      url.startsWith(`${consoleApi}/`)
        ? { schema, url: url.startsWith(consoleAccount) ? url.replace(consoleAccount, '/account') : url.slice(consoleApi.length) }
        : { schema: { ...schema, hide: true }, url },
  })
  let bytes: Buffer | null = null
  app.get(`${consoleApi}/openapi.json`, { config: { access: 'anybody' }, schema: { hide: true } }, async (_request, reply) => {
    bytes ??= Buffer.from(JSON.stringify(withReasons(app.consoleDocument() as Document)))
    reply.header('content-type', 'application/json; charset=utf-8')
    return bytes
  })
}
