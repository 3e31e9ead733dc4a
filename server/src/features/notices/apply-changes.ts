import { createHash } from 'node:crypto'
import { present } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { canonicalJson, type JsonText } from '../../base/json.ts'
import { limits } from '../../limits.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type ChannelInUse, channelsOf, findByWabaIds, hearOfNumbers, scheduleChecks, type ToldOfNumber } from '../channels/public.ts'
import { meetPeople, type PersonSeen } from '../contacts/public.ts'
import { followPeople, hearWishes, type Wish } from '../opt-outs/public.ts'
import { rememberTemplates, type SeenTemplate } from '../templates/public.ts'
import type { NewEvent } from '../webhooks/public.ts'
import type { NumberChange, ReadChange, Whose } from './change.ts'
import { claimChanges } from './change-store.ts'
import type { Change } from './notice.ts'

/** A change that could be read; `receivedAt` dates one without a time of its own. */
export type ReceivedChange = { change: Change; read: Exclude<ReadChange, { kind: 'unreadable' }>; receivedAt: Date }

/** One person's word about marketing, to a number of an account. */
export type ReceivedPreference = { change: Change; channelId: Uuid; wanted: boolean; at: Date; person: PersonSeen }

/** `passed_over`: it is nothing for us, or of no number of ours. */
export type ChangeFate = 'applied' | 'repeated' | 'passed_over'

export type AppliedChanges = {
  /** For the caller to record, last in the transaction. */
  events: readonly NewEvent[]
  fates: readonly { field: string; fate: ChangeFate }[]
  /** The numbers that were told of. */
  heard: readonly ChannelKey[]
}

type ChannelKey = { accountId: Uuid; channelId: Uuid }

/** What one change is for one account: its event, and what it does. */
type Tell = {
  change: Change
  accountId: Uuid
  digest: Buffer
  type: NewEvent['type']
  seen: readonly SeenTemplate[]
  told: readonly ToldOfNumber[]
  wishes: readonly Wish[]
  check: NumberChange['check']
  channels: readonly ChannelKey[]
}

/**
 * Takes in changes of templates and numbers and people's words about marketing, in any order and however often, in the caller's transaction:
 * each is told once to every account that it concerns (rule: changes 1), and what is known follows the one that upstream told last.
 */
export async function applyChanges(
  tx: Tx,
  clock: Clock,
  { changes, preferences }: { changes: readonly ReceivedChange[]; preferences: readonly ReceivedPreference[] },
): Promise<AppliedChanges> {
  if (changes.length === 0 && preferences.length === 0) return { events: [], fates: [], heard: [] }
  const numbers = await findByWabaIds(tx, [...new Set(changes.flatMap(({ read }) => ('wabaId' in read ? [read.wabaId] : [])))])
  const now = clock.now()
  const tells = [
    ...changes.flatMap((each) => tellsOf(each, 'wabaId' in each.read ? (numbers.get(each.read.wabaId) ?? []) : [], now)),
    ...(await tellsOfPreferences(tx, clock, preferences)),
  ]
  const fresh = await claimChanges(tx, now, tells)
  await takeEffect(tx, clock, fresh)
  return {
    events: fresh.map(eventOf),
    fates: fatesOf([...changes, ...preferences], tells, fresh),
    heard: tells.flatMap((each) => each.channels),
  }
}

function tellsOf({ change, read, receivedAt }: ReceivedChange, numbers: readonly ChannelInUse[], now: Date): Tell[] {
  if (read.kind === 'passed_over') return []
  const at = momentOf(change.at ?? receivedAt, now)
  const concerned = read.kind === 'template' ? numbers : numbersOf(read.whose, numbers)
  const digest = digestOf([read.wabaId, change.field, change.value, change.at?.getTime() ?? null])
  return [...Map.groupBy(concerned, (each) => each.accountId)].map(([accountId, own]): Tell => {
    const channels = own.map(({ id }) => ({ accountId, channelId: id }))
    const common = { change, accountId, digest, channels, wishes: [] }
    if (read.kind === 'template') {
      const seen = read.category === null ? [] : [{ ...read.category, accountId, wabaId: read.wabaId, at }]
      return { ...common, type: read.type, seen, told: [], check: 'none' }
    }
    const told = channels.flatMap((key) => read.facts.map((fact) => ({ ...key, ...fact, at })))
    return { ...common, type: 'channel.updated', seen: [], told, check: read.check }
  })
}

