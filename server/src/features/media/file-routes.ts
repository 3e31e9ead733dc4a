import type { FastifyReply, FastifyRequest } from 'fastify'
import { because, refusal } from '../../base/refusal.ts'
import type { Database } from '../../platform/database/database.ts'
import { errorBody, refuse } from '../../platform/http/answer.ts'
import { createGate, GateFull } from '../../platform/http/gate.ts'
import { networkOf } from '../../platform/http/network-of.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { type Storage, storageKey } from '../../platform/storage/storage.ts'
import { isToken, type Media, plainName } from './media.ts'
import { wantedBytes } from './range.ts'
import { findOpenMedia } from './store.ts'

type Deps = { database: Database; storage: Storage }

/** Anybody can ask for what nobody has: look-ups take turns by network, and a few connections to the database. */
const lookingUp = { atOnce: 4, waitingMax: 400, waitingOfOneMax: 100 }
/** Files that are being read at once. A slow reader holds a file open; one that takes nothing is cut. */
const readersMax = 1_000
const readersOfOneMax = 64

/** What a browser may show by itself; everything else it saves. */
const shown = /^(image\/(jpeg|png|webp|gif)|audio\/.+|video\/.+|application\/pdf)$/
const yearSeconds = 365 * 24 * 3_600

/** The permanent url of a file: whoever has it may read it. It stands outside of /v1 and its keys, and outside of its document. */
// rule: files 1
export function fileRoutes(app: HttpServer, { database, storage }: Deps): void {
  const lookUps = createGate(lookingUp)
  const readers = createReaders()
  app.route({
    method: ['GET', 'HEAD'],
    url: '/files/:token/:name',
    async handler(request, reply) {
      const { token, name } = request.params as { token: string; name: string }
      const media = isToken(token) && name !== '' ? await lookUps.run(networkOf(request.ip), () => findOpenMedia(database, token)) : null
      if (media === null) return refuse(reply, refusal('not_found', because('no_page', 'There is nothing at this path.')))
      readers.take(request, reply)
      return serve(storage, media, request, reply)
    },
  })
}

/** Bounds those who read files: of one network, unless a proxy of which we were not told makes it everybody's, and in all. */
function createReaders() {
  const counts = new Map<string, number>()
  let inAll = 0
  return {
    take({ ip, sharesAddress }: FastifyRequest, reply: FastifyReply): void {
      const network = networkOf(ip)
      const own = counts.get(network) ?? 0
      if (inAll >= readersMax || (own >= readersOfOneMax && !sharesAddress)) throw new GateFull()
      counts.set(network, own + 1)
      inAll += 1
      reply.raw.once('close', () => {
        const left = (counts.get(network) ?? 1) - 1
        if (left > 0) counts.set(network, left)
        else counts.delete(network)
        inAll -= 1
      })
    },
  }
}

// rule: files 2
async function serve(storage: Storage, media: Media, request: FastifyRequest, reply: FastifyReply) {
  const { sizeBytes } = media
  const etag = `"${media.sha256.toString('hex')}"`
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).headers(headersOf(media, etag)).send()
  const ifRange = request.headers['if-range']
  const wanted = wantedBytes(ifRange === undefined || ifRange === etag ? request.headers.range : undefined, sizeBytes)
  if (wanted.kind === 'none') {
    reply.code(416).headers({ 'content-range': `bytes */${sizeBytes}`, 'content-type': 'application/json; charset=utf-8' })
    return reply.send(errorBody(refusal('invalid_request', 'The range lies behind the end of the file.'), request.id))
  }
  const range = wanted.kind === 'part' ? wanted.range : undefined
  // Opened before anything is said of it: an outage must not be kept for a year.
  const bytes = request.method === 'HEAD' ? undefined : await storage.read(storageKey(media.accountId, media.id), range)
  reply.headers({ ...headersOf(media, etag), 'content-type': typeOf(media), 'content-length': sizeBytes })
  if (range !== undefined) {
    const { start, end } = range
    reply.code(206).headers({ 'content-range': `bytes ${start}-${end}/${sizeBytes}`, 'content-length': end - start + 1 })
  }
  return reply.send(bytes)
}

// rule: files 3
function headersOf(media: Media, etag: string) {
  const disposition = shown.test(plainType(media)) ? 'inline' : 'attachment'
  return {
    etag,
    'accept-ranges': 'bytes',
    // Whoever deletes a file wants it gone from everywhere: only the one who asked may keep it.
    'cache-control': `private, max-age=${yearSeconds}, immutable`,
    'content-disposition': `${disposition}; ${dispositionName(media.fileName ?? plainName(media.mimeType))}`,
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
    // The url is a secret: neither a page that is opened from a PDF nor a search engine shall learn it.
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  }
}

const plainType = ({ mimeType }: Media) => mimeType.split(';')[0]?.trim().toLowerCase() ?? ''

/** Text is plain text, also where it looks like a page. */
function typeOf(media: Media): string {
  const type = plainType(media)
  if (type.startsWith('text/')) return 'text/plain; charset=utf-8'
  return /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(type) ? media.mimeType : 'application/octet-stream'
}

/** The name in ASCII for old programs, and as it is for all others (RFC 6266). */
function dispositionName(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const written = encodeURIComponent(name).replaceAll(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`)
  return `filename="${ascii}"; filename*=UTF-8''${written}`
}

function isKnown(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
