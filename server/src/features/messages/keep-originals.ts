import type { Clock } from '../../base/clock.ts'
import { momentOf, newUuid, type Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { hearWishes } from '../opt-outs/public.ts'
import { asKnownBy } from './change.ts'
import type { FileFetch } from './file-fetch.ts'
import { queueFileFetches } from './file-fetch-store.ts'
import type { InboundNotice } from './inbound.ts'
import { insertInboundMessages, updateChanged } from './inbound-store.ts'
import { wishesOfWords } from './marketing-wishes.ts'
import { type Message, nothingYet, placeholderKind, RANK } from './message.ts'
import { claimWamids, findByWamid, lockMessages } from './store.ts'
import { nothing, type Outcome } from './tell.ts'

/** What the history says of a file that may follow in a notice of its own. */
const promisedKind = 'media_placeholder'

/** What is to be told and counted, and whether files are to be fetched. */
export type Received = Outcome & { filesQueued: boolean }

type Original = InboundNotice & { contactId: Uuid }
/** A message that is to be written, with the notice that it came by. */
type Kept = { notice: Original; message: Message; before: Message | null }

/**
 * Keeps messages that are new, and fills those of which only what was done to them is known (rule: receive 13). Answers the events; what
 * comes with a file is held back, and told by whoever fetches it (rule: receive 9).
 */
export async function keepOriginals(tx: Tx, clock: Clock, notices: readonly Original[]): Promise<Received> {
  if (notices.length === 0) return { ...nothing, filesQueued: false }
  const now = clock.now()
  const quoted = await findByWamid(
    tx,
    notices.map((each) => ({ ...each, wamid: each.quoted ?? '' })),
  )
  const kept = notices.map((notice, i): Kept => ({ notice, message: messageOf(notice, quoted[i] ?? null, now), before: null }))
  const claimed = await claimWamids(
    tx,
    kept.map(({ notice, message }) => ({ ...notice, messageId: message.id })),
  )
  const fresh = kept.filter(({ message }) => claimed.has(message.id))
  await insertInboundMessages(
    tx,
    fresh.map((each) => each.message),
  )
  const filled = await fillStandIns(
    tx,
    kept.filter(({ message }) => !claimed.has(message.id)),
  )
  const news = [...fresh, ...filled]
  // As they were written: what was done to them since does not take such a word back.
  const said = news.filter(isTold).map(({ notice }) => notice)
  await hearWishes(tx, { clock }, await wishesOfWords(tx, said))
  const fetches = news.flatMap(fetchOf)
  await queueFileFetches(tx, fetches, now)
  const held = new Set(fetches.map((each) => each.messageId))
  const told = news.filter((each) => isTold(each) && !held.has(each.message.id))
  return {
    told: told.map(({ message }) => ({ type: 'message.received', message })),
    counted: news.map(({ before, message }) => ({ before, after: message })),
    filesQueued: fetches.length > 0,
  }
}

const isTold = ({ message }: Kept) => message.direction === 'inbound' && !message.untold

/** A message that was deleted before it came has no file any more. */
function fetchOf({ notice: { file }, message }: Kept): FileFetch[] {
  if (file === null || message.deletedAt !== null) return []
  const { accountId, id, channelId, livemode } = message
  const sha256 = file.sha256 === null ? null : Buffer.from(file.sha256, 'base64')
  // What is no hash cannot be compared with one.
  return [{ ...file, accountId, messageId: id, channelId, livemode, sha256: sha256?.length === 32 ? sha256 : null }]
}

function messageOf(notice: Original, replyTo: Uuid | null, now: Date): Message {
  const { origin, status, at } = notice
  // rule: receive 3. When we took it in, so that `since` misses nothing that came late; what is old keeps its time (rule: receive 14).
  const id = newUuid(origin === 'history' ? at : now)
  const isInbound = status === 'received'
  return {
    ...nothingYet,
    accountId: notice.accountId,
    id,
    livemode: notice.livemode,
    channelId: notice.channelId,
    contactId: notice.contactId,
    direction: isInbound ? 'inbound' : 'outbound',
    type: notice.type,
    kind: notice.kind,
    status,
    text: notice.text,
    replyTo,
    buttonReplyId: notice.buttonReplyId,
    source: 'chat',
    wamid: notice.wamid,
    error: status === 'failed' ? { code: null, message: 'The platform gave no reason.' } : null,
    createdAt: momentOf(id),
    sentAt: isInbound ? null : at,
    untold: origin !== 'live',
    meta: notice.meta,
  }
}

/** Their wamids are taken: mostly it is the same message once more, and sometimes something that stands in for it. */
async function fillStandIns(tx: Tx, repeated: readonly Kept[]): Promise<Kept[]> {
  if (repeated.length === 0) return []
  // A statement of its own: only now is what another transaction committed meanwhile seen.
  const ids = await findByWamid(
    tx,
    repeated.map((each) => each.notice),
  )
  const wanted = repeated.flatMap(({ notice }, i) => (ids[i] ? [{ accountId: notice.accountId, id: ids[i] }] : []))
  const standing = new Map((await lockMessages(tx, wanted)).map((message) => [message.id, message]))
  const filled = new Map<Uuid, Kept>()
  for (const [i, each] of repeated.entries()) {
    const id = ids[i]
    const standIn = id ? standing.get(id) : undefined
    if (standIn === undefined || !isStandInFor(standIn, each.notice)) continue
    const message = filledWith(standIn, each)
    standing.set(message.id, message)
    // Filled twice in one batch, it changed once.
    filled.set(message.id, { notice: each.notice, message, before: filled.get(message.id)?.before ?? standIn })
  }
  await updateChanged(
    tx,
    [...filled.values()].map((each) => each.message),
  )
  return [...filled.values()]
}

/** A person's message that is told now counts for more than the same one from the history. */
function isStandInFor(message: Message, { origin, kind }: Original): boolean {
  if (!message.untold) return false
  if (message.kind === placeholderKind) return true
  if (message.kind === promisedKind) return kind !== promisedKind
  return origin === 'live' && message.direction === 'inbound'
}

/** The original under the id that its stand-in has, with what is known of it since. */
function filledWith(standIn: Message, { notice, message: original }: Kept): Message {
  const { id, createdAt, media, mediaId } = standIn
  const whole = { ...original, id, createdAt, media, mediaId, ...courseOf(standIn, notice, original), untold: original.untold }
  return asKnownBy(whole, standIn)
}

/** Whose it is and how far it has come. */
function courseOf(standIn: Message, { origin }: Original, original: Message): Partial<Message> {
  const { direction, contactId, status, sentAt, deliveredAt, readAt, failedAt, error, pricing } = standIn
  // The notice of a file that the history promised says less of it than the history.
  const isSameFile = standIn.kind === promisedKind && origin === 'history'
  const isFurther = direction === 'outbound' && original.direction === 'outbound' && RANK[status] > RANK[original.status]
  if (isSameFile || isFurther) return { direction, contactId, status, sentAt, deliveredAt, readAt, failedAt, error, pricing }
  return {}
}
