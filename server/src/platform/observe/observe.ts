import { type DestinationStream, pino } from 'pino'
import type { Field, Level, Observe } from './observation.ts'
import { shown } from './redact.ts'

export type ObserverOptions = {
  /** Lines below it are not written. */
  level: Level | 'silent'
  /** The level of each kind that does not carry one itself; any other kind is `info`. */
  levels: Readonly<Record<string, Level>>
  /** Where the lines go; null: standard output, written without waiting for the disk. */
  sink: DestinationStream | null
}

/** What is held while standard output does not take it; later lines are dropped. */
const heldBytesMax = 8 * 1024 * 1024

export type Observer = {
  observe: Observe
  /** Writes out what is still held in memory. Call it last, before the process ends. */
  flush(): void
}

/** Writes one line of JSON for each observation, with every text cut and scrubbed. */
export function createObserver(options: ObserverOptions): Observer {
  const destination = options.sink ?? pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 100, maxLength: heldBytesMax })
  const log = pino({ level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level } }, destination)
  return {
    observe(observation) {
      const at = observation.level ?? options.levels[observation.kind] ?? 'info'
      if (log.isLevelEnabled(at)) log[at](lineOf(observation))
    },
    flush() {
      if ('flushSync' in destination && typeof destination.flushSync === 'function') destination.flushSync()
    },
  }
}

const level = (label: string) => ({ level: label })

function lineOf(observation: { readonly [field: string]: Field | undefined }): Record<string, Field> {
  const line: Record<string, Field> = {}
  for (const [field, value] of Object.entries(observation)) if (field !== 'level' && value !== undefined) line[field] = shown(value)
  return line
}
