import { rm } from 'node:fs/promises'
import type { Clock } from '../../base/clock.ts'
import { formatId } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { openedOrNull, type Unseal } from '../../base/seal.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { TemporaryFiles } from '../../platform/storage/temporary-files.ts'
import type { UpstreamDownloads } from '../../platform/upstream/download.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { readUpstreamMedia } from '../../platform/upstream/media.ts'
import { findChannels } from '../channels/public.ts'
import { type Media, type MediaObservation, mediaUrl, storeFile } from '../media/public.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { recordChanges } from './feed.ts'
import { type DueFetch, fetchDelayMs, textWithFile, textWithoutFile } from './file-fetch.ts'
import { findSenderOfFile, finishFetch, giveUpFetch, postponeFetch, setFileOfMessage } from './file-fetch-store.ts'
import type { InboundQuota } from './inbound-quota.ts'
import type { Message } from './message.ts'
import type { FileObservation } from './observation.ts'
import { releaseFiles } from './release-files.ts'
import { lockMessages } from './store.ts'
import { tellOf } from './tell.ts'

export type FetchFileDeps = {
  database: Database
  clock: Clock
  observe: (observation: FileObservation | MediaObservation) => void
  graph: Graph
  downloads: Pick<UpstreamDownloads, 'download'>
  storage: Storage
  temporaryFiles: TemporaryFiles
  quota: InboundQuota
  unseal: Unseal
  filesUrl: string
}

/** `isFinal`: trying again within the hour would not help. */
type Fetched = { ok: true; media: Media } | { ok: false; because: string; isFinal?: boolean }

/**
 * Tries to fetch the file of one message: asks upstream for a fresh link, downloads, checks the bytes, stores them, and in one transaction gives
 * the message its file and tells of it, if it was held back (rule: receive 9). May be done twice, also by two processes. Throws only when
 * the database or the disk is away. Answers which webhooks to wake.
 */
export async function fetchFile(deps: FetchFileDeps, fetch: DueFetch): Promise<readonly DeliveryHint[]> {
  const beganMs = deps.clock.monotonicMs()
  const fetched = await bringHere(deps, fetch)
  const tries = fetch.tries + 1
  const delayMs = fetched.ok || fetched.isFinal === true ? null : fetchDelayMs(tries)
  const outcome = fetched.ok ? 'fetched' : delayMs === null ? 'given_up' : 'postponed'
  const hints = fetched.ok ? await settle(deps, fetch, fetched.media) : await postponeOrGiveUp(deps, fetch, { tries, delayMs })
  deps.observe({
    kind: 'file.tried',
    messageId: formatId('msg', fetch.messageId),
    outcome,
    tries,
    because: fetched.ok ? null : fetched.because,
    ms: Math.round(deps.clock.monotonicMs() - beganMs),
  })
  return hints
}

async function bringHere(deps: FetchFileDeps, fetch: DueFetch): Promise<Fetched> {
  // A full disk stops the database of everybody: the file waits.
  if (!(await deps.temporaryFiles.hasRoom())) return { ok: false, because: 'the disk is nearly full' }
  const contactId = await findSenderOfFile(deps.database, fetch)
  const sender = contactId === null ? null : { accountId: fetch.accountId, contactId }
  // rule: media 7. What the team asks for comes nevertheless.
  if (sender !== null && !fetch.isAgain && !deps.quota.allows(sender))
    return { ok: false, because: 'the files of a day are used up', isFinal: true }
  const channel = (await findChannels(deps.database, [fetch])).get(fetch.channelId)
  const token = channel === undefined ? null : openedOrNull(deps.unseal, channel.sealedToken)
  if (channel === undefined || token === null) return { ok: false, because: 'the number has no token that can be used' }
  const found = await readUpstreamMedia(deps.graph, { token, phoneNumberId: channel.phoneNumberId, mediaId: fetch.upstreamId })
  if (!found.ok)
    return { ok: false, because: found.refusal.code === null ? 'look-up failed' : `look-up refused with ${found.refusal.code}` }
  const path = await deps.temporaryFiles.newPath()
  try {
    const { url, sha256, mimeType } = found.value
    const bytesMax = limits.mediaBytesMax.document
    const got = await deps.downloads.download({ url, token, path, bytesMax, sha256: fetch.sha256 ?? sha256 })
    if (got.kind !== 'downloaded') return { ok: false, because: got.kind === 'gone' ? `the link answered ${got.statusCode}` : got.because }
    if (got.sizeBytes === 0) return { ok: false, because: 'the file is empty' }
    if (sender !== null) deps.quota.add(sender, got.sizeBytes)
    const declared = { kind: fetch.kind, mimeType: fetch.mimeType ?? mimeType ?? got.mimeType ?? 'application/octet-stream' }
    const file = { accountId: fetch.accountId, path, sizeBytes: got.sizeBytes, sha256: got.sha256, fileName: fetch.fileName, declared }
    return { ok: true, media: await storeFile(deps, file) }
  } finally {
    await rm(path, { force: true })
  }
}

