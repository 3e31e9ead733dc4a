import { newUuid } from '../../src/base/id.ts'
import { type Message, nothingYet } from '../../src/features/messages/message.ts'

/** A text of ours that has just been accepted, to a person of its own. */
export const queuedText = (at: Date): Message => ({
  ...nothingYet,
  accountId: newUuid(at),
  id: newUuid(at),
  livemode: true,
  channelId: newUuid(at),
  contactId: newUuid(at),
  direction: 'outbound',
  type: 'text',
  kind: 'text',
  status: 'queued',
  text: 'Olá',
  source: 'api',
  createdAt: at,
})
