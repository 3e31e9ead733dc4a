import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GraphCall } from './calls.ts'
import { graphCall, type Told } from './graph-call.ts'
import { graphError, tokenError, unknownObjectError } from './graph-error.ts'
import type { MediaFile } from './media-store.ts'
import { uploadMedia } from './media-upload.ts'
import { bearerToken, mayUseWaba, tokenLives } from './numbers.ts'
import { jsonReply } from './reply.ts'
import type { World } from './world.ts'

type Params = { Params: { version: string; id: string } }

/** The id of a media file below a version. */
type Node = Params & { Querystring: { phone_number_id?: string } }

type Link = { Querystring: { mid?: string; ext?: string; hash?: string } }

/** Where files are fetched from. The real platform has another host for them; here it is another path, and another host if one is set. */
export const mediaPath = '/whatsapp_business/attachments/'

/** Files: uploading, and fetching them by their links. What is told of a file and its deletion hang on its node. */
export function mediaRoutes(app: FastifyInstance, world: World, node: string): void {
  app.post<Params>(`${node}/media`, (request, reply) =>
    graphCall(world, { call: 'media-upload', id: request.params.id, request, reply }, () => uploadMedia(world, request)),
  )
  app.get<Link>(mediaPath, (request, reply) =>
    graphCall(world, { call: 'media-download', id: request.query.mid ?? '', request, reply }, () => download(world, request)),
  )
}

/** Tells of a file: its link, its type, its hash in hex and its size. */
export function lookUpMedia(world: World, request: FastifyRequest<Node>, reply: FastifyReply): Promise<FastifyReply> {
  return onFile(world, request, reply, 'media-look-up', (file) => ({
    messaging_product: 'whatsapp',
    url: `${world.mediaBaseUrl() ?? `http://${request.host}`}${mediaPath}?${world.media.linkQuery(file)}`,
    mime_type: file.mimeType,
    sha256: file.sha256,
    file_size: file.bytes.length,
    id: file.id,
  }))
}

/** Forgets a file. */
export function deleteMedia(world: World, request: FastifyRequest<Node>, reply: FastifyReply): Promise<FastifyReply> {
  return onFile(world, request, reply, 'media-delete', (file) => ({ success: world.media.remove(file.id) }))
}

function onFile(
  world: World,
  request: FastifyRequest<Node>,
  reply: FastifyReply,
  call: GraphCall,
  tell: (file: MediaFile) => Told,
): Promise<FastifyReply> {
  const { id } = request.params
  return graphCall(world, { call, id, request, reply }, () => {
    const token = bearerToken(request.headers.authorization)
    if (!tokenLives(world.directory, token)) return tokenError()
    const file = world.media.find(id)
    const owner = request.query.phone_number_id ?? file?.phoneNumberId
    const visible = file !== null && owner === file.phoneNumberId && mayUseWaba(world.directory, token, file.wabaId)
    return visible ? tell(file) : unknownObjectError(id, request.method.toLowerCase())
  })
}

function download(world: World, request: FastifyRequest<Link>): Told {
  const token = bearerToken(request.headers.authorization)
  if (!tokenLives(world.directory, token)) return tokenError()
  // Fetching without a name was reported to fail. Being strict here finds a client that forgets it.
  if (request.headers['user-agent'] === undefined) return { ...graphError(200, 'A User-Agent is required.'), status: 403 }
  const file = world.media.byLink(request.query)
  if (file === null || !mayUseWaba(world.directory, token, file.wabaId)) return { ...jsonReply(404, ''), type: 'text/plain' }
  return { ...jsonReply(200, ''), type: file.mimeType, body: file.bytes }
}
