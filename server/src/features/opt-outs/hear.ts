import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { findContactsById, holdPeople } from '../contacts/public.ts'
import { liftOptOuts } from './lift.ts'
import type { Wish } from './opt-out.ts'
import { setOptOuts } from './set.ts'
import { upsertHeardWishes } from './wish-store.ts'

/**
 * rule: opt-outs 4. Takes in what people said about marketing, by upstream's control, by its refusal of a send or by a word, in any order
 * and however often, in the caller's transaction: what was said last counts, and sets the opt-out or lifts it. A moment in the future is now.
 */
export async function hearWishes(tx: Tx, { clock }: { clock: Clock }, heard: readonly Wish[]): Promise<void> {
  if (heard.length === 0) return
  await holdPeople(tx, heard)
  const last = lastOfEach(await ofPeople(tx, heard), clock.now())
  const counted = await upsertHeardWishes(tx, last)
  const changed = last.filter((each) => counted.has(each.contactId))
  await setOptOuts(
    tx,
    { clock },
    changed.filter((each) => !each.wanted),
  )
  await liftOptOuts(
    tx,
    changed.filter((each) => each.wanted),
  )
}

/** Under the ids that the people have by now, and until commit. */
async function ofPeople(tx: Tx, heard: readonly Wish[]): Promise<Wish[]> {
  const contacts = await findContactsById(
    tx,
    heard.map((each) => ({ accountId: each.accountId, id: each.contactId })),
  )
  const ids = new Map(contacts.map((each) => [each.ord - 1, each.id]))
  return heard.map((each, i) => ({ ...each, contactId: ids.get(i) ?? each.contactId }))
}

/** The last wish of each person; of two in one second the refusal, as in the statement. */
function lastOfEach(heard: readonly Wish[], now: Date): Wish[] {
  const last = new Map<Uuid, Wish>()
  for (const wish of heard) {
    const each = wish.at > now ? { ...wish, at: now } : wish
    const other = last.get(each.contactId)
    if (other === undefined || each.at > other.at || (each.at.getTime() === other.at.getTime() && other.wanted))
      last.set(each.contactId, each)
  }
  return [...last.values()]
}
