import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { createBatcher } from '../../platform/database/batcher.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SimulatedNotice } from '../messages/public.ts'
import { insertNotices, type RawNotice } from './store.ts'

export type NoticeKeeper = {
  /** Resolves once the notice is committed. Rejects when it may not be: it must then not be answered as taken. */
  keep(notice: RawNotice): Promise<void>
  /** The same for what the simulated upstream of test keys will say. */
  keepSimulated(notices: readonly SimulatedNotice[]): Promise<void>
}

/** Half of it may be 3 MB bodies; more than this waiting is refused, and upstream comes again. */
const waitingMax = 2_000
const noticesPerCommitMax = 200

/** Writes notices down, those of concurrent callers in one commit; `wake` is told after each. */
export function createNoticeKeeper(deps: { database: Database; clock: Clock; wake: () => void }): NoticeKeeper {
  const write = createBatcher<readonly RawNotice[], null>({
    itemsMax: noticesPerCommitMax,
    waitingMax,
    async run(lists) {
      await deps.database.repeatable((tx) => insertNotices(tx, lists.flat()))
      deps.wake()
      return lists.map(() => null)
    },
  })
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
      await write(notices.map((notice) => simulated(notice, now)))
    },
  }
}
