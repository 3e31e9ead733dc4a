import type { Clock } from '../../base/clock.ts'
import { formatId, type Uuid } from '../../base/id.ts'
import type { Database } from '../../platform/database/database.ts'
import { markDisconnected } from '../channels/public.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { applyMoves } from './apply-moves.ts'
import type { Upload } from './dispatch.ts'
import { brake, comeBack, endFlight, heldLaneMs } from './lane.ts'
import type { SendObservation } from './observation.ts'
import { dropWaitingSends } from './send-queue.ts'
import type { FileToUpload, UploadOutcome, UpstreamFiles } from './upstream-files.ts'

export type UploadsDeps = {
  database: Database
  clock: Clock
  observe: (observation: SendObservation) => void
  files: UpstreamFiles
  wakeDeliveries: (hints: readonly DeliveryHint[]) => void
}

/** So many sends may wait for their files at once, and of one account; the others look again a moment later. */
const waitingMax = 1_000
const waitingOfAccountMax = 200
const lookAgainMs = 100

/**
 * Brings files to upstream before their sends leave: nothing is written down as about to be sent meanwhile, so that a crash in between
 * costs no more than a second upload. The person waits, so that their order is kept; everybody else goes on.
 */
export function createUploads(deps: UploadsDeps, onDone: () => void): { launch(upload: Upload): void } {
  const { clock } = deps
  let waiting = 0
  const waitingOf = new Map<Uuid, number>()
  const count = (accountId: Uuid, by: 1 | -1) => {
    waiting += by
    const ofAccount = (waitingOf.get(accountId) ?? 0) + by
    if (ofAccount > 0) waitingOf.set(accountId, ofAccount)
    else waitingOf.delete(accountId)
  }
  const carry = async ({ lane, row, file }: Upload): Promise<void> => {
    const beganMs = clock.monotonicMs()
    const outcome = await settle(deps, row, file)
    const nowMs = clock.monotonicMs()
    endFlight(lane, row.contactId, outcome.kind === 'not_now' ? brake(lane, 'person', row.contactId, nowMs) : 0, nowMs)
    if (outcome.kind === 'not_now' && outcome.channelIsDead) lane.parkedUntilMs = nowMs + heldLaneMs
    comeBack(lane)
    const code = outcome.kind === 'uploaded' ? null : outcome.code
    const channelId = formatId('ch', lane.channelId)
    deps.observe({ kind: 'send.file_uploaded', channelId, outcome: outcome.kind, code, ms: Math.round(nowMs - beganMs) })
  }
  return {
    launch(upload) {
      const { lane, row } = upload
      if (waiting >= waitingMax || (waitingOf.get(row.accountId) ?? 0) >= waitingOfAccountMax) {
        const nowMs = clock.monotonicMs()
        endFlight(lane, row.contactId, nowMs + lookAgainMs, nowMs)
        comeBack(lane)
        return
      }
      count(row.accountId, 1)
      void carry(upload).finally(() => {
        count(row.accountId, -1)
        onDone()
      })
    },
  }
}

/** Uploads, and writes down what upstream will not have at all. What cannot be written down now is found out again. */
async function settle(deps: UploadsDeps, row: Upload['row'], file: FileToUpload): Promise<UploadOutcome> {
  const outcome = await deps.files.upload(file).catch(notNow)
  try {
    if (outcome.kind === 'refused') await failUnsent(deps, row, outcome)
    if (outcome.kind === 'not_now' && outcome.channelIsDead)
      await deps.database.transaction((tx) =>
        markDisconnected(tx, [{ accountId: file.accountId, channelId: file.channelId, because: outcome.message, at: deps.clock.now() }]),
      )
    return outcome
  } catch (error) {
    return notNow(error)
  }
}

const notNow = (error: unknown): UploadOutcome => ({
  kind: 'not_now',
  code: null,
  message: error instanceof Error ? error.message : String(error),
  channelIsDead: false,
})

/** Fails a send that has not left and never will; one that left meanwhile, or expired, is left alone. */
async function failUnsent(
  { database, clock, wakeDeliveries }: UploadsDeps,
  row: Upload['row'],
  { code, message }: Extract<UploadOutcome, { kind: 'refused' }>,
): Promise<void> {
  const at = clock.now()
  const hints = await database.repeatable(async (tx) => {
    const dropped = await dropWaitingSends(tx, [row])
    return applyMoves(
      tx,
      clock,
      dropped.map((each) => ({ ...each, move: { kind: 'refused', code, message, at } })),
    )
  })
  wakeDeliveries(hints)
}
