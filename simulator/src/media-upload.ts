import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Told } from './graph-call.ts'
import { type GraphError, graphError, parameterError } from './graph-error.ts'
import { bytesMaxOf, kindOfType, mediaBytesMax, mediaTypeNames, takenType } from './media-types.ts'
import { isGraphError, type NumberState, numberFor } from './numbers.ts'
import type { World } from './world.ts'

type Upload = { messagingProduct: string | null; type: string | null; file: { mimeType: string; name: string; bytes: Buffer } | null }

/** Takes a file that a business uploads, or refuses it as the platform does. The body is read to its end either way. */
export async function uploadMedia(world: World, request: FastifyRequest<{ Params: { id: string } }>): Promise<Told> {
  const { authorization } = request.headers
  const number = numberFor(world.directory, { id: request.params.id, authorization, verb: 'post' })
  const upload = await readUpload(world, request)
  if (isGraphError(number)) return number
  if ('code' in upload) return upload
  return keepUpload(world, number, upload)
}

function keepUpload(world: World, number: NumberState, upload: Upload): Told {
  const { file } = upload
  if (upload.messagingProduct !== 'whatsapp') return parameterError('The parameter messaging_product is required.')
  if (file === null) return parameterError('The parameter file is required.')
  const declared = upload.type ?? file.mimeType
  if (kindOfType(declared) === null) {
    return parameterError(
      `Param file must be a file with one of the following types: ${mediaTypeNames.join(', ')}. Received file of type '${declared}'.`,
    )
  }
  if (file.bytes.length === 0) return parameterError('Param file must not be empty.')
  const bytesMax = bytesMaxOf(declared, file.bytes)
  if (file.bytes.length > bytesMax)
    return graphError(131053, `File of ${file.bytes.length} bytes is too large. Max for ${declared}: ${bytesMax}`)
  const { phoneNumberId, wabaId } = number
  const mimeType = takenType(declared, file.name)
  const kept = world.media.keep({ origin: 'upload', phoneNumberId, wabaId, mimeType, fileName: file.name, bytes: file.bytes })
  return kept === null ? graphError(131016, 'The simulator holds too many files.') : { id: kept.id }
}

async function readUpload(world: World, request: FastifyRequest): Promise<Upload | GraphError> {
  if (!request.isMultipart()) return parameterError('The parameter file is required.')
  const upload: Upload = { messagingProduct: null, type: null, file: null }
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (part.fieldname === 'messaging_product') upload.messagingProduct = String(part.value)
        if (part.fieldname === 'type') upload.type = String(part.value)
        continue
      }
      const bytes = await readFile(world, part)
      if (bytes === null) return graphError(131053, `File is too large. Max: ${mediaBytesMax}`)
      if (part.fieldname === 'file') upload.file = { mimeType: part.mimetype, name: part.filename, bytes }
    }
  } catch (error) {
    return parameterError(error instanceof Error ? error.message : 'The body is no form.')
  }
  return upload
}

/** Null for a file that is larger than any may be, or for which there is no room; it is read to its end all the same. */
async function readFile(world: World, part: MultipartFile): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let reserved = 0
  let fits = true
  try {
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      fits &&= world.media.reserve(chunk.length)
      if (!fits) continue
      reserved += chunk.length
      chunks.push(chunk)
    }
  } finally {
    world.media.reserve(-reserved)
  }
  return fits && !part.file.truncated ? Buffer.concat(chunks) : null
}
