import type { Clock } from './clock.ts'
import { systemClock } from './clock.ts'
import type { FaultRule } from './faults.ts'
import type { NumberOptions } from './numbers.ts'
import type { NinthDigit } from './person.ts'
import { freshSeed } from './random.ts'
import type { TemplateOptions } from './templates.ts'
import type { PairLimit } from './throughput.ts'

/** What can be changed while the simulator runs. */
export type Behaviour = {
  /** Time between the accepted send and its first status, and between one status and the next. */
  statusGapMs: number
  /** Time before the first status, on top of the gap. */
  statusDelayMs: number
  /** Keep statuses back until `releaseStatuses`. */
  statusHold: boolean
  /** How often each status is sent; 2 sends all of them twice. */
  statusCopies: number
  statusOrder: 'in-order' | 'reversed' | 'shuffled'
  /** Statuses that never come. */
  statusDrop: readonly ('sent' | 'delivered' | 'read' | 'failed')[]
  /** Hand over the first status, and have it answered, before the send itself is answered. */
  statusBeforeAnswer: boolean
  /** How many statuses one POST may carry. Above 1, statuses that are due together share one. */
  noticeBatchMax: number
  /** Time before every answer to a send. */
  answerDelayMs: number
  brazilNinthDigit: NinthDigit
  /** Links that cannot be fetched, by a part of each: a send with one is accepted and fails with 131053. All other links are believed. */
  brokenLinks: readonly string[]
  /** Send no notice of a WABA before it is subscribed, as the platform does. */
  requireSubscription: boolean
  /** Time from the creation of a template to the outcome of its review, and from one outcome to the next. */
  templateReviewMs: number
}

/** Bounds of the handing over of notices. */
export type OutboxLimits = {
  connections: number
  timeoutMs: number
  firstGapMs: number
  gapMsMax: number
  attemptsMax: number
  queueMax: number
  undeliveredMax: number
}

/** Everything that a simulator can be started with; all of it may be left out. */
export type SimulatorOptions = Partial<Behaviour> & {
  host?: string
  /** 0 lets the system choose. */
  port?: number
  /** Where notices go. Can also be set later. */
  callbackUrl?: string
  appSecret?: string
  verifyToken?: string
  numbers?: readonly NumberOptions[]
  /** Every WABA has them, besides those that are always there. */
  templates?: readonly TemplateOptions[]
  faults?: readonly FaultRule[]
  /** A run with the same seed and the same sends repeats. Without one, each run has ids of its own. */
  seed?: number
  /** Messages a second and number before 130429. */
  throughputPerSecond?: number
  /** The limit of one number to one person; left out, there is none. */
  pairLimit?: PairLimit
  notices?: Partial<OutboxLimits>
  /** Sends and notices that stay in memory, each. */
  recordMax?: number
  /** Bytes of files that are held in memory; more pushes the oldest out. At least 100 MiB, so that any file fits. */
  mediaBytesMax?: number
  /** Where the links of files point, when that is to be another host: `http://localhost:PORT`. Without it, the address that the caller used. */
  mediaBaseUrl?: string
  /** A file to which every send and notice is appended, one JSON object a line. */
  historyFile?: string
  clock?: Clock
}

/** Options with every gap filled. */
export type Settings = {
  behaviour: Behaviour
  host: string
  port: number
  callbackUrl: string | null
  appSecret: string
  verifyToken: string
  seed: number
  throughputPerSecond: number
  pairLimit: PairLimit | null
  outboxLimits: OutboxLimits
  recordMax: number
  mediaBytesMax: number
  mediaBaseUrl: string | null
  historyFile: string | null
  clock: Clock
}

/** What holds for everything that the options leave out. */
export const defaultBehaviour: Behaviour = {
  statusGapMs: 100,
  statusDelayMs: 0,
  statusHold: false,
  statusCopies: 1,
  statusOrder: 'in-order',
  statusDrop: [],
  statusBeforeAnswer: false,
  noticeBatchMax: 1,
  answerDelayMs: 0,
  brazilNinthDigit: 'keep',
  brokenLinks: [],
  requireSubscription: true,
  templateReviewMs: 1000,
}

const OUTBOX_LIMITS: OutboxLimits = {
  connections: 16,
  timeoutMs: 10_000,
  firstGapMs: 200,
  gapMsMax: 60_000,
  attemptsMax: 10,
  queueMax: 200_000,
  undeliveredMax: 10_000,
}

/** Fills the gaps of the options. */
export function settingsOf(options: SimulatorOptions): Settings {
  return {
    behaviour: behaviourWith(defaultBehaviour, options),
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    callbackUrl: options.callbackUrl ?? null,
    appSecret: options.appSecret ?? 'simulated-app-secret',
    verifyToken: options.verifyToken ?? 'simulated-verify-token',
    seed: options.seed ?? freshSeed(),
    throughputPerSecond: options.throughputPerSecond ?? 80,
    pairLimit: options.pairLimit ?? null,
    outboxLimits: { ...OUTBOX_LIMITS, ...options.notices },
    recordMax: options.recordMax ?? 100_000,
    mediaBytesMax: options.mediaBytesMax ?? 256 * 1024 * 1024,
    mediaBaseUrl: options.mediaBaseUrl ?? null,
    historyFile: options.historyFile ?? null,
    clock: options.clock ?? systemClock,
  }
}

/** The behaviour with these changes; keys that are not of a behaviour are left aside. */
export function behaviourWith(behaviour: Behaviour, changes: Partial<Behaviour>): Behaviour {
  const known = Object.keys(defaultBehaviour)
  return { ...behaviour, ...Object.fromEntries(Object.entries(changes).filter(([key]) => known.includes(key))) }
}
