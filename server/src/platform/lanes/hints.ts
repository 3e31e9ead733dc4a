import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { type Channel, channelBytesMax, openChannel } from '../database/channel.ts'
import type { Connection, DatabaseObservation } from '../database/database.ts'

export type Hints<Hint> = {
  /** Tells the other processes, soon and at most once in 20 ms. May be lost. */
  tell(hints: readonly Hint[]): void
  close(): Promise<void>
}

export type HintsDeps = { clock: Clock; connection: Connection; observe: (observation: DatabaseObservation) => void }

const gatherMs = 20
const channelName = 'pombo_hints'

/** Wake-ups between processes: what is told here is heard by the others. With every one of them lost, polling still moves everything. */
export function openHints<Hint>(deps: HintsDeps, processId: Uuid, onHints: (hints: readonly Hint[]) => void): Hints<Hint> {
  let waiting = new Map<string, Hint>()
  const channel: Channel = openChannel({ ...deps, name: channelName, onMessage: (text) => onHints(read(text, processId)) })
  const flush = () => {
    const hints = [...waiting.values()]
    waiting = new Map()
    for (const text of pack(processId, hints)) channel.send(text)
  }
  return {
    tell(hints) {
      if (hints.length > 0 && waiting.size === 0) deps.clock.after(gatherMs, flush)
      for (const hint of hints) waiting.set(JSON.stringify(hint), hint)
    },
    close: () => channel.close(),
  }
}

/** As few texts as fit the channel's limit. */
function pack(from: Uuid, hints: readonly unknown[]): string[] {
  const text = JSON.stringify({ from, hints })
  if (text.length <= channelBytesMax || hints.length < 2) return hints.length === 0 ? [] : [text]
  const half = Math.ceil(hints.length / 2)
  return [...pack(from, hints.slice(0, half)), ...pack(from, hints.slice(half))]
}

/** Only our own program writes to the channel; one of another version, whose hints look otherwise, is passed over. */
function read<Hint>(text: string, self: Uuid): Hint[] {
  try {
    const { from, hints }: { from: Uuid; hints: Hint[] } = JSON.parse(text)
    return from === self || !Array.isArray(hints) ? [] : hints
  } catch {
    return []
  }
}
