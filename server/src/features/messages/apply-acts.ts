import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { momentOf, newUuid, type Uuid } from '../../base/id.ts'
import type { Tx } from '../../platform/database/database.ts'
import { changeMessage } from './change.ts'
import { cancelFetches } from './file-fetch-store.ts'
import type { MessageAct } from './inbound.ts'
import { claimActs, findReactionsTo, insertInboundMessages, type ReactionTo, updateChanged, writeReactions } from './inbound-store.ts'
import { type Message, nothingYet, placeholderKind } from './message.ts'
import { filesLost, releaseFiles } from './release-files.ts'
import { claimWamids, findByWamid, lockMessages } from './store.ts'
import { nothing, type Outcome, type Told } from './tell.ts'

type Act = MessageAct & { contactId: Uuid; contactIds: readonly Uuid[] }
type PlacedAct = Act & { messageId: Uuid }

/**
 * Reactions, edits and deletions, each of which has its effect once and in the order of upstream's clock, whatever order they come in: what is
 * older than what is known changes nothing and is not told (rule: receive 11). In the caller's transaction; answers the events and
 * what counts.
 */
export async function applyActs(tx: Tx, clock: Clock, acts: readonly Act[]): Promise<Outcome> {
  if (acts.length === 0) return nothing
  const { placed, counted } = await findTargets(tx, clock, acts)
  const fresh = (await claimActs(tx, placed)).toSorted((a, b) => a.at.getTime() - b.at.getTime())
  if (fresh.length === 0) return { told: [], counted }
  const targets = await lockMessages(tx, onceEach(fresh))
  const state: State = {
    messages: new Map(targets.map((message) => [message.id, message])),
    changed: new Set(),
    reactions: await reactionsTo(tx, fresh),
    written: new Map(),
  }
  const told = fresh.flatMap((act) => applyAct(state, act))
  const changed = [...state.changed].map((id) => present(state.messages.get(id), 'only what is there was changed'))
  await updateChanged(tx, changed)
  await releaseFiles(tx, filesLost(targets, changed), clock.now())
  await writeReactions(tx, [...state.written.values()])
  const reacted = [...state.written.values()].map((each) =>
    present(state.messages.get(each.messageId), 'only what is there gets a reaction'),
  )
  return { told: [...(await heldBackFor(tx, changed)), ...told], counted, touched: [...changed, ...reacted] }
}

/** rule: receive 9. A file of a deleted message is not fetched any more, so that what waited for it is told now, as it is known. */
async function heldBackFor(tx: Tx, changed: readonly Message[]): Promise<Told[]> {
  const deleted = changed.filter((each) => each.deletedAt !== null)
  const released = await cancelFetches(tx, deleted)
  return deleted
    .filter((each) => released.has(each.id) && each.direction === 'inbound' && !each.untold)
    .map((message) => ({ type: 'message.received', message }))
}

type State = {
  messages: Map<Uuid, Message>
  changed: Set<Uuid>
  reactions: Map<string, { at: Date }>
  written: Map<string, ReactionTo>
}

function applyAct(state: State, each: PlacedAct): Told[] {
  const message = state.messages.get(each.messageId)
  if (message === undefined) return []
  const { act, at, contactId } = each
  if (act.kind === 'reaction') {
    const known = state.reactions.get(placeOf(each))
    if (known !== undefined && at < known.at) return []
    const reaction = { contactId, emoji: act.emoji, at }
    state.reactions.set(placeOf(each), reaction)
    state.written.set(placeOf(each), { ...reaction, accountId: each.accountId, messageId: each.messageId })
    return [{ type: 'message.reaction', message, reaction }]
  }
  // Each side edits and deletes its own.
  if ((each.by === 'person') !== (message.direction === 'inbound')) return []
  const changed = changeMessage(message, { ...act, at })
  if (changed === null) return []
  state.messages.set(changed.id, changed)
  state.changed.add(changed.id)
  if (each.by === 'business') return []
  return [{ type: act.kind === 'edit' ? 'message.edited' : 'message.deleted', message: changed }]
}

const placeOf = (each: { messageId: Uuid; contactId: Uuid }) => `${each.messageId} ${each.contactId}`
const onceEach = (acts: readonly PlacedAct[]) => [
  ...new Map(acts.map(({ accountId, messageId }) => [messageId, { accountId, id: messageId }])).values(),
]

/** The newest of each person, also what they did before they were joined with another (rule: people 4). */
async function reactionsTo(tx: Tx, acts: readonly PlacedAct[]): Promise<State['reactions']> {
  // By the place under which it may be written, the person's place of today.
  const wanted = new Map(
    acts.flatMap((each) =>
      each.act.kind === 'reaction'
        ? each.contactIds.map((contactId) => [placeOf({ ...each, contactId }), { ...each, contactId, today: placeOf(each) }] as const)
        : [],
    ),
  )
  const newest: State['reactions'] = new Map()
  if (wanted.size === 0) return newest
  for (const found of await findReactionsTo(tx, [...wanted.values()])) {
    const { today } = present(wanted.get(placeOf(found)), 'only what was asked for is answered')
    const known = newest.get(today)
    if (known === undefined || known.at < found.at) newest.set(today, found)
  }
  return newest
}

/** The message of each act, in the order given; a placeholder is made for one that we do not have. */
async function findTargets(tx: Tx, clock: Clock, acts: readonly Act[]): Promise<{ placed: PlacedAct[]; counted: Outcome['counted'] }> {
  const targets = acts.map(({ accountId, channelId, target }) => ({ accountId, channelId, wamid: target }))
  const known = await findByWamid(tx, targets)
  const unknown = acts.filter((_each, i) => known[i] === null)
  const made = unknown.length === 0 ? [] : await makePlaceholders(tx, clock, unknown)
  // Looked up again: another transaction may have made one, or brought the original.
  const ids = unknown.length === 0 ? known : await findByWamid(tx, targets)
  const placed = acts.map((each, i) => ({ ...each, messageId: present(ids[i], 'a wamid that could not be claimed is taken') }))
  return { placed, counted: made.map((message) => ({ before: null, after: message })) }
}

async function makePlaceholders(tx: Tx, clock: Clock, acts: readonly Act[]): Promise<Message[]> {
  const now = clock.now()
  const once = new Map(acts.map((each) => [`${each.channelId} ${each.target}`, each]))
  const made = [...once.values()].map((each) => placeholder(each, now))
  const claimed = await claimWamids(
    tx,
    made.map((message) => ({ ...message, messageId: message.id, wamid: present(message.wamid, 'it is the target') })),
  )
  const kept = made.filter((each) => claimed.has(each.id))
  await insertInboundMessages(tx, kept)
  return kept
}

/** rule: receive 13. What was done to it is told of it; what it says is not known yet. */
function placeholder(act: Act, now: Date): Message {
  const id = newUuid(now)
  const isInbound = act.by === 'person'
  return {
    ...nothingYet,
    accountId: act.accountId,
    id,
    livemode: act.livemode,
    channelId: act.channelId,
    contactId: act.contactId,
    direction: isInbound ? 'inbound' : 'outbound',
    type: 'system',
    kind: placeholderKind,
    status: isInbound ? 'received' : 'sent',
    source: 'chat',
    wamid: act.target,
    createdAt: momentOf(id),
    sentAt: isInbound ? null : act.at,
    untold: true,
  }
}
