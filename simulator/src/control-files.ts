import type { FastifyInstance } from 'fastify'
import { objectIn, refuse } from './command-body.ts'
import type { Simulator } from './face.ts'
import { isFilled } from './json-value.ts'
import type { MediaFile } from './media-store.ts'
import { mediaBytesMax } from './media-types.ts'
import type { World } from './world.ts'

type OneFile = { Params: { id: string } }

/** Files in base64 are a third longer, and there is something around them. */
const BODY_BYTES_MAX = Math.ceil((mediaBytesMax * 4) / 3) + 64 * 1024

/** The commands for files: what is held, putting one that a person is going to send, letting links and ids die. */
export function fileCommands(app: FastifyInstance, simulator: Simulator, world: World): void {
  app.get('/_sim/media', (_request, reply) => reply.send({ data: simulator.media.map(withoutBytes) }))
  app.post('/_sim/media', { bodyLimit: BODY_BYTES_MAX }, (request, reply) => {
    const body = objectIn(request.body)
    const { bytes, mimeType, fileName, phoneNumberId, id } = body ?? {}
    if (!isFilled(bytes) || !isFilled(mimeType)) return refuse(reply, 'Give "bytes" in base64 and "mimeType".')
    const strange = [fileName, phoneNumberId, id].some((each) => each !== undefined && !isFilled(each))
    if (strange) return refuse(reply, '"fileName", "phoneNumberId" and "id" are texts.')
    if (isFilled(phoneNumberId) && !world.directory.numbers.has(phoneNumberId))
      return reply.code(404).send({ error: 'There is no such number.' })
    const file = simulator.putMedia({
      ...{ bytes: Buffer.from(bytes, 'base64'), mimeType },
      ...(isFilled(fileName) ? { fileName } : {}),
      ...(isFilled(phoneNumberId) ? { phoneNumberId } : {}),
      ...(isFilled(id) ? { id } : {}),
    })
    return reply.send({ ...withoutBytes(file), url: simulator.mediaUrl(file.id) })
  })
  app.get<OneFile>('/_sim/media/:id', ({ params: { id } }, reply) => {
    const file = world.media.all().find((each) => each.id === id)
    return file === undefined
      ? reply.code(404).send({ error: 'There is no such file.' })
      : reply.type('application/octet-stream').send(file.bytes)
  })
  app.post<OneFile>('/_sim/media/:id/expire', (request, reply) => {
    const { id } = request.params
    if (world.media.find(id) === null) return reply.code(404).send({ error: 'There is no such file.' })
    const what = objectIn(request.body)?.what ?? 'id'
    if (what !== 'id' && what !== 'urls') return refuse(reply, '"what" is id or urls.')
    if (what === 'id') simulator.expireMedia(id)
    else simulator.expireMediaUrls(id)
    return reply.send({ success: true })
  })
}

function withoutBytes({ bytes, ...rest }: MediaFile): object {
  return { ...rest, fileSize: bytes.length }
}
