import { chanceOf } from './chance.ts'
import type { ToldAct, ToldInbound, ToldStatus } from './evidence.ts'
import type { PlannedAct, PlannedInbound } from './plan.ts'
import { after, ask, at, type World } from './world.ts'

/** One thing to tell, in upstream's own form, with the record of its fate. */
export type Telling = { number: number; list: 'statuses' | 'messages' | 'message_echoes'; item: object; record: Told }
type Told = ToldStatus | ToldInbound | ToldAct

/** Upstream's side of notices: what is told is told again until it is taken, and sometimes after. */
export type Notices = { tell(telling: Telling): void }

/** Upstream waits so long for an answer. */
const patienceMs = 10_000
/** What comes within this time may travel in one body. */
const gatherMs = 300

export function noticesOf(world: World): Notices {
  const { plan, time } = world
  let gathered: Telling[] = []

  const flush = () => {
    const tellings = gathered
    gathered = []
    const name = tellings.map(({ record }) => nameOf(record)).join(' ')
    const chance = chanceOf(plan.seed, 'notice', name)
    const order = chance.shuffled(tellings)
    post(tellings, name, Buffer.from(JSON.stringify(bodyOf(world, order, chance.fraction()))), 1)
    // The same body again although it was taken.
    if (chance.happens(0.25))
      after(world, chance.whole(0, 9_000), () => post(tellings, name, Buffer.from(JSON.stringify(bodyOf(world, order, 1))), 1))
  }

  const post = (tellings: readonly Telling[], name: string, body: Buffer, n: number) => {
    const chance = chanceOf(plan.seed, 'telling', name, n)
    const again = () => after(world, Math.min(500 * 2 ** n, 20_000) + chance.whole(0, 400), () => post(tellings, name, body, n + 1))
    const process = world.front()
    if (process === null) return void again()
    for (const { record } of tellings) record.tellings += 1
    ask(world, { process, patienceMs, work: (each) => each.keep(body) }, (asked) => {
      // The answer 200 may get lost on its way: upstream cannot know that it was taken.
      if (asked.kind !== 'answered' || (n < 3 && chance.happens(0.1))) again()
      if (asked.kind !== 'answered') return
      for (const { record } of tellings) record.takenAtMs ??= time.nowMs()
    })
  }

  return {
    tell(telling) {
      if (gathered.length === 0) {
        const wait = chanceOf(plan.seed, 'gather', nameOf(telling.record)).happens(0.4) ? gatherMs : 0
        after(world, wait, flush)
      }
      gathered.push(telling)
    },
  }
}

const nameOf = (record: Told) => ('status' in record ? `${record.label}.${record.status}` : record.label)

/** Plans what people write: each once or twice, at once or late, each in its own words. */
export function planInbound(world: World, notices: Notices): void {
  for (const planned of world.plan.inbound) {
    const { label, atMs, number, person, lateMs } = planned
    for (const act of planned.acts) planAct(world, notices, planned, act)
    if (lateMs === null) continue
    const record: ToldInbound = { label, number, takenAtMs: null, tellings: 0 }
    world.evidence.inbound.push(record)
    const timestamp = secondsOf(world.startMs + atMs)
    const item = { from: person, id: `wamid.IN-${label}`, timestamp, type: 'text', text: { body: label } }
    const chance = chanceOf(world.plan.seed, 'inbound told', label)
    const times = chance.happens(0.3) ? 2 : 1
    for (let i = 0; i < times; i += 1)
      at(world, world.startMs + atMs + lateMs + i * chance.whole(0, 4_000), () => notices.tell({ number, list: 'messages', item, record }))
  }
}

/** Whole seconds, as upstream writes them. */
const secondsOf = (ms: number) => String(Math.floor(ms / 1_000))

/** Once or twice, soon or late, so that an act may overtake another and its message. */
function planAct(world: World, notices: Notices, { label, number }: PlannedInbound, planned: PlannedAct): void {
  const atMs = world.startMs + planned.atMs
  const told = actTold({ label: planned.label, target: label, person: planned.person, atMs, act: planned.act }, `wamid.IN-${label}`)
  world.evidence.acts.push(told.record)
  const chance = chanceOf(world.plan.seed, 'act told', planned.label)
  const times = chance.happens(0.3) ? 2 : 1
  for (let i = 0; i < times; i += 1)
    at(world, atMs + planned.lateMs + i * chance.whole(0, 6_000), () => notices.tell({ number, list: 'messages', ...told }))
}

/** An act in upstream's form, with its record. */
export function actTold(
  { atMs, ...done }: Pick<ToldAct, 'label' | 'target' | 'person' | 'act'> & { atMs: number },
  wamid: string,
): Pick<Telling, 'item'> & { record: ToldAct } {
  const record: ToldAct = { ...done, at: new Date(Number(secondsOf(atMs)) * 1_000), takenAtMs: null, tellings: 0 }
  const item = { from: done.person, id: `wamid.ACT-${done.label}`, timestamp: secondsOf(atMs), ...formOf(done.act, wamid) }
  return { item, record }
}

function formOf(act: ToldAct['act'], wamid: string): object {
  switch (act.kind) {
    case 'reaction':
      return { type: 'reaction', reaction: { message_id: wamid, ...(act.emoji === '' ? {} : { emoji: act.emoji }) } }
    case 'edit':
      return { type: 'edit', edit: { original_message_id: wamid, message: { type: 'text', text: { body: act.text } } } }
    case 'deletion':
      return { type: 'revoke', revoke: { original_message_id: wamid } }
  }
}

/** A whole body: an entry for each item, and among them what is no business of ours or cannot be read. */
function bodyOf(world: World, tellings: readonly Telling[], odds: number) {
  const entries = tellings.map(({ number, list, item }) => {
    const from = list === 'messages' && 'from' in item ? [{ profile: { name: 'Ana' }, wa_id: item.from }] : undefined
    const field = list === 'message_echoes' ? 'smb_message_echoes' : 'messages'
    return entryOf(world.numbers[number]?.phoneNumberId ?? '', { ...(from && { contacts: from }), [list]: [item] }, field)
  })
  const strays = [
    entryOf('999999999', { statuses: [{ id: 'wamid.OTHER', status: 'read', timestamp: '1', recipient_id: '1' }] }),
    entryOf(world.numbers[0]?.phoneNumberId ?? '', { statuses: [{ id: 'wamid.TOOL', status: 'delivered', timestamp: '1790000000' }] }),
    entryOf(world.numbers[0]?.phoneNumberId ?? '', { statuses: [null, { status: 'read' }], messages: 'none' }),
    { id: '2', changes: [{ field: 'something_new', value: { at: 1 } }, null] },
  ]
  const stray = strays[Math.floor(odds * strays.length * 2)]
  const middle = Math.floor(entries.length / 2)
  const entry = stray === undefined ? entries : [...entries.slice(0, middle), stray, ...entries.slice(middle)]
  return { object: 'whatsapp_business_account', entry }
}

const entryOf = (phoneNumberId: string, value: object, field = 'messages') => ({
  id: '1',
  changes: [
    {
      field,
      value: {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '551140000000', phone_number_id: phoneNumberId },
        ...value,
      },
    },
  ],
})