/** A wrong clock upstream must not hold back what is told after it. */
const momentOf = (at: Date, now: Date): Date => (at > now ? now : at)

function numbersOf(whose: Whose, numbers: readonly ChannelInUse[]): readonly ChannelInUse[] {
  if (whose.by === 'waba') return numbers
  if (whose.by === 'id') return numbers.filter((each) => each.phoneNumberId === whose.phoneNumberId)
  const own = numbers.filter((each) => each.phone === whose.digits)
  return own.length === 0 && whose.elseWaba ? numbers : own
}

/** rule: changes 5 */
async function tellsOfPreferences(tx: Tx, clock: Clock, preferences: readonly ReceivedPreference[]): Promise<Tell[]> {
  const people = await meetPeople(
    tx,
    { clock, follow: followPeople },
    preferences.map((each) => ({ ...each.person, at: each.at })),
  )
  return preferences.map(({ change, channelId, wanted, at, person: { accountId, livemode } }, i): Tell => {
    const contactId = present(people[i], 'the person was named').id
    return {
      ...{ change, accountId, digest: digestOf([change.field, contactId, wanted, at.getTime()]) },
      ...{ type: 'contact.marketing_preference_updated', seen: [], told: [], check: 'none' },
      wishes: [{ accountId, livemode, contactId, wanted, source: 'person', at }],
      channels: [{ accountId, channelId }],
    }
  })
}

const digestOf = (what: Parameters<typeof canonicalJson>[0]) => createHash('sha256').update(canonicalJson(what)).digest()

async function takeEffect(tx: Tx, clock: Clock, fresh: readonly Tell[]): Promise<void> {
  const now = clock.now()
  await hearWishes(
    tx,
    { clock },
    fresh.flatMap((each) => each.wishes),
  )
  await rememberTemplates(
    tx,
    fresh.flatMap((each) => each.seen),
    'notice',
  )
  await hearOfNumbers(
    tx,
    fresh.flatMap((each) => each.told),
  )
  const disconnected = fresh.filter(({ told }) => told.some(({ fact }) => fact === 'disconnectedBecause'))
  // rule: changes 4. Upstream itself may not know yet: what it says in the next minutes could bring the number back by mistake.
  await scheduleChecks(
    tx,
    new Date(now.getTime() + limits.channelCheckMs),
    disconnected.flatMap((each) => each.channels),
  )
  await scheduleChecks(tx, now, await leftToRead(tx, fresh))
}

/** The numbers of which a change does not say all. */
async function leftToRead(tx: Tx, fresh: readonly Tell[]): Promise<ChannelKey[]> {
  const whole = [...new Set(fresh.filter((each) => each.check === 'whole_account').map((each) => each.accountId))]
  const ofAccounts = whole.length === 0 ? [] : [...(await channelsOf(tx, whole)).values()].flat()
  return [
    ...fresh.flatMap((each) => (each.check === 'those' ? each.channels : [])),
    ...ofAccounts.map(({ accountId, id }) => ({ accountId, channelId: id })),
  ]
}

function eventOf({ change, accountId, type }: Tell): NewEvent {
  return { accountId, livemode: true, type, data: `{"meta":${change.meta}}` as JsonText }
}

function fatesOf(taken: readonly { change: Change }[], tells: readonly Tell[], fresh: readonly Tell[]): AppliedChanges['fates'] {
  const [known, told] = [new Set(tells.map((each) => each.change)), new Set(fresh.map((each) => each.change))]
  return taken.map(({ change }) => ({
    field: change.field,
    fate: told.has(change) ? 'applied' : known.has(change) ? 'repeated' : 'passed_over',
  }))
}
