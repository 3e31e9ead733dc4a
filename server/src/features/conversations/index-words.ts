import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { findContactsById } from '../contacts/public.ts'
import { findMessageWords } from '../messages/public.ts'
import { searchWords } from './rules.ts'
import { dropMessageWords, type SearchedPerson, writeMessageWords, writePersonWords } from './search-store.ts'

/** Lets messages be found by what they say now, and their people by how they are called now; in the caller's transaction. */
export async function indexWords(tx: Tx, wanted: readonly { accountId: Uuid; id: Uuid }[]): Promise<void> {
  const messages = await findMessageWords(tx, wanted)
  const said = messages.map((each) => ({ ...each, words: searchWords(each.text ?? '') }))
  const saying = new Set(said.filter((each) => each.words !== '').map((each) => each.id))
  await writeMessageWords(
    tx,
    said.filter((each) => saying.has(each.id)),
  )
  await dropMessageWords(
    tx,
    wanted.filter((each) => !saying.has(each.id)),
  )
  await writePersonWords(tx, await peopleOf(tx, said))
}

async function peopleOf(tx: Tx, messages: readonly { accountId: Uuid; contactId: Uuid; livemode: boolean }[]): Promise<SearchedPerson[]> {
  const asked = [...new Map(messages.map((each) => [each.contactId, each])).values()]
  const found = await findContactsById(
    tx,
    asked.map((each) => ({ accountId: each.accountId, id: each.contactId })),
  )
  const people = found.flatMap((contact) => {
    const of = asked[contact.ord - 1]
    if (of === undefined) return []
    const { accountId, livemode } = of
    return [
      [contact.id, { accountId, livemode, contactId: contact.id, words: searchWords(`${contact.name ?? ''} ${contact.phone}`) }] as const,
    ]
  })
  return [...new Map(people).values()]
}
