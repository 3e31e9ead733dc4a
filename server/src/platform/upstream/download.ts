import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { Agent } from 'undici'
import type { Clock } from '../../base/clock.ts'

/** What became of a download. Only after `downloaded` is there a file. */
export type DownloadOutcome =
  | { kind: 'downloaded'; sizeBytes: number; sha256: Buffer; mimeType: string | null }
  /** The url is dead, or the token is not good for it: look the file up again. */
  | { kind: 'gone'; statusCode: number }
  /** It would be the same again: not upstream's address, or too large. */
  | { kind: 'refused'; because: string }
  /** Not now, or not whole. */
  | { kind: 'unavailable'; because: string }

export type Download = {
  url: string
  token: string
  /** Where the bytes go: nothing is there yet. */
  path: string
  bytesMax: number
  /** What the bytes must be; null: not known. */
  sha256: Buffer | null
}

export type UpstreamDownloads = {
  /** Fetches a file of upstream's, at most 3 minutes in all. Never throws for what the network does; what the disk cannot take is thrown. */
  download(wanted: Download): Promise<DownloadOutcome>
  close(): Promise<void>
}

const downloadMsMax = 180_000
const connectMsMax = 5_000
const connectionsPerHost = 16
/** Where Meta keeps files (October 2026); whoever else may ask for a token does not get it. */
const hosts = /(^|\.)(facebook\.com|fbsbx\.com|whatsapp\.net)$/

/** Downloads of files that upstream keeps on other hosts than its Graph API. `graphUrl` is that of the Graph API. */
export function createUpstreamDownloads({ clock, graphUrl }: { clock: Clock; graphUrl: string }): UpstreamDownloads {
  const agent = new Agent({
    allowH2: false,
    connect: { timeout: connectMsMax },
    connections: connectionsPerHost,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const own = new URL(graphUrl)
  const isUpstreams = (url: URL) => url.host === own.host || (url.protocol === 'https:' && hosts.test(url.hostname))
  return {
    async download(wanted) {
      const url = URL.parse(wanted.url)
      // Also an address inside of our own network could be written there.
      if (url === null || !isUpstreams(url)) return { kind: 'refused', because: 'the address is not one of the platform' }
      const abort = new AbortController()
      const cancel = clock.after(downloadMsMax, () => abort.abort())
      const outcome = await fetchTo(agent, url, wanted, abort.signal).catch(async (error: unknown) => {
        await rm(wanted.path, { force: true })
        if (isOfDisk(error)) throw error
        return { kind: 'unavailable' as const, because: abort.signal.aborted ? 'timeout' : reasonOf(error) }
      })
      cancel()
      if (outcome.kind !== 'downloaded') await rm(wanted.path, { force: true })
      return outcome
    },
    close: () => agent.destroy(),
  }
}

async function fetchTo(agent: Agent, url: URL, wanted: Download, signal: AbortSignal): Promise<DownloadOutcome> {
  // The host refuses whoever does not say what they are.
  const headers = { authorization: `Bearer ${wanted.token}`, 'user-agent': 'Pombo' }
  const {
    statusCode,
    headers: answered,
    body,
  } = await agent.request({ origin: url.origin, path: url.pathname + url.search, method: 'GET', headers, signal })
  if (statusCode !== 200) {
    await body.dump({ limit: 64 * 1024, signal }).catch(() => {})
    return [401, 403, 404, 410].includes(statusCode)
      ? { kind: 'gone', statusCode }
      : { kind: 'unavailable', because: `it answered ${statusCode}` }
  }
  const hash = createHash('sha256')
  let sizeBytes = 0
  const file = await open(wanted.path, 'wx', 0o600)
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length
      if (sizeBytes > wanted.bytesMax) return { kind: 'refused', because: `it has more than ${wanted.bytesMax} bytes` }
      hash.update(chunk)
      await file.writeFile(chunk)
    }
  } finally {
    // Of a body that is left half read, so that its connection ends.
    body.destroy()
    await file.close()
  }
  const sha256 = hash.digest()
  if (wanted.sha256 !== null && !sha256.equals(wanted.sha256))
    return { kind: 'unavailable', because: 'its bytes are not those that were announced' }
  const mimeType = answered['content-type']
  return { kind: 'downloaded', sizeBytes, sha256, mimeType: typeof mimeType === 'string' ? mimeType : null }
}

function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && ['open', 'write', 'close'].includes(String(error.syscall))
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
