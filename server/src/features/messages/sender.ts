import { type BatchObservation, createBatcher } from '../../platform/database/batcher.ts'
import type { Vitals } from '../../platform/observe/vitals.ts'
import type { CategoryReader } from '../templates/public.ts'
import { type SendDeps, sendMessages } from './send.ts'
import type { Send } from './send-request.ts'
import type { SendResult } from './send-result.ts'

const sendsPerCommitMax = 200
const worthASecondCommit = 32
/** Some seconds of work; one more is refused, and its caller may repeat it with the same Idempotency-Key. */
const waitingMax = 20_000
/** A send may have 256 KB: many of those at once are refused before they fill the memory. */
const waitingBytesMax = 64 * 1024 * 1024
const bytesPerCommitMax = 8 * 1024 * 1024
/** So many of one account may wait: its burst never fills the place of the others. */
const waitingOfAccountMax = 4_000
const waitingBytesOfAccountMax = 16 * 1024 * 1024
/** A restart of the database is waited for; one that hangs is told to the caller, who may repeat. */
const answerMsMax = 10_000

type SenderDeps = SendDeps & {
  observe: (observation: BatchObservation) => void
  readCategories: CategoryReader
  vitals?: Vitals | undefined
}

/**
 * Accepts single sends, those of concurrent callers in one transaction, in turns of accounts; each account's in the order asked. Where it depends on the category of a template that is not known,
 * upstream is asked for it, outside of any transaction, and the send is judged anew.
 */
export function createSender(deps: SenderDeps): (send: Send) => Promise<SendResult> {
  const accept = createAccepter(deps)
  return async (send) => {
    const result = await accept(send)
    if (result.ok || !result.refusal.unread || send.template === null) return result
    const [category = null] = await deps.readCategories([result.refusal.unread])
    return accept({ ...send, template: { ...send.template, category } })
  }
}

function createAccepter(deps: SenderDeps): (send: Send) => Promise<SendResult> {
  return createBatcher<Send, SendResult>({
    name: 'sends',
    observe: deps.observe,
    vitals: deps.vitals,
    itemsMax: sendsPerCommitMax,
    besideFrom: worthASecondCommit,
    waitingMax,
    bytes: { of: (send) => send.content.length, waitingMax: waitingBytesMax, perRunMax: bytesPerCommitMax },
    turns: { accountOf: (send) => send.accountId, waitingMax: waitingOfAccountMax, bytesMax: waitingBytesOfAccountMax },
    patience: { clock: deps.clock, msMax: answerMsMax },
    run: (sends) => sendMessages(deps, sends),
  })
}
