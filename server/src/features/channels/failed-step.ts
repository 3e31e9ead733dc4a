import { invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import type { UpstreamFailure } from '../../platform/upstream/manage.ts'

export type ConnectStep = 'read' | 'waba' | 'subscribe' | 'register'

/** Why a step failed, for a page that says what to do in the reader's language. */
export type StepReason = 'token_invalid' | 'not_reached' | 'refused' | 'not_in_waba' | 'not_subscribed' | 'on_business_app'

/** The step that failed; `code` is upstream's own, null where it gave none. */
export type StepFailure = { step: ConnectStep; reason: StepReason; code: number | null; refusal: Refusal }

const steps: Record<ConnectStep, { what: string; advice: string }> = {
  read: {
    what: 'Reading the number failed',
    advice:
      'Check the phone number id, and that the token belongs to a system user who may use this number (whatsapp_business_management).',
  },
  waba: {
    what: 'Listing the numbers of the WABA failed',
    advice: 'Check the WABA id, and that the token may manage this WABA (whatsapp_business_management).',
  },
  subscribe: {
    what: 'Asking for the notices of the WABA failed',
    advice: 'Check the WABA id, and that the token may manage this WABA (whatsapp_business_management).',
  },
  register: {
    what: 'Registering the number failed',
    advice: 'If two-step verification is on, the pin must be the one that was set; after ten tries upstream refuses for 72 hours.',
  },
}

/** Which step of connecting failed; the refusal says it in upstream's words, and what to do. */
export function stepFailed(step: ConnectStep, failure: UpstreamFailure): StepFailure {
  const { reached, code } = failure
  const reason = !reached ? 'not_reached' : code === tokenCode ? 'token_invalid' : 'refused'
  return { step, reason, code, refusal: refusalOf(step, failure) }
}

/** Upstream's code of a token that is wrong or has expired. */
const tokenCode = 190

function refusalOf(step: ConnectStep, failure: UpstreamFailure): Refusal {
  const { what, advice } = steps[step]
  if (!failure.reached)
    return refusal(
      'meta_error',
      `${what}: upstream could not be reached (${failure.message}). Check META_GRAPH_URL and the network, then try again.`,
    )
  const detail = { message: failure.message, ...(failure.code === null ? {} : { code: failure.code }) }
  return refusal('meta_error', `${what}. Upstream says: "${failure.message}". ${failure.code === tokenCode ? tokenAdvice : advice}`, [
    detail,
  ])
}

/** The WABA was read, and the number is not among its numbers. */
export function notInWaba({ phoneNumberId, wabaId }: { phoneNumberId: string; wabaId: string }): StepFailure {
  const message = `The WABA ${wabaId} does not have the number ${phoneNumberId}. Copy both ids from the same page of Meta's app dashboard (WhatsApp, API setup).`
  const because = refusal('invalid_request', message, [{ field: 'waba_id', message: 'The number belongs to another WABA.' }])
  return { step: 'waba', reason: 'not_in_waba', code: null, refusal: because }
}

/** Upstream took the subscription, and does not show it. */
export function notSubscribed(appId: string | null): StepFailure {
  const who = appId === null ? 'no app' : `not the app ${appId}`
  const because = refusal(
    'meta_error',
    `Upstream accepted the subscription to the notices of the WABA, but ${who} is subscribed now. Check that the token was made for the app whose secret this gateway has (META_APP_ID, META_APP_SECRET), then connect again.`,
  )
  return { step: 'subscribe', reason: 'not_subscribed', code: null, refusal: because }
}

/** Such a number is never registered. */
export function onBusinessApp(): StepFailure {
  const words = "The number also lives in the phone's Business app, and such a number is never registered: connect it without a pin."
  return { step: 'register', reason: 'on_business_app', code: null, refusal: invalidField('pin', words) }
}

const tokenAdvice = 'The token is invalid or has expired: make one for a system user, which does not expire.'
