import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Contact, idsOf, meetPeople, openWindows } from '../contacts/public.ts'
import { followPeople } from '../opt-outs/public.ts'
import { applyActs } from './apply-acts.ts'
import type { Inbound } from './inbound.ts'
import { keepOriginals, type Received } from './keep-originals.ts'
import { nothing } from './tell.ts'

/**
 * Takes in what people did, and what the business did in the phone's own app: the people, the windows, the messages, what was done to
 * them. In any order and however often each comes, and with another process at work on the same people (rule: receive 2). In the caller's
 * transaction; answers what is to be told, for the caller to record last in it, and whether the lane of files has something to do.
 */
export async function receiveMessages(tx: Tx, clock: Clock, { messages, acts, openings }: Inbound): Promise<Received> {
  const all = [...messages, ...acts, ...openings]
  if (all.length === 0) return { ...nothing, filesQueued: false }
  const people = await meetPeople(
    tx,
    { clock, follow: followPeople },
    all.map((each) => ({ ...each.person, at: each.at })),
  )
  const contactOf = new Map(all.map((each, i) => [each, people[i] ?? null]))
  // rule: receive 4. Also a repeated one: the window only ever moves forward.
  const opening = all.filter((each) => !('opensWindow' in each) || each.opensWindow)
  await openWindows(tx, clock.now(), known(opening, contactOf))
  // Messages before what is done to them: an original of the same batch needs no placeholder.
  const received = await keepOriginals(tx, clock, known(messages, contactOf))
  const acted = await applyActs(tx, clock, known(acts, contactOf))
  return {
    ...received,
    told: [...received.told, ...acted.told],
    counted: [...received.counted, ...acted.counted],
    touched: acted.touched ?? [],
  }
}

/** `contactIds`: all under which something of the person may be written. */
type KnownPerson = { contactId: Uuid; contactIds: readonly Uuid[] }

/** Those whose person is known: a notice that names nobody was set aside before. */
function known<Each extends object>(list: readonly Each[], contactOf: ReadonlyMap<object, Contact | null>): (Each & KnownPerson)[] {
  return list.flatMap((each) => {
    const contact = contactOf.get(each)
    return contact ? [{ ...each, contactId: contact.id, contactIds: idsOf(contact) }] : []
  })
}
