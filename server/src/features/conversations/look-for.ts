import type { Uuid } from '../../base/id.ts'
import { homeCountryOf } from '../../base/national-phone.ts'
import { canonicalPhone } from '../../base/phone.ts'
import { because, invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { Queries } from '../../platform/database/database.ts'
import { findChannels } from '../channels/public.ts'
import { type Contact, findPeople, type Recipient, recipientOfTeam } from '../contacts/public.ts'
import type { Conversation } from './conversation.ts'
import { findConversationsBetween } from './store.ts'

type Wanted = { accountId: Uuid; livemode: boolean; channelId: Uuid; to: string }

/** Who is meant by what somebody of the team wrote, and their conversation over that number. Null: nobody here knows them, or there is none. */
export type Found = { recipient: Recipient; phone: string; contact: Contact | null; conversation: Conversation | null }

/** rule: inbox 2. Looks for a person and their conversation, and makes neither. Refused: an unknown number of ours, an impossible one of theirs. */
export async function lookFor(database: Queries, { accountId, livemode, channelId, to }: Wanted): Promise<Result<Found, Refusal>> {
  const channel = (await findChannels(database, [{ accountId, channelId }])).get(channelId)
  if (channel === undefined) return refused(refusal('not_found', because('no_channel', 'There is no channel with this id.')))
  const recipient = recipientOfTeam(to, homeCountryOf(channel.phone))
  if (recipient === null)
    return refused(
      invalidField(
        'to',
        because('phone_impossible', 'This is no phone that can be dialled: write it with area code, and from abroad with country code.'),
      ),
    )
  const [contact = null] = await findPeople(database, [{ accountId, livemode, recipient }])
  const [conversation = null] =
    contact === null ? [] : await findConversationsBetween(database, [{ accountId, channelId, contactId: contact.id }])
  const phone = recipient.kind === 'phone' ? canonicalPhone(recipient.digits) : (contact?.phone ?? '')
  return ok({ recipient, phone, contact, conversation })
}
