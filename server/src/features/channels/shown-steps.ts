import type { Channel } from './channel.ts'
import type { Look } from './check-numbers.ts'
import type { Connecting } from './connect.ts'
import type { ConnectStep, StepReason } from './failed-step.ts'
import { numberFacts } from './number-facts.ts'

/** What is checked of a connection, in the order in which it is. */
export const stepNames = ['token', 'number', 'waba', 'subscription', 'registration', 'first_notice'] as const
export type StepName = (typeof stepNames)[number]

/** `waiting`: nothing is wrong, and it has not happened yet. `not_done`: a step before it failed. */
export const stepOutcomes = ['ok', 'failed', 'waiting', 'not_done'] as const

export const shownReasons = [
  'token_invalid',
  'not_reached',
  'refused',
  'not_in_waba',
  'not_subscribed',
  'on_business_app',
  'not_registered',
  'no_token',
  'no_answer',
] as const satisfies readonly (StepReason | 'not_registered' | 'no_token' | 'no_answer')[]
type ShownReason = (typeof shownReasons)[number]

/** One step as a person is shown it; `message` and `code` are upstream's, where it said something. */
export type ShownStep = {
  step: StepName
  outcome: (typeof stepOutcomes)[number]
  reason: ShownReason | null
  message: string | null
  code: number | null
}

const connectSteps: readonly { shown: StepName; step: ConnectStep }[] = [
  { shown: 'token', step: 'read' },
  { shown: 'number', step: 'read' },
  { shown: 'waba', step: 'waba' },
  { shown: 'subscription', step: 'subscribe' },
]

/** The steps of connecting, whatever came of them. Pure. */
export function stepsOfConnecting({ result, done, failed }: Connecting): ShownStep[] {
  const failedAt = failed === null ? null : shownAt(failed.step, failed.reason)
  const failure = (step: StepName): ShownStep[] =>
    failed === null || step !== failedAt
      ? []
      : [{ step, outcome: 'failed', reason: failed.reason, message: failed.refusal.message, code: failed.code }]
  const steps = connectSteps.map(({ shown, step }): ShownStep => {
    const [known] = failure(shown)
    // That upstream spoke of the number shows that it read the token.
    const isDone = done.includes(step) || (shown === 'token' && failedAt === 'number')
    return known ?? (isDone ? good(shown) : notDone(shown))
  })
  const channel = result.ok ? result.value : null
  return [...steps, failure('registration')[0] ?? registration(channel), firstNotice(channel)]
}

/** A token that upstream cannot read, or an upstream that is away, says nothing of the number. */
function shownAt(step: ConnectStep, reason: StepReason): StepName {
  switch (step) {
    case 'read':
      return reason === 'refused' ? 'number' : 'token'
    case 'waba':
      return 'waba'
    case 'subscribe':
      return 'subscription'
    case 'register':
      return 'registration'
  }
}

/** What a look at a connected number found; null: its token was taken away. Pure. */
export function stepsOfCheck(look: Look | null, channel: Channel): ShownStep[] {
  const rest = (['registration', 'subscription'] as const).map(notDone)
  const token = (reason: ShownReason, message: string | null, code: number | null): ShownStep[] => [
    { step: 'token', outcome: 'failed', reason, message, code },
    notDone('number'),
    ...rest,
  ]
  const steps = (): ShownStep[] => {
    switch (look?.kind) {
      case undefined:
        return token('no_token', null, null)
      case 'no_answer':
        return token('no_answer', look.because, look.code)
      case 'refused':
        return look.code === 190
          ? token('token_invalid', look.because, look.code)
          : [good('token'), { step: 'number', outcome: 'failed', reason: 'refused', message: look.because, code: look.code }, ...rest]
      case 'read':
        return [good('token'), good('number'), registration(numberFacts(look.fields)), subscription(look.subscribed)]
    }
  }
  return [...steps(), firstNotice(channel)]
}

const good = (step: StepName): ShownStep => ({ step, outcome: 'ok', reason: null, message: null, code: null })
const notDone = (step: StepName): ShownStep => ({ ...good(step), outcome: 'not_done' })

function registration(number: Pick<Channel, 'status' | 'disconnectedBecause'> | null): ShownStep {
  if (number === null) return notDone('registration')
  if (number.status === 'connected') return good('registration')
  return { step: 'registration', outcome: 'failed', reason: 'not_registered', message: number.disconnectedBecause, code: null }
}

function subscription(subscribed: boolean | null): ShownStep {
  if (subscribed === true) return good('subscription')
  const reason = subscribed === null ? 'no_answer' : 'not_subscribed'
  return { ...good('subscription'), outcome: 'failed', reason }
}

/** Nothing but a notice that comes shows that notices come. */
function firstNotice(channel: Pick<Channel, 'lastNoticeAt'> | null): ShownStep {
  if (channel === null) return notDone('first_notice')
  return channel.lastNoticeAt === null ? { ...good('first_notice'), outcome: 'waiting' } : good('first_notice')
}
