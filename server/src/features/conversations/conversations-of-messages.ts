import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { findContactsById } from '../contacts/public.ts'
import { findMessageFacts } from '../messages/public.ts'
import { findConversationsBetween } from './store.ts'

/** The conversations that these messages belong to, each once; a message that is not there any more has none. */
export async function conversationsOfMessages(queries: Queries, accountId: Uuid, ids: readonly Uuid[]): Promise<Uuid[]> {
  const facts = await findMessageFacts(
    queries,
    ids.map((id) => ({ accountId, id })),
  )
  const places = [...new Map(facts.map((each) => [`${each.channelId} ${each.contactId}`, each])).values()]
  const people = await findContactsById(
    queries,
    places.map((each) => ({ accountId, id: each.contactId })),
  )
  const today = people.flatMap((contact) => {
    const channelId = places[contact.ord - 1]?.channelId
    return channelId === undefined ? [] : [{ accountId, channelId, contactId: contact.id }]
  })
  const found = await findConversationsBetween(queries, today)
  return [...new Set(found.flatMap((each) => (each === null ? [] : [each.id])))]
}
