import { type BatchObservation, createBatcher } from '../../platform/database/batcher.ts'
import { type SendDeps, type SendResult, sendMessages } from './send.ts'
import type { Send } from './send-request.ts'

const sendsPerCommitMax = 200
/** Some seconds of work; one more is refused, and its caller may repeat it with the same Idempotency-Key. */
const waitingMax = 20_000
/** A restart of the database is waited for; one that hangs is told to the caller, who may repeat. */
const answerMsMax = 10_000

/** Accepts single sends, those of concurrent callers in one transaction. */
export function createSender(deps: SendDeps & { observe: (observation: BatchObservation) => void }): (send: Send) => Promise<SendResult> {
  return createBatcher<Send, SendResult>({
    name: 'sends',
    observe: deps.observe,
    itemsMax: sendsPerCommitMax,
    waitingMax,
    patience: { clock: deps.clock, msMax: answerMsMax },
    run: (sends) => sendMessages(deps, sends),
  })
}
