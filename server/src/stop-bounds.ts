import { stopPostmasterMsMax } from './platform/database/bundled/stop-postmaster.ts'

/**
 * How long each stage of a stop may take, in milliseconds, in their order. The longest call upstream is waited for: cut off, its outcome would
 * be unknown. With the default drain all of them together are less than the 90 s that the operator grants (`docs/operations.md`).
 */
export const stopMsMax = {
  /** Requests under way end. */
  http: 11_000,
  /** Calls upstream, deliveries and fetches under way end and are recorded. */
  lanes: 36_000,
  /** What is left of the shards is given back. */
  ownership: 5_000,
  /** All small parts together, wherever they stand in the order. */
  small: 9_000,
  sandbox: 3_000,
  /** The bundled server, also one that does not obey. */
  postgres: stopPostmasterMsMax,
} as const

/** No small part takes from the others more than so much of what they share. */
export const smallPartMsMax = 4_000

/** What the stages of the gateway itself draw from. */
export type StopStage = Exclude<keyof typeof stopMsMax, 'sandbox' | 'postgres'>

/** All stages together; the drain comes before. */
export const stopAllMsMax = Object.values(stopMsMax).reduce((sum, each) => sum + each, 0)
