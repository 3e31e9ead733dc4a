import type { Clock } from '../../base/clock.ts'
import { crashpoint } from '../../base/crashpoint.ts'
import { eachByItself } from '../../base/each-by-itself.ts'
import type { Uuid } from '../../base/id.ts'
import { openedOrNull, type Unseal } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FencedShard } from '../../platform/lanes/fence.ts'
import { suspendedAmong } from '../accounts/public.ts'
import { type ChannelInUse, findChannels } from '../channels/public.ts'
import { type Contact, findContactsById, idsOf } from '../contacts/public.ts'
import { type Lane, noteSamePerson } from './lane.ts'
import { findSendNeeds, type Intent, type QueuedSend, type SendNeeds, writeIntents } from './send-queue.ts'
import type { UpstreamSend } from './upstream.ts'
import { contentWithFiles, type FileOnNumber, type FileToUpload, filesOfSend, keyOfFile, type UpstreamFiles } from './upstream-files.ts'

/** A send whose turn has come. */
export type Pick = { lane: Lane; row: QueuedSend; pickedMs: number }

/** A send whose file upstream must get first. */
export type Upload = Pick & { file: FileToUpload }

/** A send that may be posted now: its intent is committed. */
export type Start = Pick & { send: UpstreamSend; requestId: Uuid | null; intentAt: Date; onBusinessApp: boolean; person: KnownNames }

/** What upstream called the person before. */
export type KnownNames = { waId: string | null; userId: string | null }

/** More than this between the intent's commit and the first byte, and it is not sent: much can have happened since. */
const firstByteMsMax = 1_000
/**
 * The same from before the intent was written: a process that stood still between the commit and its answer cannot know how long
 * ago that was. Longer, so that a slow database does not stop the sends.
 */
const intentMsMax = 5_000

type Deps = { database: Database; clock: Clock; unseal: Unseal; files: UpstreamFiles }

export type Prepared = {
  starts: Start[]
  /** The token of their number cannot be opened: the number cannot be used. */
  unusable: Pick[]
  /** Nothing can be made of these: they stop no other. */
  failed: { item: Pick; error: unknown }[]
  /** Not now: the channel is not connected or the account is suspended. The lane waits, the send expires as always. */
  held: Pick[]
  /** Upstream does not have the file yet: it must get it first. */
  uploads: Upload[]
  /** Taken by someone else, expired, not ours any more, or not their person's turn after all: the lane must look at the queue again. */
  gone: Pick[]
}

/**
 * Turns picks into sends that may be posted: reads what each needs, then writes the intents in one fenced statement. What it
 * answers as a start is committed as in flight, and no other process will ever send it.
 */
