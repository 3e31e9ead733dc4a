import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { HttpObservation } from './observation.ts'
import type { RequestId } from './request-id.ts'

/** One authenticated call, without its content. */
export type RequestLogEntry = {
  requestId: RequestId
  accountId: Uuid
  keyId: Uuid
  livemode: boolean
  method: string
  /** The pattern, never the path: a path may hold a phone. */
  route: string
  status: number
  /** What it was refused with, of the contract's codes. */
  errorCode: string | null
  /** The message that it was about, as far as path or answer name one. */
  messageId: Uuid | null
  ms: number
}

export type RequestLog = {
  /** Keeps an entry for the next write. Never waits and never throws: when too many are held, the entry is dropped and counted. */
  log(entry: RequestLogEntry): void
  /** Writes what is held, once, and takes nothing more. */
  close(): Promise<void>
}

type Deps = {
  clock: Clock
  /** Writes all of them or throws. */
  write: (entries: readonly RequestLogEntry[]) => Promise<void>
  observe: (observation: HttpObservation) => void
  /** Told of entries that were lost: the buffer was full, or the database refused or stayed away. */
  dropped: (entries: number) => void
}

const flushAfterMs = 250
const rowsMax = 500
const heldMax = 10_000

/** Collects entries and writes many at once. A log of calls is worth less than the calls: it never holds one up. */
export function createRequestLog({ clock, write, observe, dropped }: Deps): RequestLog {
  let held: RequestLogEntry[] = []
  let writing: Promise<void> | null = null
  let cancelTimer: (() => void) | null = null
  let closed = false
  let lost = 0

  const lose = (entries: number) => {
    lost += entries
    dropped(entries)
  }
  /** One batch. When it fails its entries are gone: holding them would only push out newer ones. */
  const writeOnce = async (): Promise<boolean> => {
    const batch = held.slice(0, rowsMax)
    held = held.slice(batch.length)
    try {
      await write(batch)
      if (lost > 0) observe({ kind: 'request_log.dropped', entries: lost, message: 'calls are being logged again' })
      lost = 0
      return true
    } catch (error) {
      if (lost === 0)
        observe({ kind: 'request_log.dropped', entries: batch.length, message: error instanceof Error ? error.message : 'unknown' })
      lose(batch.length)
      return false
    }
  }
  const writeAll = async () => {
    while (held.length > 0) {
      const written = await writeOnce()
      // Closing must not wait for a database that is away, once for each batch.
      if (closed && !written) lose(held.splice(0).length)
    }
    writing = null
  }
  const start = () => {
    cancelTimer?.()
    cancelTimer = null
    writing ??= writeAll()
  }

  return {
    log(entry) {
      if (closed || held.length >= heldMax) return lose(1)
      held.push(entry)
      if (writing !== null) return
      if (held.length >= rowsMax) start()
      else cancelTimer ??= clock.after(flushAfterMs, start)
    },
    async close() {
      closed = true
      start()
      await writing
    },
  }
}
