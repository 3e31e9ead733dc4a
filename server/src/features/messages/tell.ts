import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { findContactsById } from '../contacts/public.ts'
import { type DeliveryHint, type MessageEventKind, type NewEvent, recordEvents } from '../webhooks/public.ts'
import type { Message, Reaction } from './message.ts'
import { messageJson, reactedJson, type ShownContact } from './wire.ts'

/** An event to tell of a message, as it is at that moment. */
export type Told = { type: MessageEventKind; message: Message; reaction?: Reaction }

/** Records one event for each, in the caller's transaction and last in it. Answers which webhooks to wake after commit. */
export async function tellOf(tx: Tx, clock: Clock, told: readonly Told[]): Promise<readonly DeliveryHint[]> {
  if (told.length === 0) return []
  const people = told.flatMap(({ message, reaction }) =>
    [message.contactId, ...(reaction ? [reaction.contactId] : [])].map((id) => ({ accountId: message.accountId, id })),
  )
  const found = await findContactsById(tx, people)
  const shown = new Map<string, ShownContact>(found.map((contact) => [contact.id, contact]))
  const personOf = (id: Uuid) => present(shown.get(id), 'whoever wrote or reacted is there')
  return recordEvents(
    tx,
    { clock },
    told.map(({ type, message, reaction }): NewEvent => {
      const json = messageJson(message, personOf(message.contactId))
      return {
        accountId: message.accountId,
        livemode: message.livemode,
        type,
        data: reaction === undefined ? json : reactedJson(json, message, { ...reaction, contact: personOf(reaction.contactId) }),
      }
    }),
  )
}
