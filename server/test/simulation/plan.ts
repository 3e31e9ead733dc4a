import { type Chance, chanceOf } from './chance.ts'

export type PlannedSend = {
  label: string
  atMs: number
  number: number
  person: string
  key: string | null
  /** Under the same key the client later asks for something else. */
  reusesKeyFor: string | null
  /** The same call twice at the same moment. */
  isDoubled: boolean
  /** The client does not get the answer of its first call, though the gateway gave it. */
  losesAnswer: boolean
}

export type PlannedInbound = {
  label: string
  atMs: number
  number: number
  person: string
  /** How much later its notice comes; null: never. What is done to the message is told all the same. */
  lateMs: number | null
  acts: PlannedAct[]
}

/** What a person does to a message; no two of one message in the same second, in which upstream counts. */
export type PlannedAct = { label: string; atMs: number; lateMs: number; person: string; act: Act }

export type Act = { kind: 'reaction'; emoji: string } | { kind: 'edit'; text: string } | { kind: 'deletion' }

export type PlannedFault =
  | { kind: 'crash'; atMs: number; steps: number; isAfter: boolean; downMs: number }
  /** The process stands still, another takes over, the first goes on for a while and is killed. */
  | { kind: 'pause'; atMs: number; steps: number; takeoverMs: number; resumeMs: number; killMs: number }

/** Everything that a seed decides in advance. Times are milliseconds from the start. */
export type Plan = {
  seed: number
  sends: PlannedSend[]
  inbound: PlannedInbound[]
  faults: PlannedFault[]
  /** Probability that one piece of database work breaks off, before its commit or after it. */
  databaseFaults: number
  calmFromMs: number
  /** How often upstream does something else than taking a message at once. */
  roughness: number
  /** Some messages are never taken, so that their fifteen minutes pass. */
  hasExpiry: boolean
  /** Some notices come so late that the gateway has given the message up. */
  hasLateNotices: boolean
  /** A receiver that never answers well, so that the whole ladder is climbed. */
  hasDeadReceiver: boolean
  /** A second receiver, which does not answer well at once. */
  hasShakyReceiver: boolean
  /** Time stops at each attempt of a delivery that is due, so that its moment can be judged. */
  isExact: boolean
}

const people = ['5511987650001', '5511987650002', '5511987650003', '5511987650004'] as const
const crowd = Array.from({ length: 40 }, (_each, i) => `55119876510${String(i).padStart(2, '0')}`)

/** Everyone to whom this plan may write. */
export const peopleOf = (plan: Plan): string[] => [...new Set([...people, ...plan.sends.map((each) => each.person)])]

export function planOf(seed: number): Plan {
  const chance = chanceOf(seed, 'plan')
  const isBurst = chance.happens(0.05)
  const lengthMs = isBurst ? chance.whole(200, 2_000) : chance.whole(300, 3_500)
  const count = isBurst ? chance.whole(60, 90) : chance.whole(3, 10)
  const faults = chance.happens(0.75) ? chance.whole(1, 2) : 0
  return {
    seed,
    sends: Array.from({ length: count }, (_each, i) => sendOf(seed, i + 1, { lengthMs, isBurst })),
    inbound: Array.from({ length: chance.whole(0, 4) }, (_each, i) => inboundOf(seed, i + 1, lengthMs)),
    faults: Array.from({ length: faults }, (_each, i) => faultOf(chance, lengthMs, i)),
    databaseFaults: chance.oneOf([0, 0, 0.01, 0.03]),
    calmFromMs: lengthMs + 6_000,
    roughness: isBurst ? 0.03 : chance.oneOf([0.1, 0.4, 0.7]),
    hasExpiry: !isBurst && chance.happens(0.06),
    hasLateNotices: !isBurst && chance.happens(0.2),
    hasDeadReceiver: chance.happens(0.04),
    hasShakyReceiver: chance.happens(0.5),
    isExact: chance.happens(0.15),
  }
}

