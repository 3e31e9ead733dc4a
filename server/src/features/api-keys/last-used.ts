import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import { type KeyUse, writeLastUsed } from './store.ts'

/** Each key is written at most once in this time, so that reading a key costs no write. */
const writeEveryMs = 60_000
/** More keys than this in a minute: the surplus shows an older moment, and nothing else is lost. */
const keysMax = 10_000

export type LastUsed = {
  note(use: KeyUse): void
  /** Writes what is noted; no further note is taken. */
  close(): Promise<void>
}

/** Remembers when keys were used and writes it a minute later, all keys in one statement. */
export function createLastUsed(deps: { database: Database; clock: Clock }): LastUsed {
  let noted = new Map<Uuid, KeyUse>()
  let cancel: (() => void) | null = null
  let writing: Promise<void> = Promise.resolve()
  let closed = false

  const write = async (): Promise<void> => {
    cancel = null
    const uses = noted
    noted = new Map()
    try {
      if (uses.size > 0) await writeLastUsed(deps.database, [...uses.values()])
    } catch {
      // The moment of use is a courtesy: an outage, which the database itself reports, costs at most its precision.
      for (const use of uses.values()) if (!noted.has(use.keyId)) note(use)
    }
  }

  function note(use: KeyUse): void {
    if (closed || (noted.size >= keysMax && !noted.has(use.keyId))) return
    noted.set(use.keyId, use)
    cancel ??= deps.clock.after(writeEveryMs, () => {
      writing = write()
    })
  }

  return {
    note,
    async close() {
      closed = true
      cancel?.()
      await writing
      await write()
    },
  }
}
