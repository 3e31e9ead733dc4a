import type { Uuid } from '../../base/id.ts'
import type { JsonText } from '../../base/json.ts'
import type { PersonSeen } from '../contacts/public.ts'
import type { InboundContent } from './inbound-content.ts'
import type { MessageStatus, Wamid } from './message.ts'

/** Where something happened: a number, and whether for real. */
type Place = { accountId: Uuid; channelId: Uuid; livemode: boolean; person: PersonSeen }

/** A message as its own notice tells it. */
export type InboundNotice = Place &
  InboundContent & {
    wamid: Wamid
    /** By upstream's clock. */
    at: Date
    /**
     * `live`: a person sent it now. `echo`: the business sent it, in the phone's own app. `history`: either did, before the number was
     * connected. Only the first is told.
     */
    origin: 'live' | 'echo' | 'history'
    /** `received` of what a person sent, and how far it had come of what the business sent. */
    status: Exclude<MessageStatus, 'queued'>
    opensWindow: boolean
    /** The wamid of the quoted message. */
    quoted: Wamid | null
    /** The original object, with the contact that came with it. */
    meta: JsonText
  }

/** Something done to a message that is there. */
export type MessageAct = Place & {
  /** Its own id, by which a repetition is known. */
  wamid: Wamid
  target: Wamid
  at: Date
  /** What the business does, in the phone's own app, is not told. */
  by: 'person' | 'business'
  opensWindow: boolean
  act: { kind: 'reaction'; emoji: string } | { kind: 'edit'; text: string | null } | { kind: 'deletion' }
}

/** A person got in touch without a message: with a call, or by opening the chat. */
export type Opening = Place & { at: Date }

/** Everything that a batch of notices tells of people and their messages. */
export type Inbound = { messages: readonly InboundNotice[]; acts: readonly MessageAct[]; openings: readonly Opening[] }