export async function prepareStarts(deps: Deps, owner: FencedShard, picks: readonly Pick[]): Promise<Prepared> {
  const { database, clock, unseal } = deps
  const accountIds = [...new Set(picks.map(({ lane }) => lane.accountId))]
  const rows = picks.map(({ row }) => row)
  const [channels, suspended, needs, contacts] = await Promise.all([
    findChannels(
      database,
      picks.map(({ lane }) => lane),
    ),
    suspendedAmong(database, accountIds),
    findSendNeeds(database, rows),
    findContactsById(
      database,
      rows.map((row) => ({ accountId: row.accountId, id: row.contactId })),
    ),
  ])
  const people = new Map<number, Contact>(contacts.map((contact) => [contact.ord - 1, contact]))
  const outOfTurn = findOutOfTurn(picks, people)
  const prepared: Prepared = { starts: [], unusable: [], failed: [], held: [], uploads: [], gone: [] }
  const ready: { pick: Pick; channel: ChannelInUse; person: KnownNames; send: Omit<UpstreamSend, 'attempt' | 'startBy'> }[] = []
  const files = picks.map((pick, i) => filesOf(pick, needs[i] ?? null))
  const fileIds = await deps.files.known(files.flat(), clock.now())
  const { failed } = eachByItself(picks, (pick, i) => {
    const channel = channels.get(pick.lane.channelId)
    const need = needs[i]
    if (suspended.has(pick.lane.accountId) || channel?.status !== 'connected' || channel.sealedToken === null) prepared.held.push(pick)
    else if (!need || outOfTurn.has(pick)) prepared.gone.push(pick)
    else {
      const token = openedOrNull(unseal, channel.sealedToken)
      if (token === null) return void prepared.unusable.push(pick)
      const { row, lane } = pick
      const person = people.get(i) ?? nobody
      // rule: queue 6. The wa_id that upstream gave, once known, else the digits that this caller gave.
      const recipient = person.waId ?? row.recipient
      const upstreamIds = new Map<Uuid, string>()
      for (const file of files[i] ?? []) {
        const fileId = fileIds.get(keyOfFile(file))
        // One after another: it comes back for the next.
        if (fileId === undefined) return void prepared.uploads.push({ ...pick, file: { ...file, channel } })
        upstreamIds.set(file.mediaId, fileId)
      }
      ready.push({
        pick,
        channel,
        person,
        send: {
          kind: need.kind,
          content: contentWithFiles(need, upstreamIds),
          quotedWamid: need.quotedWamid,
          accountId: row.accountId,
          messageId: row.messageId,
          channelId: lane.channelId,
          templatesOf: channel,
          phoneNumberId: channel.phoneNumberId,
          recipient,
          token,
        },
      })
    }
  })
  prepared.failed.push(...failed)
  const intentAt = clock.now()
  const beganMs = clock.monotonicMs()
  const intents = await intentsOf(
    database,
    owner,
    ready.map((each) => each.pick),
    intentAt,
  )
  if (intents.size > 0) crashpoint('after_intent')
  const startBy = Math.min(clock.monotonicMs() + firstByteMsMax, beganMs + intentMsMax)
  for (const { pick, channel, person, send } of ready) {
    const intent = intents.get(pick.row.messageId)
    if (intent === undefined) {
      prepared.gone.push(pick)
      continue
    }
    const { attempt, requestId } = intent
    const { onBusinessApp } = channel
    prepared.starts.push({ ...pick, send: { ...send, attempt, startBy }, requestId, intentAt, onBusinessApp, person })
  }
  return prepared
}

const nobody: KnownNames = { waId: null, userId: null }

/**
 * rule: queue 2. Picks that nobody would have picked who had known that two people are one. They became it while their sends waited: from now on
 * the lane knows, and chooses among all sends of theirs. Sends that were posted before stay under way, each as the person's of that time.
 */
function findOutOfTurn(picks: readonly Pick[], people: ReadonlyMap<number, Contact>): Set<Pick> {
  const unsettled = new Set<Uuid>()
  picks.forEach(({ lane, row }, i) => {
    const person = people.get(i)
    if (person === undefined || person.formerIds.length === 0) return
    if (noteSamePerson(lane, row.contactId, idsOf(person))) unsettled.add(person.id)
  })
  return new Set(picks.filter((_pick, i) => unsettled.has(people.get(i)?.id ?? noId)))
}

const noId = '' as Uuid

/** The files that upstream must have before this may leave. The simulated upstream of test keys takes none. */
function filesOf({ lane, row }: Pick, need: SendNeeds | null): FileOnNumber[] {
  if (need === null || !lane.livemode) return []
  return filesOfSend(need).map((mediaId) => ({ accountId: row.accountId, channelId: lane.channelId, mediaId }))
}

async function intentsOf(database: Database, owner: FencedShard, picks: readonly Pick[], now: Date): Promise<Map<Uuid, Intent>> {
  if (picks.length === 0) return new Map()
  const due = picks.map(({ lane, row }) => ({ accountId: row.accountId, messageId: row.messageId, shard: lane.shard }))
  const intents = await writeIntents(database, owner, due, now)
  return new Map(intents.map((each) => [each.messageId, each]))
}
