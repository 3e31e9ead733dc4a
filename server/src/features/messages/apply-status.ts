import type { Clock } from '../../base/clock.ts'
import { parseId, type Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { applyMoves, type MessageMove } from './apply-moves.ts'
import type { StatusNotice } from './move.ts'
import { parkStatuses } from './parked-status.ts'
import { findByWamid, findChannelsOf } from './store.ts'
import { nothing, type Outcome, tellAndCount } from './tell.ts'

/**
 * Applies status notices, in any order and however often each comes, in the caller's transaction and last in it. A status of a
 * message that we do not have is parked: it may be another tool's, or our own whose answer is not recorded yet. What the transaction
 * has to tell besides goes first, so that the webhooks are locked once and last. Answers which webhooks to wake.
 */
export async function applyStatuses(
  tx: Tx,
  clock: Clock,
  statuses: readonly StatusNotice[],
  besides: Outcome = nothing,
): Promise<readonly DeliveryHint[]> {
  if (statuses.length === 0) return tellAndCount(tx, clock, besides)
  const ids = await messagesOf(tx, statuses)
  const moves = statuses.flatMap((each, i): MessageMove[] => {
    const id = ids[i]
    return id ? [{ accountId: each.accountId, id, move: { ...each, kind: 'status', intentAt: null } }] : []
  })
  await parkStatuses(
    tx,
    clock,
    statuses.filter((_each, i) => !ids[i]),
  )
  return applyMoves(tx, clock, moves, besides)
}

/**
 * The message of each status: by the id that we gave with the send, checked against the number that it went from, else by wamid. Where the
 * two differ, the wamid is of an echo or a placeholder that came before the answer to the send.
 */
async function messagesOf(tx: Tx, statuses: readonly StatusNotice[]): Promise<(Uuid | null)[]> {
  const ids = await findByWamid(tx, statuses)
  const guesses = statuses.flatMap((each, i) => {
    const id = messageIdIn(each.opaque)
    return id === null || id === ids[i] ? [] : [{ i, accountId: each.accountId, id }]
  })
  const channels = await findChannelsOf(tx, guesses)
  for (const { i, id } of guesses) {
    const channel = channels.get(id)
    const status = statuses[i]
    if (channel !== undefined && channel.channelId === status?.channelId && channel.livemode === status.livemode) ids[i] = id
  }
  return ids
}

function messageIdIn(opaque: string | null): Uuid | null {
  return opaque === null ? null : parseId('msg', opaque.split('.')[0] ?? '')
}
