import Fastify, { type FastifyInstance, type LightMyRequestResponse as Response } from 'fastify'
import { because, refusal } from '../../base/refusal.ts'
import { refuse } from './answer.ts'

/** The page has one inline script and styles of its own making; nothing may be loaded from, or sent to, anywhere else. */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Page = Pick<Response, 'statusCode' | 'headers' | 'rawPayload'>
/** It has a page and its program, each under a few names. */
const keptMax = 10

/** `/docs`: the reference, drawn from `/openapi.json`. Its program (5 MB) is loaded when somebody first asks for it. */
export function referenceRoutes(app: FastifyInstance): void {
  // Fastify takes no plug-ins once it runs, so the reference lives in a server of its own that never listens.
  let pages: Promise<FastifyInstance> | null = null
  // Its program has 5 MB: all who read it slowly share one copy.
  const kept = new Map<string, Page>()
  const draw = async (path: string): Promise<Page> => {
    pages ??= openReference()
    const { statusCode, headers, rawPayload } = await (await pages).inject({ method: 'GET', url: path })
    const page = { statusCode, headers, rawPayload }
    if (statusCode === 200 && kept.size < keptMax) kept.set(path, page)
    return kept.get(path) ?? page
  }
  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 302))
  app.get('/docs/*', async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const page = kept.get(path) ?? (await draw(path))
    if (page.statusCode >= 400) return refuse(reply, refusal('not_found', because('no_page', 'There is nothing at this path.')))
    const isScript = String(page.headers['content-type']).includes('javascript')
    reply.code(page.statusCode).header('content-type', page.headers['content-type'])
    reply.header('content-security-policy', policy).header('x-content-type-options', 'nosniff')
    reply.header('cache-control', isScript ? 'public, max-age=86400' : 'no-cache')
    return page.rawPayload
  })
  app.addHook('onClose', async () => (await pages)?.close())
}

async function openReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const pages = Fastify()
  await pages.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Messaging Gateway API',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      agent: { disabled: true },
    },
  })
  await pages.ready()
  return pages
}
