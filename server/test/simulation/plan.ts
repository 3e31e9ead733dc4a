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

export type PlannedInbound = { label: string; atMs: number; number: number; person: string }

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
  return { label: `i${i}`, atMs: chance.whole(0, lengthMs), number: chance.whole(0, 1), person: chance.oneOf(people) }
}

function faultOf(chance: Chance, lengthMs: number, i: number): PlannedFault {
  const atMs = chance.whole(0, lengthMs + 2_000) + i * 5_000
  const steps = chance.whole(0, 30)
  if (chance.happens(0.7)) return { kind: 'crash', atMs, steps, isAfter: chance.happens(0.5), downMs: chance.oneOf([0, 20, 700, 4_000]) }
  const takeoverMs = chance.oneOf([0, 300, 3_000])
  const resumeMs = takeoverMs + chance.oneOf([1, 30, 400, 2_500])
  return { kind: 'pause', atMs, steps, takeoverMs, resumeMs, killMs: resumeMs + chance.oneOf([200, 1_000, 2_500]) }
}
