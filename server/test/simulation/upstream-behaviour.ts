import type { GraphAnswer } from '../../src/platform/upstream/graph.ts'
import { chanceOf } from './chance.ts'
import type { Post, StatusName } from './evidence.ts'
import type { Plan } from './plan.ts'

/** What upstream does with one call. `afterMs` counts from its first byte; `takenMs` is when it takes the message. */
export type Behaviour = Pick<Post, 'truth' | 'says'> & {
  /** From the call to its first byte. */
  connectMs: number
  takenMs: number
  answersMs: number
  answer: (wamid: string, to: string) => GraphAnswer
  /** Upstream will serve this number no more until the operator mends it. */
  stopsNumber: boolean
}

const json = (statusCode: number, value: unknown): GraphAnswer => ({ kind: 'answer', statusCode, body: JSON.stringify(value) })
const error = (statusCode: number, code: number) =>
  json(statusCode, { error: { message: `(#${code}) no`, type: 'OAuthException', code, error_data: { details: `told ${code}` } } })
const taken = (wamid: string, to: string) =>
  json(200, { messaging_product: 'whatsapp', contacts: [{ input: to, wa_id: to.replace('+', '') }], messages: [{ id: wamid }] })

type Kind = Pick<Behaviour, 'truth' | 'says' | 'answer'> & { isSlow?: true }
const of = (truth: Post['truth'], says: Post['says'], answer: Behaviour['answer']): Kind => ({ truth, says, answer })

const good = of('accepted', 'accepted', taken)
const refusals = [131026, 131047, 131051].map((code) => of('refused', 'refused', () => error(400, code)))
/** One for each brake: the number's pace, one person, the lane (three ways), the channel. */
const paceBrake = of('not_accepted', 'not_accepted', () => error(400, 130429))
const personBrake = of('not_accepted', 'not_accepted', () => error(400, 131056))
const laneBrakes = [
  of('not_accepted', 'not_accepted', () => error(400, 131048)),
  of('not_accepted', 'not_accepted', () => ({ kind: 'answer', statusCode: 429, body: 'slow down' })),
  of('nothing', 'not_accepted', () => ({ kind: 'not_sent', because: 'ECONNREFUSED' })),
]
const channelBrake = of('not_accepted', 'not_accepted', () => error(401, 190))
/** The gateway cannot know; of each pair upstream took the first and not the second. */
const unknowns = (['accepted', 'ignored'] as const).flatMap((truth): Kind[] => [
  { ...of(truth, 'unknown', () => ({ kind: 'no_answer', because: 'timeout' })), isSlow: true },
  of(truth, 'unknown', () => ({ kind: 'no_answer', because: 'ECONNRESET' })),
  of(truth, 'unknown', () => ({ kind: 'answer', statusCode: 502, body: '<html>Bad Gateway</html>' })),
  of(truth, 'unknown', () => error(500, 131000)),
])
const unreadable = of('accepted', 'unknown', () => ({ kind: 'answer', statusCode: 200, body: '{"messages":[' }))

const timeoutMs = 30_000

/** After so many calls that were not accepted upstream takes the message, so that a seed ends. */
const callsMax = 3

export function behaviourOf(plan: Plan, label: string, n: number): Behaviour {
  const chance = chanceOf(plan.seed, 'call', label, n)
  const kind = kindOf(plan, label, n)
  const takenMs = chance.whole(5, 400)
  return {
    ...kind,
    stopsNumber: kind === channelBrake,
    // Seldom too late for the intent, which is good for a second.
    connectMs: chance.happens(0.03) ? chance.whole(900, 1_100) : chance.whole(0, 30),
    takenMs,
    answersMs: kind.isSlow === true ? timeoutMs : takenMs + chance.whole(0, chance.happens(0.15) ? 2_500 : 150),
  }
}

function kindOf(plan: Plan, label: string, n: number): Kind {
  if (neverTakes(plan, label)) return laneBrakes[n % 2] ?? paceBrake
  const chance = chanceOf(plan.seed, 'kind', label, n)
  if (!chance.happens(plan.roughness)) return good
  const braked = n > callsMax ? [good] : [paceBrake, personBrake, ...laneBrakes, channelBrake]
  return chance.oneOf([chance.oneOf(refusals), ...braked, ...braked, ...unknowns, unreadable])
}

const neverTakes = (plan: Plan, label: string) => plan.hasExpiry && chanceOf(plan.seed, 'never', label).happens(0.25)

/** What becomes of a message that upstream took, and after how long each status is told. */
export function courseOf(plan: Plan, label: string): { status: StatusName; afterMs: number; toldMs: number }[] {
  const chance = chanceOf(plan.seed, 'course', label)
  const course = chance.oneOf<readonly StatusName[]>([
    ['sent', 'delivered', 'read'],
    ['sent', 'delivered', 'read'],
    ['sent', 'delivered'],
    ['sent', 'read'],
    ['sent'],
    ['sent', 'failed'],
    ['failed'],
    [],
  ])
  const isLate = plan.hasLateNotices && chance.happens(0.3)
  let afterMs = 0
  return course.map((status) => {
    afterMs += chance.whole(1, 2_000)
    // Told early (before the answer), soon, or so late that the gateway has given up.
    const toldMs = isLate ? chance.whole(1_030_000, 1_300_000) : chance.happens(0.5) ? afterMs : afterMs + chance.whole(0, 6_000)
    return { status, afterMs, toldMs }
  })
}
