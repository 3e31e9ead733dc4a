import type { CheckedSend } from './check-send.ts'
import { codeFacts } from './codes.ts'
import type { GraphError } from './graph-error.ts'
import { graphError } from './graph-error.ts'

/** One thing that happens to an accepted message: a status, a failure with its code, or a text that the person sends back. */
export type Step =
  | { kind: 'status'; status: 'sent' | 'delivered' | 'read' }
  | { kind: 'failed'; code: number; details?: string }
  | { kind: 'answer' }

/** What becomes of a send: the platform refuses it in its answer, or takes it and the steps follow. */
export type Fate = { kind: 'refused'; error: GraphError } | { kind: 'accepted'; steps: readonly Step[] }

/** Decides by the last six digits of the recipient. `digits` is what was dialled, or the digits that a user id ends with. */
export function fateOf(send: CheckedSend, digits: string): Fate {
  const ending = digits.slice(-6)
  if (ending === '000015') return { kind: 'refused', error: graphError(131056) }
  const facts = /^[1-9]\d{5}$/.test(ending) ? codeFacts(Number(ending)) : null
  if (facts !== null && (facts.place === 'answer' || facts.place === 'inbound')) return { kind: 'refused', error: graphError(facts.code) }
  // The platform never says more than `sent` of a reaction.
  const usual = send.kind === 'reaction' ? [SENT] : [SENT, DELIVERED, READ]
  if (facts !== null) return { kind: 'accepted', steps: [SENT, { kind: 'failed', code: facts.code }] }
  // A closed window stops everything but a template.
  if (ending === '000005' && send.kind !== 'template') return { kind: 'accepted', steps: [{ kind: 'failed', code: 131047 }] }
  return { kind: 'accepted', steps: COURSES.get(ending) ?? usual }
}

const SENT: Step = { kind: 'status', status: 'sent' }
const DELIVERED: Step = { kind: 'status', status: 'delivered' }
const READ: Step = { kind: 'status', status: 'read' }

const COURSES: ReadonlyMap<string, readonly Step[]> = new Map([
  ['000001', [SENT]],
  ['000002', [SENT, DELIVERED]],
  ['000003', [SENT, DELIVERED, READ, { kind: 'answer' } satisfies Step]],
  ['000004', [DELIVERED, SENT, READ]],
])
