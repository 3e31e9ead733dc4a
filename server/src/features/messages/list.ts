import { present } from '../../base/assert.ts'
import { lowestUuidAt, type Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import { because, invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { Lookup } from '../../platform/database/steps.ts'
import { homeCountryOfAccount } from '../channels/public.ts'
import { findContactsById, findPeople, idsOf, type Recipient, recipientOf, recipientOfTeam, recipientWords } from '../contacts/public.ts'
import { listMessages } from './list-store.ts'
import type { Message, MessageSource, MessageStatus } from './message.ts'
import { findMessage } from './store.ts'
import { messageJson } from './wire.ts'

type Deps = { database: Queries }

export type ListWanted = {
  accountId: Uuid
  livemode: boolean
  limit: number
  startingAfter: Uuid | null
  direction: Message['direction'] | null
  status: MessageStatus | null
  phone: string | null
  /** The team writes a phone as people of its country do. */
  isTeam: boolean
  clientReference: string | null
  source: MessageSource | null
  since: Date | null
  until: Date | null
}

export type Page = { items: JsonText[]; hasMore: boolean }

type ListDeps = { database: Lookup }

async function recipientFrom(deps: Deps, phone: string, { accountId, isTeam }: ListWanted): Promise<Recipient | null> {
  return isTeam ? recipientOfTeam(phone, await homeCountryOfAccount(deps.database, accountId)) : recipientOf(phone)
}

/** One page of messages, newest first. A page that follows another is not moved by messages that came meanwhile. */
export async function listPage(deps: ListDeps, wanted: ListWanted): Promise<Result<Page, Refusal>> {
  const recipient = wanted.phone === null ? null : await recipientFrom(deps, wanted.phone, wanted)
  if (wanted.phone !== null && recipient === null) return refused(invalidField('phone', recipientWords(wanted.phone)))
  const contactIds = recipient === null ? null : await findContactIds(deps.database, wanted, recipient)
  const { rows, stoppedAt } = await listMessages(
    deps.database,
    {
      ...wanted,
      contactIds,
      before: wanted.startingAfter,
      from: wanted.since === null ? null : lowestUuidAt(wanted.since),
      until: wanted.until === null ? null : lowestUuidAt(wanted.until),
    },
    wanted.limit + 1,
  )
  const items = await shown(deps.database, rows.slice(0, wanted.limit))
  return ok({ items, hasMore: rows.length > wanted.limit || stoppedAt !== null })
}

/** One message of this account and mode. */
export async function readMessage(deps: Deps, accountId: Uuid, livemode: boolean, id: Uuid | null): Promise<Result<JsonText, Refusal>> {
  const message = id === null ? null : await findMessage(deps.database, accountId, livemode, id)
  if (message === null) return refused(refusal('not_found', because('no_message', 'There is no message with this id.')))
  const [json] = await shown(deps.database, [message])
  return ok(present(json, 'one for each message'))
}

/** All ids under which messages of this person are (rule: people 4); none for somebody who is not known. */
async function findContactIds(queries: Queries, wanted: ListWanted, recipient: Recipient): Promise<readonly Uuid[]> {
  const [contact] = await findPeople(queries, [{ accountId: wanted.accountId, livemode: wanted.livemode, recipient }])
  return contact ? idsOf(contact) : []
}

async function shown(queries: Queries, messages: readonly Message[]): Promise<JsonText[]> {
  const contacts = await findContactsById(
    queries,
    messages.map((message) => ({ accountId: message.accountId, id: message.contactId })),
  )
  const byOrd = new Map(contacts.map((contact) => [contact.ord, contact]))
  return messages.map((message, i) => messageJson(message, present(byOrd.get(i + 1), 'a message has its contact')))
}
