import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { Type } from 'typebox'
import { because, invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { SecretKey } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import { answer } from '../../platform/http/answer.ts'
import { query } from '../../platform/http/query.ts'
import { formBytesHeld, type ReceivedFile, readForms, receiveFile } from '../../platform/http/receive-file.ts'
import { errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { createPlaces } from '../../platform/lanes/places.ts'
import type { TemporaryFiles } from '../../platform/storage/temporary-files.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { upstreamRefusal } from '../../platform/upstream/manage.ts'
import { uploadSample } from '../../platform/upstream/samples.ts'
import { chooseWaba } from './choose-waba.ts'
import { headBytes, sampleBytesMax, sampleKindOf } from './sample-kind.ts'

type Deps = {
  database: Database
  graph: Graph
  secretKey: SecretKey
  temporaryFiles: TemporaryFiles
  connection: { appId: string | null }
}

const tooLarge = (bytesMax: number): Refusal => {
  const max = `${bytesMax / 1024 ** 2} MB`
  return invalidField('file', because('sample_too_large', `The sample has at most ${max}.`, { max }))
}
const noKind = invalidField('file', because('sample_kind', 'The sample must be a JPEG or PNG image, an MP4 video or a PDF.'))

/** Samples use the connections that sends use, and may last for minutes. */
const samplesMax = 4

/** The sample of a template's header: given to upstream, which names it by a handle. Of the console alone. */
export function templateSampleRoutes(account: HttpServer, deps: Deps): void {
  void account.register(async (scope) => {
    await readForms(scope)
    sampleRoute(scope as HttpServer, deps)
  })
}

const sampleForm = Type.Object({ file: Type.Unsafe<string>({ type: 'string', format: 'binary' }) })

function sampleRoute(scope: HttpServer, deps: Deps): void {
  const inTurn = createPlaces(samplesMax)
  scope.post(
    '/templates/samples',
    {
      config: { access: { scope: 'templates:write', testKeys: false }, bodyBytesHeld: formBytesHeld },
      schema: {
        operationId: 'uploadTemplateSample',
        summary: 'Upload the sample of a header, and get the handle that a template names it by',
        tags: ['Templates'],
        querystring: query({ channel_id: Type.Optional(Type.String({ description: 'A number of the business account that is meant.' })) }),
        body: { content: { 'multipart/form-data': { schema: sampleForm } } },
        response: {
          201: Type.Object({ handle: Type.String() }),
          ...errors(404, 'channel_not_connected', 'channel_ambiguous', 502),
        },
      },
    },
    async (request, reply) => {
      const { caller, query: asked } = request
      // A full disk stops the database of everybody.
      if (!(await deps.temporaryFiles.hasRoom())) throw new Error('the disk is nearly full: no sample is taken')
      const path = await deps.temporaryFiles.newPath()
      try {
        const received = await receiveFile(request, { field: 'file', path, bytesMax: sampleBytesMax, tooLarge: tooLarge(sampleBytesMax) })
        if (!received.ok) return answer(reply, received)
        const waba = await chooseWaba(deps, { accountId: caller.accountId, channelId: asked.channel_id ?? null })
        if (!waba.ok) return answer(reply, waba)
        return answer(reply, await inTurn(caller.accountId, () => give(deps, received.value, waba.value.token)), 201)
      } finally {
        await rm(path, { force: true })
      }
    },
  )
}

async function give({ graph, connection }: Deps, file: ReceivedFile, token: string): Promise<Result<{ handle: string }, Refusal>> {
  const kind = sampleKindOf(await headOf(file.path))
  if (kind === null) return refused(noKind)
  if (file.sizeBytes > kind.bytesMax) return refused(tooLarge(kind.bytesMax))
  const given = await uploadSample(graph, {
    ...{ token, appId: connection.appId, mimeType: kind.mimeType, sizeBytes: file.sizeBytes },
    fileName: `sample.${kind.mimeType.split('/')[1]}`,
    open: () => createReadStream(file.path),
  })
  return given.ok ? ok({ handle: given.value }) : refused(upstreamRefusal(given.refusal))
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
