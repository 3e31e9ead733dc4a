import type { Readable } from 'node:stream'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Graph } from './graph.ts'
import { askUpstream, type UpstreamFailure } from './manage.ts'

export type SampleUpload = {
  token: string
  /** Of our app at upstream; null: that for which the token was made. */
  appId: string | null
  fileName: string
  mimeType: string
  sizeBytes: number
  /** The bytes, opened when they are needed. */
  open: () => Readable
}

/** 16 MB over a line of 2 Mbit/s take 70 s. */
const sampleMsMax = 120_000

/**
 * Gives upstream a sample file by its resumable upload, and returns the handle by which a template names it. At most 30 s for the session and
 * 2 minutes for the bytes. Doing it twice harms nobody.
 */
export async function uploadSample(graph: Graph, sample: SampleUpload): Promise<Result<string, UpstreamFailure>> {
  const { token, appId, fileName, mimeType, sizeBytes } = sample
  const query = new URLSearchParams({ file_name: fileName, file_length: String(sizeBytes), file_type: mimeType })
  const opened = await askUpstream(graph, { method: 'POST', path: `/${encodeURIComponent(appId ?? 'app')}/uploads?${query}`, token })
  if (!opened.ok) return opened
  const { id } = opened.value
  // It goes into a path as it is: it has a query of its own.
  if (typeof id !== 'string' || !/^upload:[\w.~:/?=&%+-]{1,2000}$/.test(id)) return strange('It answered without an upload session.')
  const streamed = { contentType: 'application/octet-stream', bytes: sizeBytes, stream: sample.open() }
  const headers = { file_offset: '0' }
  const sent = await askUpstream(graph, {
    ...{ method: 'POST', path: `/${id}`, token, authorization: 'OAuth', headers, streamed, deadlineMs: sampleMsMax },
  })
  if (!sent.ok) return sent
  const { h: handle } = sent.value
  return typeof handle === 'string' && handle !== '' ? ok(handle) : strange('It answered without a handle.')
}

const strange = (message: string) => refused({ reached: true, code: null, message })
