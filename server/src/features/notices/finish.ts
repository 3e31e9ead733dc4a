import type { Tx } from '../../platform/database/database.ts'
import { clearSetAside, insertSetAside, type SetAside } from './set-aside-store.ts'
import { finishNotices, type Queue, type WaitingNotice } from './store.ts'

/** Marks notices as worked through: of them there lies aside what is named here, and nothing else. */
export async function finish(tx: Tx, queue: Queue, notices: readonly WaitingNotice[], aside: readonly SetAside[]): Promise<void> {
  const ids = notices.map((each) => each.id)
  await finishNotices(tx, ids)
  // Of a notice that is worked through for the first time nothing can lie aside.
  if (queue === 'replay') await clearSetAside(tx, ids)
  await insertSetAside(tx, aside)
}
