import { present } from '../../base/assert.ts'
import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { suspendedAmong } from '../accounts/public.ts'
import { type ChannelInUse, channelsOf } from '../channels/public.ts'
import { type Contact, findPeople, lastInboundOf } from '../contacts/public.ts'
import type { WantedTemplate } from '../templates/public.ts'
import { findQuotableMessages } from './accept-store.ts'
import { findMarketing } from './marketing.ts'
import type { Missing, SendFacts } from './rules.ts'
import type { Send } from './send-request.ts'
import { findByWamid } from './store.ts'
import { testCourse } from './test-number.ts'

/** As much of a send, or of a reaction, as deciding needs. */
export type Judged = Pick<Send, 'accountId' | 'livemode' | 'recipient' | 'channelId' | 'replyTo' | 'file' | 'template'>

/** All that deciding and writing a send needs to know. */
export type Known = SendFacts & {
  channel: ChannelInUse | null
  contact: Contact | null
  replyTo: Uuid | null
  /** Whose category must be asked of upstream before it can be decided. */
  unread: WantedTemplate | null
}

/** Reads what the whole list needs in a handful of statements and two turns of the connection, whatever its length; answers in the order asked. */
export async function factsForSends(queries: Queries, now: Date, sends: readonly Judged[]): Promise<Known[]> {
  const accountIds = [...new Set(sends.map((each) => each.accountId))]
  const [suspended, channels, contacts] = await Promise.all([
    suspendedAmong(queries, accountIds),
    channelsOf(queries, accountIds),
    findPeople(queries, sends),
  ])
  const chosen = sends.map((send) => chooseChannel(send, channels.get(send.accountId) ?? []))
  const [quoted, lastInbound, refusals] = await Promise.all([
    findQuoted(queries, sends, chosen),
    findLastInbound(queries, sends, chosen, contacts),
    findMarketing(queries, now, sends, { chosen, contacts }),
  ])
  return sends.map((send, i) => {
    const channel = chosen[i] ?? null
    const contact = contacts[i] ?? null
    return {
      accountSuspended: suspended.has(send.accountId),
      missing: missingPart(send, channel, contact, quoted[i] ?? null),
      channels: channels.get(send.accountId)?.length ?? 0,
      channelNamed: send.channelId !== null,
      channelConnected: channel?.status === 'connected' && channel.sealedToken !== null,
      lastInboundAt: lastInbound[i] ?? null,
      windowAlways: windowAlways(send),
      ...present(refusals[i], 'one for each send'),
      channel,
      contact,
      replyTo: quoted[i] ?? null,
    }
  })
}

function chooseChannel(send: Judged, channels: readonly ChannelInUse[]): ChannelInUse | null {
  if (send.channelId === null) return channels.length === 1 ? (channels[0] ?? null) : null
  return channels.find((each) => each.id === send.channelId) ?? null
}

function missingPart(send: Judged, channel: ChannelInUse | null, contact: Contact | null, quoted: Uuid | null): Missing | null {
  if (send.channelId !== null && channel === null) return { what: 'channel', field: 'channel_id' }
  if (send.recipient.kind === 'user_id' && contact === null) return { what: 'person', field: 'to' }
  if (send.replyTo?.kind === 'id' && quoted === null) return { what: 'message', field: 'reply_to' }
  // rule: send 14. Which number is meant must be known first.
  if (send.replyTo?.kind === 'wamid' && !send.replyTo.isSure && quoted === null && channel !== null)
    return { what: 'words', field: 'reply_to' }
  return send.file?.kind === 'missing' ? { what: 'file', field: send.file.field } : null
}

/** rule: test 2. Test keys find the window open, but for the number that asks for a closed one. */
function windowAlways(send: Judged): SendFacts['windowAlways'] {
  if (send.livemode) return null
  const digits = send.recipient.kind === 'phone' ? send.recipient.digits : null
  return testCourse(digits).kind === 'window_closed' ? 'closed' : 'open'
}

/** The quoted message's id where it is ours; null for none, for a wamid that we do not know, and for an id that this account lacks. */
async function findQuoted(queries: Queries, sends: readonly Judged[], chosen: readonly (ChannelInUse | null)[]): Promise<(Uuid | null)[]> {
  const found: (Uuid | null)[] = sends.map(() => null)
  const byId = sends.flatMap(({ accountId, livemode, replyTo }, i) =>
    replyTo?.kind === 'id' ? [{ i, accountId, livemode, id: replyTo.id }] : [],
  )
  const there = await findQuotableMessages(queries, byId)
  byId.forEach(({ i, id }, n) => {
    if (there[n]) found[i] = id
  })
  const byWamid = sends.flatMap((send, i) => {
    const channel = chosen[i]
    return send.replyTo?.kind === 'wamid' && channel
      ? [{ i, accountId: send.accountId, channelId: channel.id, wamid: send.replyTo.wamid }]
      : []
  })
  const known = await findByWamid(queries, byWamid)
  byWamid.forEach(({ i }, n) => {
    found[i] = known[n] ?? null
  })
  return found
}

async function findLastInbound(
  queries: Queries,
  sends: readonly Judged[],
  chosen: readonly (ChannelInUse | null)[],
  contacts: readonly (Contact | null)[],
): Promise<(Date | null)[]> {
  const found: (Date | null)[] = sends.map(() => null)
  const wanted = sends.flatMap((send, i) => {
    const channel = chosen[i]
    const contact = contacts[i]
    return send.livemode && channel && contact ? [{ i, accountId: send.accountId, channelId: channel.id, contactId: contact.id }] : []
  })
  const times = await lastInboundOf(queries, wanted)
  wanted.forEach(({ i }, n) => {
    found[i] = times[n] ?? null
  })
  return found
}
