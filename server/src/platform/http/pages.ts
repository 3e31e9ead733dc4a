import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { refusal } from '../../base/refusal.ts'
import { refuse } from './answer.ts'

/** The addresses that pages of the console have; all else that nobody serves is answered with 404. */
const pages = ['/', '/sign-in', '/sign-in/link', '/invitation', '/a/*']

/** Assets carry a hash of their bytes in their name. */
const assetSecondsMax = 365 * 86_400

const nonceBytes = 16
const nonceMark = '<meta name="csp-nonce" content="" />'

type Options = {
  /** Where the built console lies. */
  directory: string
  /** Where files of messages are served from, when that is another host. */
  filesUrl: string
}

/**
 * Serves the console: one page for all its addresses, and its assets. Its policy lets nothing be loaded from, or sent to, anywhere but this
 * host and that of the files; styles need the nonce of the answer.
 */
export function consolePages(app: FastifyInstance, { directory, filesUrl }: Options): void {
  const files = new URL(filesUrl).origin
  let page: Promise<string> | null = null
  for (const url of pages) {
    app.get(url, async (_request, reply) => {
      if (!existsSync(join(directory, 'index.html'))) return refuse(reply, notBuilt)
      page ??= readFile(join(directory, 'index.html'), 'utf8')
      const nonce = randomBytes(nonceBytes).toString('base64')
      reply.header('content-type', 'text/html; charset=utf-8').header('cache-control', 'no-cache')
      reply.header('content-security-policy', policy(nonce, files)).header('x-content-type-options', 'nosniff')
      reply.header('referrer-policy', 'no-referrer').header('permissions-policy', 'camera=(), geolocation=(), microphone=()')
      return (await page).replace(nonceMark, `<meta name="csp-nonce" content="${nonce}" />`)
    })
  }
  const serve = {
    decorateReply: false,
    index: false as const,
    wildcard: true,
    preCompressed: true,
    maxAge: assetSecondsMax * 1000,
    immutable: true,
  }
  void app.register(fastifyStatic, { ...serve, root: join(directory, 'assets'), prefix: '/assets/' })
  app.get('/icon.svg', async (_request, reply) => {
    const icon = await readFile(join(directory, 'icon.svg')).catch(() => null)
    if (icon === null) return refuse(reply, notBuilt)
    return reply.header('content-type', 'image/svg+xml').header('cache-control', 'public, max-age=86400').send(icon)
  })
}

const notBuilt = refusal(
  'not_found',
  'The console has not been built: run "npm ci" with the development dependencies, or copy console/dist from where it was.',
)

function policy(nonce: string, files: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob: ${files}`,
    `media-src 'self' blob: ${files}`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
