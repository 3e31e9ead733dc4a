import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { findContactsById } from '../contacts/public.ts'
import { countUsage, type MessageChange } from '../usage/public.ts'
import { type DeliveryHint, type MessageEventKind, type NewEvent, recordEvents } from '../webhooks/public.ts'
import { type FeedChange, recordChanges } from './feed.ts'
import type { Message, Reaction } from './message.ts'
import { messageJson, reactedJson, type ShownContact } from './wire.ts'

/** An event to tell of a message, as it is at that moment. */
export type Told = { type: MessageEventKind; message: Message; reaction?: Reaction }

/** What a transaction has to tell and to count at its end. */
export type Outcome = {
  told: readonly Told[]
  /** Events of other things than messages. */
  events?: readonly NewEvent[]
  counted: readonly (MessageChange & { before: { untold: boolean } | null; after: { untold: boolean } })[]
  /** Messages that changed in what is not counted: their words, or what people think of them. */
  touched?: readonly Message[]
}

export const nothing: Outcome = { told: [], counted: [] }

/**
 * Records the events and then counts, in the caller's transaction and last in it. Always in this order, and once: two transactions that took
 * lanes and counters in turns would wait for each other in a ring. Answers which webhooks to wake after commit.
 */
export async function tellAndCount(tx: Tx, clock: Clock, outcome: Outcome): Promise<readonly DeliveryHint[]> {
  const { told, events = [], counted } = outcome
  // The feed waits for nobody, so that it goes out together with whatever comes next.
  const recorded = recordChanges(tx, clock.now(), changesOf(outcome))
  const [, hints] = await Promise.all([recorded, eventsOf(tx, told).then((own) => recordEvents(tx, { clock }, [...own, ...events]))])
  await countUsage(tx, counted)
  return hints
}

/** What is told from now on counts as new, also where something stood in for it. */
function changesOf({ counted, touched = [] }: Outcome): FeedChange[] {
  const isNew = ({ before, after }: Outcome['counted'][number]) => before === null || (before.untold && !after.untold)
  return [
    ...counted.map((each): FeedChange => ({ ...placeOf(each.after), how: isNew(each) ? 'new' : 'moved' })),
    ...touched.map((each): FeedChange => ({ ...placeOf(each), how: 'changed' })),
  ]
}

const placeOf = ({ accountId, livemode, id }: Pick<Message, 'accountId' | 'livemode' | 'id'>) => ({ accountId, livemode, id })

/** Records one event for each, in the caller's transaction and last in it. Answers which webhooks to wake after commit. */
export async function tellOf(tx: Tx, clock: Clock, told: readonly Told[]): Promise<readonly DeliveryHint[]> {
  return recordEvents(tx, { clock }, await eventsOf(tx, told))
}

async function eventsOf(tx: Tx, told: readonly Told[]): Promise<NewEvent[]> {
  if (told.length === 0) return []
  const people = told.flatMap(({ message, reaction }) =>
    [message.contactId, ...(reaction ? [reaction.contactId] : [])].map((id) => ({ accountId: message.accountId, id })),
  )
  const found = await findContactsById(tx, people)
  // By their place: who was joined with another answers under that one's id.
  const shown = new Map<string, ShownContact>(found.map((contact) => [present(people[contact.ord - 1], 'it was asked for').id, contact]))
  const personOf = (id: Uuid) => present(shown.get(id), 'whoever wrote or reacted is there')
  return told.map(({ type, message, reaction }): NewEvent => {
    const json = messageJson(message, personOf(message.contactId))
    return {
      accountId: message.accountId,
      livemode: message.livemode,
      type,
      subject: message.id,
      data: reaction === undefined ? json : reactedJson(json, message, { ...reaction, contact: personOf(reaction.contactId) }),
    }
  })
}