function sendOf(seed: number, i: number, { lengthMs, isBurst }: { lengthMs: number; isBurst: boolean }): PlannedSend {
  const label = `m${i}`
  const chance = chanceOf(seed, 'send', label)
  const hasKey = chance.happens(0.75)
  return {
    label,
    atMs: chance.whole(0, lengthMs),
    number: isBurst || chance.happens(0.7) ? 0 : 1,
    person: chance.oneOf(isBurst ? crowd : people),
    key: hasKey ? `key-${label}` : null,
    reusesKeyFor: hasKey && chance.happens(0.08) ? `${label} otherwise` : null,
    isDoubled: hasKey && chance.happens(0.1),
    losesAnswer: chance.happens(0.12),
  }
}

function inboundOf(seed: number, i: number, lengthMs: number): PlannedInbound {
  const chance = chanceOf(seed, 'inbound', i)
  const label = `i${i}`
  const written = { label, atMs: chance.whole(0, lengthMs), number: chance.whole(0, 1), person: chance.oneOf(people) }
  const acts = actsOf(seed, written)
  const lateMs = chance.happens(0.25) ? chance.whole(3_000, 12_000) : chance.whole(0, 4_000)
  return { ...written, lateMs: acts.length > 0 && chance.happens(0.15) ? null : lateMs, acts }
}

function actsOf(seed: number, { label, atMs, person }: Pick<PlannedInbound, 'label' | 'atMs' | 'person'>): PlannedAct[] {
  const chance = chanceOf(seed, 'acts', label)
  let isDeleted = false
  return Array.from({ length: chance.oneOf([0, 0, 1, 2, 3, 5]) }, (_each, i): PlannedAct => {
    const name = `${label}a${i + 1}`
    const kind = isDeleted ? 'reaction' : chance.oneOf(['reaction', 'reaction', 'edit', 'edit', 'deletion'] as const)
    isDeleted ||= kind === 'deletion'
    return {
      label: name,
      atMs: atMs + (i + 1) * 1_000,
      lateMs: chance.happens(0.5) ? chance.whole(0, 300) : chance.whole(0, 9_000),
      person: kind === 'reaction' ? chance.oneOf([person, ...people]) : person,
      act: actOf(kind, name, chance),
    }
  })
}

function actOf(kind: Act['kind'], name: string, chance: Chance): Act {
  if (kind === 'reaction') return { kind, emoji: chance.oneOf(['👍', '❤️', '😮', '']) }
  return kind === 'edit' ? { kind, text: `${name} words` } : { kind }
}

/** What the person thinks of a message of ours that upstream took: `afterMs` counts from there, and may be before the answer. */
export function reactionsTo(seed: number, label: string): { label: string; afterMs: number; emoji: string }[] {
  const chance = chanceOf(seed, 'reactions', label)
  return Array.from({ length: chance.oneOf([0, 0, 0, 0, 1, 2]) }, (_each, i) => ({
    label: `${label}r${i + 1}`,
    afterMs: i * 1_000 + chance.whole(0, 900),
    emoji: chance.oneOf(['👍', '❤️', '']),
  }))
}

function faultOf(chance: Chance, lengthMs: number, i: number): PlannedFault {
  const atMs = chance.whole(0, lengthMs + 2_000) + i * 5_000
  const steps = chance.whole(0, 30)
  if (chance.happens(0.7)) return { kind: 'crash', atMs, steps, isAfter: chance.happens(0.5), downMs: chance.oneOf([0, 20, 700, 4_000]) }
  const takeoverMs = chance.oneOf([0, 300, 3_000])
  const resumeMs = takeoverMs + chance.oneOf([1, 30, 400, 2_500])
  return { kind: 'pause', atMs, steps, takeoverMs, resumeMs, killMs: resumeMs + chance.oneOf([200, 1_000, 2_500]) }
}
