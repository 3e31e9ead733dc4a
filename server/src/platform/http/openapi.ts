import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'

export type DocumentOptions = {
  /** Public addresses without /v1, the main one first. */
  servers: readonly string[]
  /** The document's `webhooks`: what we post to others. */
  webhooks: Readonly<Record<string, unknown>>
  description: string
}

type Operation = { requestBody?: { required?: boolean; content?: Record<string, { schema?: Schema }> }; responses?: Record<string, Answer> }
type Schema = { type?: unknown; properties?: object }
type Answer = { description: string; headers?: object }
type Document = { paths?: Record<string, Record<string, Operation>>; [key: string]: unknown }

/** Collects every route under /v1 from here on, and serves the contract at `/openapi.json`. Written on first use. */
export function documentRoutes(app: FastifyInstance, options: DocumentOptions): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Messaging Gateway API', version: '1.0.0', description: options.description },
      servers: options.servers.map((server) => ({ url: `${server.replace(/\/+$/, '')}/v1` })),
      components: {
        securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: svc_live_… or svc_test_….' } },
        headers: { ...documentedHeaders },
      },
      security: [{ apiKey: [] }],
      // OpenAPI 3.1; the plug-in passes it through without having it in its types.
      ...({ webhooks: options.webhooks } as object),
    },
    stripBasePath: false,
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => (typeof json.$id === 'string' ? json.$id : `def-${i}`) },
    transform: ({ schema, url }) =>
      url.startsWith('/v1/') ? { schema, url: url.slice('/v1'.length) } : { schema: { ...schema, hide: true }, url },
    transformObject: (written) => finished(('openapiObject' in written ? written.openapiObject : {}) as Document) as never,
  })

  let text: string | null = null
  app.get('/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(app.swagger())
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('access-control-allow-origin', '*')
    return text
  })
}

const whole = (description: string) => ({ description, schema: { type: 'integer' as const, minimum: 0 } })
const documentedHeaders = {
  RequestId: { description: 'The name of this call, also in its error.', schema: { type: 'string' as const } },
  RateLimitLimit: whole('Calls allowed in the window, for the tighter of key and account.'),
  RateLimitRemaining: whole('Calls left in the window.'),
  RateLimitReset: whole('Seconds until the window ends.'),
  RetryAfter: whole('Seconds after which the call may be repeated.'),
}

const header = (name: keyof typeof documentedHeaders) => ({ $ref: `#/components/headers/${name}` })
const everyAnswer = {
  'Request-Id': header('RequestId'),
  'RateLimit-Limit': header('RateLimitLimit'),
  'RateLimit-Remaining': header('RateLimitRemaining'),
  'RateLimit-Reset': header('RateLimitReset'),
}

const statusWords: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  400: 'The body or the parameters are not valid; details names the field',
  401: 'The key is missing, invalid or revoked',
  402: 'The account is suspended',
  403: 'The key may not do this',
  404: 'There is no such resource in this account',
  409: 'It conflicts with the current state',
  422: 'A rule does not allow it',
  429: 'Too many calls; obey Retry-After',
  500: 'A fault on our side; repeating with the same Idempotency-Key is safe',
  502: 'The upstream platform refused the operation; details has its code and message',
}

/** What the plug-in cannot know: the headers of every answer, and that some bodies may be left out. */
function finished(document: Document): Document {
  for (const operation of Object.values(document.paths ?? {}).flatMap((path) => Object.values(path))) {
    for (const [status, answer] of Object.entries(operation.responses ?? {})) {
      if (answer.description === 'Default Response') answer.description = statusWords[status] ?? 'Answer'
      answer.headers = { ...answer.headers, ...everyAnswer, ...(status === '429' ? { 'Retry-After': header('RetryAfter') } : {}) }
    }
    finishBody(operation)
  }
  return document
}

function finishBody(operation: Operation): void {
  const schema = operation.requestBody?.content?.['application/json']?.schema
  if (operation.requestBody === undefined || schema === undefined || !Array.isArray(schema.type) || !schema.type.includes('null')) return
  if (Object.keys(schema.properties ?? {}).length === 0) {
    delete operation.requestBody
    return
  }
  operation.requestBody.required = false
  schema.type = 'object'
}
