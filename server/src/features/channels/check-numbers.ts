import { unreachable } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { formatId } from '../../base/id.ts'
import type { Result } from '../../base/result.ts'
import { openedOrNull, type Unseal } from '../../base/seal.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import type { UpstreamFailure } from '../../platform/upstream/manage.ts'
import { type NumberFields, readNumber, readSubscribedApps } from '../../platform/upstream/numbers.ts'
import { isChannelCode } from '../../platform/upstream/send.ts'
import { claimChecks, type DueCheck, recordCheck } from './check-store.ts'
import { getsNotices, numberFacts } from './number-facts.ts'

/**
 * `refused`: upstream does not let the token use the number. `no_answer`: nothing is known, and what was known stays. A number that cannot
 * be used is told of at each look, as `channel.unusable`.
 */
export type ChannelCheckObservation = {
  kind: 'channel.checked' | 'channel.unusable'
  channelId: string
  outcome: 'connected' | 'disconnected' | 'refused' | 'no_answer'
  code: number | null
  subscribed: boolean | null
  ms: number
}

export type CheckDeps = {
  database: Database
  clock: Clock
  graph: Graph
  unseal: Unseal
  observe: (observation: ChannelCheckObservation) => void
  /** Our Meta app; null: any app counts as ours. */
  appId: string | null
}

const checksPerTurnMax = 60
const checksAtOnceMax = 4
/** Nobody waits for a look, but a process that stops waits for the turn. */
const turnMsMax = 10_000
const callMsMax = 8_000
/** What got no answer, or was left by a process that died, is tried again then. */
const againMs = 10 * 60_000

/**
 * rule: channels 2. Reads numbers whose hour is over from upstream, a bounded number at a turn. Each process takes others. A good answer
 * brings a number back that was disconnected for any reason but the operator's; one that says that the token or the number is dead
 * disconnects it; no answer changes nothing.
 */
export async function checkDueNumbers(deps: CheckDeps): Promise<void> {
  const now = deps.clock.now()
  const due = await claimChecks(deps.database, now, { againAt: new Date(now.getTime() + againMs), most: checksPerTurnMax })
  const endsAtMs = deps.clock.monotonicMs() + turnMsMax
  const faults: unknown[] = []
  const check = async (): Promise<void> => {
    for (let next = due.pop(); next !== undefined && deps.clock.monotonicMs() < endsAtMs; next = due.pop())
      // One that cannot be checked stops none of the others; it is tried again with the next turn that takes it.
      await checkNumber(deps, next).catch((error: unknown) => faults.push(error))
  }
  await Promise.all(Array.from({ length: checksAtOnceMax }, check))
  if (faults.length > 0) throw faults[0]
}

/** Reads one number from upstream now, and records what was found as every look does. */
export async function checkNumber(deps: CheckDeps, due: DueCheck): Promise<Look> {
  const { clock, observe } = deps
  const [at, beganMs] = [clock.now(), clock.monotonicMs()]
  const look = await lookAt(deps, due)
  const dueAt = new Date(clock.now().getTime() + limits.channelCheckMs)
  const tell = (outcome: ChannelCheckObservation['outcome'], code: number | null, subscribed: boolean | null) => {
    const kind = outcome === 'refused' || outcome === 'disconnected' ? 'channel.unusable' : 'channel.checked'
    const ms = Math.round(clock.monotonicMs() - beganMs)
    observe({ kind, channelId: formatId('ch', due.channelId), outcome, code, subscribed, ms })
  }
  switch (look.kind) {
    case 'no_answer':
      tell('no_answer', look.code, null)
      return look
    case 'refused':
      await recordCheck(deps.database, { ...due, at, dueAt, facts: null, because: look.because, subscribed: null })
      tell('refused', look.code, null)
      return look
    case 'read': {
      const facts = numberFacts(look.fields)
      const { subscribed } = look
      await recordCheck(deps.database, { ...due, at, dueAt, facts, because: null, subscribed })
      tell(facts.status, null, subscribed)
      return look
    }
    default:
      return unreachable(look)
  }
}

/** `because`: upstream's words, where it answered. */
export type Look =
  | { kind: 'read'; fields: NumberFields; subscribed: boolean | null }
  | { kind: 'refused'; code: number; because: string }
  | { kind: 'no_answer'; code: number | null; because: string | null }

async function lookAt({ graph, unseal, appId }: CheckDeps, { token: sealed, phoneNumberId, wabaId }: DueCheck): Promise<Look> {
  const token = openedOrNull(unseal, sealed)
  // Sealed with another SECRET_KEY: that says nothing of the number.
  if (token === null) return { kind: 'no_answer', code: null, because: null }
  const number = await readNumber(graph, { token, phoneNumberId, deadlineMs: callMsMax })
  if (!number.ok) return failed(number.refusal)
  const apps = await readSubscribedApps(graph, { token, wabaId, deadlineMs: callMsMax })
  return { kind: 'read', fields: number.value, subscribed: subscribedIn(apps, appId) }
}

function failed({ code, message }: UpstreamFailure): Look {
  return code !== null && isChannelCode(code) ? { kind: 'refused', code, because: message } : { kind: 'no_answer', code, because: message }
}

const subscribedIn = (apps: Result<string[], UpstreamFailure>, appId: string | null) => (apps.ok ? getsNotices(apps.value, appId) : null)
