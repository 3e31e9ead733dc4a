import { type DestinationStream, pino } from 'pino'
import type { Field, Level, Observe } from './observation.ts'
import { shown } from './redact.ts'

export type ObserverOptions = {
  /** Lines below it are not written. */
  level: Level | 'silent'
  /** The level of each kind that does not carry one itself; any other kind is `info`. */
  levels: Readonly<Record<string, Level>>
  /** Where the lines go. */
  sink: DestinationStream
}

/** Writes one line of JSON for each observation, with every text cut and scrubbed. */
export function createObserver(options: ObserverOptions): Observe {
  const log = pino({ level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level } }, options.sink)
  return (observation) => {
    const at = observation.level ?? options.levels[observation.kind] ?? 'info'
    if (log.isLevelEnabled(at)) log[at](lineOf(observation))
  }
}

const level = (label: string) => ({ level: label })

function lineOf(observation: { readonly [field: string]: Field | undefined }): Record<string, Field> {
  const line: Record<string, Field> = {}
  for (const [field, value] of Object.entries(observation)) if (field !== 'level' && value !== undefined) line[field] = shown(value)
  return line
}
