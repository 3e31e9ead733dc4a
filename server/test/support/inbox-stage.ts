import type { Clock } from '../../src/base/clock.ts'
import { newUuid, type Uuid } from '../../src/base/id.ts'
import type { JsonText } from '../../src/base/json.ts'
import { followOnce } from '../../src/features/conversations/follow.ts'
import { conversationFollowing, searchFollowing } from '../../src/features/conversations/lanes.ts'
import type { InboundNotice, MessageAct } from '../../src/features/messages/inbound.ts'
import type { Wamid } from '../../src/features/messages/message.ts'
import { applyStatuses, receiveMessages } from '../../src/features/messages/public.ts'
import { sendMessages } from '../../src/features/messages/send.ts'
import type { Send } from '../../src/features/messages/send-request.ts'
import type { Database, Tx } from '../../src/platform/database/database.ts'
import { digits, type Stage, sql, textTo } from './stage.ts'

type Deps = { database: Database; clock: Clock }

let wamids = 0
export const newWamid = () => `wamid.inbox${++wamids}` as Wamid

/** What a notice tells of a person who writes. */
export function written(
  { clock }: Deps,
  stage: Stage,
  phone: string,
  more: Partial<InboundNotice> & { userId?: string } = {},
): InboundNotice {
  const { userId = null, ...rest } = more
  return {
    accountId: stage.accountId,
    channelId: stage.channelId,
    livemode: true,
    person: { accountId: stage.accountId, livemode: true, waId: digits(phone), userId, name: null },
    wamid: newWamid(),
    at: clock.now(),
    origin: 'live',
    status: 'received',
    opensWindow: true,
    quoted: null,
    meta: '{}' as JsonText,
    type: 'text',
    kind: 'text',
    text: 'Oi!',
    buttonReplyId: null,
    file: null,
    ...rest,
  }
}

/** Takes notices in, in a transaction of their own or in the one that is given. */
export async function take(
  deps: Deps,
  { messages = [], acts = [] }: { messages?: readonly InboundNotice[]; acts?: readonly MessageAct[] },
  tx?: Tx,
): Promise<void> {
  const work = async (within: Tx) => {
    const received = await receiveMessages(within, deps.clock, { messages, acts, openings: [] })
    await applyStatuses(within, deps.clock, [], received)
  }
  await (tx === undefined ? deps.database.transaction(work) : work(tx))
}

/** Accepts a text to that phone and answers the id of its message. */
export async function send(deps: Deps, stage: Stage, phone: string, more: Partial<Send> = {}): Promise<Uuid> {
  const text = { ...textTo(deps.clock, stage, phone, more), id: newUuid(deps.clock.now()) }
  const [result] = await sendMessages({ ...deps, wakeLanes: () => {} }, [text])
  if (result?.ok !== true) throw new Error('the send was refused')
  return text.id
}

/** Lets the followers of the feed come to its end. */
export async function followed(deps: Deps): Promise<void> {
  for (const following of [conversationFollowing, searchFollowing]) {
    for (;;) {
      const { more } = await followOnce(deps, following)
      const open = await sql(
        deps.database,
        `select from message_change, feed_follower where name = $1 and (message_change.xid, message_change.id) > (feed_follower.xid, feed_follower.id) limit 1`,
        [following.name],
      )
      if (!more && open.length === 0) break
    }
  }
}
