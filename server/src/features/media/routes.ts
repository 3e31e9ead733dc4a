import { rm } from 'node:fs/promises'
import type { FastifyRequest } from 'fastify'
import { ok, type Result, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import { answer, refuse } from '../../platform/http/answer.ts'
import { formBytesHeld, readForms, receiveFile } from '../../platform/http/receive-file.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import type { TemporaryFiles } from '../../platform/storage/temporary-files.ts'
import type { Media } from './media.ts'
import { sizeRefusalOfAll, uploadBytesMaxOfAll } from './rules.ts'
import { type StoreDeps, storeUpload, type UploadRefusal } from './store-file.ts'
import { mediaJson, mediaSchema, uploadFormSchema } from './wire.ts'

export { fileRoutes } from './file-routes.ts'

type Deps = StoreDeps & {
  temporaryFiles: TemporaryFiles
  /** The outside address of files, without a slash at its end. */
  filesUrl: string
}

/** The upload, under /v1. */
export function mediaRoutes(v1: HttpServer, deps: Deps): void {
  v1.addSchema(mediaSchema)
  void v1.register(async (scope) => {
    await readForms(scope)
    uploadRoute(scope as HttpServer, deps)
  })
}

function uploadRoute(v1: HttpServer, deps: Deps): void {
  v1.post(
    '/media',
    {
      config: { access: { scope: 'media:write', testKeys: false, isUpload: true }, bodyBytesHeld: formBytesHeld },
      schema: {
        operationId: 'uploadMedia',
        summary: 'Upload a file',
        description: `Upload once, send any number of times: the url is permanent. The same bytes again answer the same file, and do not count as new. At most ${limits.uploadsPerKeyMax} uploads a minute for each key, and 1 GB of new files a day for each account.`,
        tags: ['Media'],
        body: { content: { 'multipart/form-data': { schema: uploadFormSchema } } },
        response: { 201: component(mediaSchema), ...errors() },
      },
    },
    async (request, reply) => {
      const stored = await takeUpload(deps, request)
      if (stored.ok) return answer(reply, ok(mediaJson(deps.filesUrl, stored.value)), 201)
      const { refusal, retryAfterSeconds } = stored.refusal
      if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds)
      return refuse(reply, refusal)
    },
  )
}

const form = { field: 'file', bytesMax: uploadBytesMaxOfAll, tooLarge: sizeRefusalOfAll() }

/** The temporary file is gone when this ends, whatever came of it. */
async function takeUpload(deps: Deps, request: FastifyRequest): Promise<Result<Media, UploadRefusal>> {
  // A full disk stops the database of everybody.
  if (!(await deps.temporaryFiles.hasRoom())) throw new Error('the disk is nearly full: no upload is taken')
  const path = await deps.temporaryFiles.newPath()
  try {
    const received = await receiveFile(request, { ...form, path })
    if (!received.ok) return refused({ refusal: received.refusal, retryAfterSeconds: null })
    return await storeUpload(deps, { accountId: request.caller.accountId, ...received.value })
  } finally {
    await rm(path, { force: true })
  }
}
