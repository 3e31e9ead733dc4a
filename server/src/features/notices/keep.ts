import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { type BatchObservation, createBatcher } from '../../platform/database/batcher.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Vitals } from '../../platform/observe/vitals.ts'
import type { SimulatedNotice } from '../messages/public.ts'
import { insertNotices, type RawNotice } from './store.ts'

export type NoticeKeeper = {
  /** Resolves once the notice is committed. Rejects when it may not be: it must then not be answered as taken. */
  keep(notice: RawNotice): Promise<void>
  /** The same for what the simulated upstream of test keys will say. */
  keepSimulated(notices: readonly SimulatedNotice[]): Promise<void>
}

/** More than this waiting, in number or in size (a body has up to 3 MB), is refused, and upstream comes again. */
const waitingMax = 2_000
const waitingBytesMax = 64 * 1024 * 1024
const bytesPerCommitMax = 16 * 1024 * 1024
const noticesPerCommitMax = 200
const commitsEveryMs = 10
/** Upstream waits some seconds for its answer and comes again: an answer after that is for nobody. */
const answerMsMax = 5_000

type KeeperDeps = {
  database: Database
  clock: Clock
  observe: (observation: BatchObservation) => void
  wake: () => void
  vitals?: Vitals | undefined
}

/** Writes notices down, those of concurrent callers in one commit; `wake` is told after each. */
export function createNoticeKeeper(deps: KeeperDeps): NoticeKeeper {
  const bytes = {
    of: (notices: readonly RawNotice[]) => notices.reduce((sum, { body }) => sum + body.length, 0),
    waitingMax: waitingBytesMax,
    perRunMax: bytesPerCommitMax,
  }
  const spacing = { clock: deps.clock, ms: commitsEveryMs }
  const bounds = { name: 'notices', observe: deps.observe, vitals: deps.vitals, itemsMax: noticesPerCommitMax, spacing, waitingMax, bytes }
  const run = async (lists: readonly (readonly RawNotice[])[]): Promise<null[]> => {
    await deps.database.repeatable((tx) => insertNotices(tx, lists.flat()))
    deps.wake()
    return lists.map(() => null)
  }
  const write = createBatcher({ ...bounds, patience: { clock: deps.clock, msMax: answerMsMax }, run })
  // The simulated upstream is as patient as its sends: a notice written after it gave up would speak of an attempt that is made again.
  const writeSimulated = createBatcher({ ...bounds, run })
  const simulated = (notice: SimulatedNotice, receivedAt: Date): RawNotice => ({
    ...notice,
    id: newUuid(receivedAt) as Uuid,
    livemode: false,
    receivedAt,
  })
  return {
    async keep(notice) {
      await write([notice])
    },
    async keepSimulated(notices) {
      const now = deps.clock.now()
      await writeSimulated(notices.map((notice) => simulated(notice, now)))
    },
  }
}
