import type { Clock } from '../../base/clock.ts'
import { crashpoint } from '../../base/crashpoint.ts'
import type { Uuid } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SendOutcome } from '../../platform/upstream/send.ts'
import { markDisconnected } from '../channels/public.ts'
import { learnFromAnswers } from '../contacts/public.ts'
import { followPeople } from '../opt-outs/public.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { applyMoves, type MessageMove } from './apply-moves.ts'
import type { KnownNames } from './dispatch.ts'
import type { Wamid } from './message.ts'
import { type Attempt, finishSends, markSendsUnknown, recordAttempts, requeueSends } from './send-queue.ts'

/** One upstream call that ended, with what is known of it. */
export type FinishedSend = Attempt & {
  channelId: Uuid
  /** Whom it was posted to: digits, or a user id. */
  recipient: string
  person: KnownNames
  livemode: boolean
  intentAt: Date
  endedAt: Date
  ms: number
  outcome: SendOutcome
  /** Where upstream did not accept: from when on it may be tried again. */
  notBefore: Date | null
}

type Deps = { database: Database; clock: Clock; wakeDeliveries: (hints: readonly DeliveryHint[]) => void }

/**
 * Records what became of upstream calls, in one transaction: the attempt, the message's move with its events, the queue row.
 * Facts are not fenced: whoever knows them records them, by message and attempt, whoever owns the shard now.
 * May be repeated.
 */
export async function recordOutcomes(deps: Deps, finished: readonly FinishedSend[]): Promise<null[]> {
  const hints = await deps.database.repeatable(async (tx) => {
    // Before anything else is locked: people come first everywhere.
    await learnFromAnswers(tx, { clock: deps.clock, follow: followPeople }, finished.flatMap(answerOf))
    const by = Object.groupBy(finished, (each) => each.outcome.kind)
    const [requeued] = await Promise.all([
      requeueSends(tx, by.not_accepted ?? []),
      recordAttempts(tx, finished.map(attemptRecord)),
      finishSends(tx, [...(by.accepted ?? []), ...(by.refused ?? [])]),
      markSendsUnknown(tx, by.unknown ?? []),
      markDisconnected(tx, finished.flatMap(disconnection)),
    ])
    // Only those put back: a fact about an earlier attempt says nothing of the one under way.
    const waiting = requeued.map((each): MessageMove => ({ ...each, move: { kind: 'not_accepted' } }))
    const woken = await applyMoves(tx, deps.clock, [...finished.flatMap(moveOf), ...waiting])
    crashpoint('before_outcome_commit')
    return woken
  })
  deps.wakeDeliveries(hints)
  return finished.map(() => null)
}

function attemptRecord(each: FinishedSend) {
  const { outcome } = each
  const code = outcome.kind === 'accepted' ? null : outcome.code
  return { ...each, startedAt: each.intentAt, outcome: outcome.kind, statusCode: outcome.statusCode, code }
}

function moveOf({ accountId, messageId, outcome, intentAt, endedAt }: FinishedSend): MessageMove[] {
  const to = (move: MessageMove['move']) => [{ accountId, id: messageId, move }]
  switch (outcome.kind) {
    case 'accepted':
      return to({ kind: 'accepted', wamid: outcome.wamid as Wamid, at: endedAt })
    case 'refused':
      return to({ kind: 'refused', code: outcome.code, message: outcome.message, at: endedAt })
    case 'unknown':
      return to({ kind: 'outcome_unknown', intentAt })
    case 'not_accepted':
      return []
  }
}

/** A number that cannot send at all is not connected, until the operator or upstream mends it. */
function disconnection({ accountId, channelId, livemode, outcome, endedAt }: FinishedSend) {
  return livemode && outcome.kind === 'not_accepted' && outcome.brake === 'channel'
    ? [{ accountId, channelId, because: outcome.message, at: endedAt }]
    : []
}

/** Mostly nothing new: then the person is not even looked at. */
function answerOf({ accountId, livemode, recipient, person, intentAt, outcome }: FinishedSend) {
  if (outcome.kind !== 'accepted') return []
  const { input, waId, userId } = outcome
  const tellsMore = (waId !== null && waId !== person.waId) || (userId !== null && userId !== person.userId)
  return tellsMore ? [{ accountId, livemode, input: input ?? recipient, waId, userId, at: intentAt }] : []
}
