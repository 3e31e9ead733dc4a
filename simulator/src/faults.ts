import type { GraphCall } from './calls.ts'
import type { Random } from './random.ts'

/**
 * What goes wrong with a send or another call. `accepted: true` means that the platform does what it was asked for all the same: it takes the
 * message and its statuses follow, it keeps the file.
 */
export type Fault =
  | { kind: 'graph-error'; code: number; status?: number; message?: string; details?: string; accepted?: boolean }
  | { kind: 'html'; status?: number; accepted?: boolean }
  | { kind: 'too-many-requests'; retryAfterSeconds?: number }
  /** 200 with a body that stops in the middle. Accepted unless it says `accepted: false`. */
  | { kind: 'unreadable'; accepted?: boolean }
  /** Done, but the connection ends in the middle of the answer's body. */
  | { kind: 'truncated' }
  /** Done, but with wrong content of the right form: another byte in a download, another hash in what is told of a file. */
  | { kind: 'altered' }
  | { kind: 'accept-then-reset' }
  | { kind: 'accept-then-hang' }
  /** The connection is reset at the request's headers, before anything of its body is looked at. */
  | { kind: 'reset-before-reading' }
  /** Accepted at once, answered after `delayMs`. */
  | { kind: 'slow'; delayMs: number }
  /** The request is read, the connection closed without an answer, the message not accepted. */
  | { kind: 'drop' }

/**
 * Which calls a rule is for. Without `call` it is for sends, and an absent key fits all of them; `to` is digits, of which the end is compared.
 * Read receipts only when `kind` is `read`. With `call` it is for that call alone, and `id`, if given, is the id in its path or its link.
 */
export type FaultMatch = { to?: string; phoneNumberId?: string; kind?: string; call?: GraphCall; id?: string }

/**
 * One line of the script. `after` fitting sends pass first (0), then `times` are hit (1, or `always`), each with the probability `chance` (1).
 * Rules are tried in the order of the list; the first that hits is the fault.
 */
export type FaultRule = { match?: FaultMatch; after?: number; times?: number | 'always'; chance?: number; fault: Fault }

/** What is known of a send when the script is asked. */
type FaultSubject = { phoneNumberId: string; to: string | null; kind: string }

/** The script and how far it has come. */
export type FaultScript = {
  add(rules: readonly FaultRule[]): void
  clear(): void
  /** The rules that can still hit, with what is left of them. */
  left(): FaultRule[]
  /** True when a `reset-before-reading` hits a request to this number. */
  takeBeforeReading(phoneNumberId: string): boolean
  /** The fault that hits this send, or null. */
  take(subject: FaultSubject): Fault | null
  /** The fault that hits this call, or null; `id` is that of the node in its path. */
  takeCall(call: GraphCall, id: string): Fault | null
}

type LiveRule = { rule: FaultRule; skip: number; times: number }

/** A script with nothing in it. Chances are drawn from `random`, so they repeat with its seed. */
export function createFaultScript(random: Random): FaultScript {
  let live: LiveRule[] = []
  const takeFrom = (candidates: readonly LiveRule[]) => {
    for (const each of candidates) {
      if (each.skip > 0) {
        each.skip -= 1
        continue
      }
      if (each.rule.chance !== undefined && random.fraction() >= each.rule.chance) continue
      each.times -= 1
      if (each.times === 0) live = live.filter((other) => other !== each)
      return each.rule.fault
    }
    return null
  }
  const early = (each: LiveRule) => each.rule.fault.kind === 'reset-before-reading' && each.rule.match?.call === undefined
  return {
    add: (rules) => {
      live.push(...rules.map(toLive))
    },
    clear: () => {
      live = []
    },
    left: () => live.map(fromLive),
    takeBeforeReading: (phoneNumberId) => {
      if (live.length === 0) return false
      return takeFrom(live.filter((each) => early(each) && (each.rule.match?.phoneNumberId ?? phoneNumberId) === phoneNumberId)) !== null
    },
    take: (subject) => {
      if (live.length === 0) return null
      return takeFrom(live.filter((each) => !early(each) && fits(each.rule.match ?? {}, subject)))
    },
    takeCall: (call, id) => {
      if (live.length === 0) return null
      return takeFrom(live.filter(({ rule: { match } }) => match?.call === call && (match.id ?? id) === id))
    },
  }
}

function toLive(rule: FaultRule): LiveRule {
  return { rule, skip: rule.after ?? 0, times: rule.times === 'always' ? Number.POSITIVE_INFINITY : (rule.times ?? 1) }
}

function fromLive(each: LiveRule): FaultRule {
  return { ...each.rule, after: each.skip, times: Number.isFinite(each.times) ? each.times : 'always' }
}

function fits(match: FaultMatch, subject: FaultSubject): boolean {
  if (match.call !== undefined) return false
  if (match.phoneNumberId !== undefined && match.phoneNumberId !== subject.phoneNumberId) return false
  if (match.kind === undefined ? subject.kind === 'read' : match.kind !== subject.kind) return false
  return match.to === undefined || subject.to?.replace(/[+\s()-]/g, '').endsWith(match.to.replace(/^\+/, '')) === true
}