async function settle(deps: FetchFileDeps, fetch: DueFetch, media: Media): Promise<readonly DeliveryHint[]> {
  const { mimeType, sizeBytes } = media
  // The same bytes may have come under another name before: each message shows its own.
  const shown = {
    url: mediaUrl(deps.filesUrl, media),
    mime_type: mimeType,
    file_name: fetch.fileName ?? media.fileName,
    size_bytes: sizeBytes,
  }
  return deps.database.repeatable(async (tx) => {
    // Its message was deleted meanwhile, or another process has given it the file: nothing may have these bytes.
    if (!(await finishFetch(tx, fetch))) {
      await releaseFiles(tx, [{ accountId: fetch.accountId, mediaId: media.id }], deps.clock.now())
      return []
    }
    const [message] = await lockMessages(tx, [{ accountId: fetch.accountId, id: fetch.messageId }])
    if (message === undefined) return []
    const text = fetch.isAgain ? textWithFile(message.text) : message.text
    const filled: Message = { ...message, text, media: JSON.stringify(shown) as JsonText, mediaId: media.id }
    await setFileOfMessage(tx, filled)
    await recordChanges(tx, deps.clock.now(), [{ ...filled, how: 'changed' }])
    return tellHeldBack(tx, deps.clock, fetch, filled)
  })
}

async function postponeOrGiveUp(
  deps: FetchFileDeps,
  fetch: DueFetch,
  { tries, delayMs }: { tries: number; delayMs: number | null },
): Promise<readonly DeliveryHint[]> {
  if (delayMs !== null) {
    await postponeFetch(deps.database, fetch, tries, new Date(deps.clock.now().getTime() + delayMs))
    return []
  }
  return deps.database.repeatable(async (tx) => {
    if (!(await giveUpFetch(tx, fetch, tries))) return []
    const [message] = await lockMessages(tx, [{ accountId: fetch.accountId, id: fetch.messageId }])
    if (message === undefined) return []
    await recordChanges(tx, deps.clock.now(), [{ ...message, how: 'changed' }])
    // A send leaves without: what upstream does not give back, only its message lacks.
    if (message.direction === 'outbound' || fetch.isAgain) return []
    const told: Message = { ...message, text: textWithoutFile(message.text) }
    await setFileOfMessage(tx, told)
    return tellHeldBack(tx, deps.clock, fetch, told)
  })
}

type Tell = Parameters<typeof tellOf>[0]

/** rule: receive 9. What a person sent was not told before its file was here; what came with the history is not told at all. */
function tellHeldBack(tx: Tell, clock: Clock, { isAgain }: DueFetch, message: Message): Promise<readonly DeliveryHint[]> {
  return !isAgain && message.direction === 'inbound' && !message.untold
    ? tellOf(tx, clock, [{ type: 'message.received', message }])
    : Promise.resolve([])
}
