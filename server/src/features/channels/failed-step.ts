import { type Refusal, refusal } from '../../base/refusal.ts'
import type { UpstreamFailure } from '../../platform/upstream/manage.ts'

export type ConnectStep = 'read' | 'waba' | 'subscribe' | 'register'

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

/** A refusal that says which step of connecting failed, in upstream's words, and what to do. */
export function stepFailed(step: ConnectStep, failure: UpstreamFailure): Refusal {
  const { what, advice } = steps[step]
  if (!failure.reached)
    return refusal(
      'meta_error',
      `${what}: upstream could not be reached (${failure.message}). Check META_GRAPH_URL and the network, then try again.`,
    )
  const detail = { message: failure.message, ...(failure.code === null ? {} : { code: failure.code }) }
  return refusal('meta_error', `${what}. Upstream says: "${failure.message}". ${failure.code === 190 ? tokenAdvice : advice}`, [detail])
}

/** The WABA was read, and the number is not among its numbers. */
export function notInWaba({ phoneNumberId, wabaId }: { phoneNumberId: string; wabaId: string }): Refusal {
  const message = `The WABA ${wabaId} does not have the number ${phoneNumberId}. Copy both ids from the same page of Meta's app dashboard (WhatsApp, API setup).`
  return refusal('invalid_request', message, [{ field: 'waba_id', message: 'The number belongs to another WABA.' }])
}

/** Upstream took the subscription, and does not show it. */
export function notSubscribed(appId: string | null): Refusal {
  const who = appId === null ? 'no app' : `not the app ${appId}`
  return refusal(
    'meta_error',
    `Upstream accepted the subscription to the notices of the WABA, but ${who} is subscribed now. Check that the token was made for the app whose secret this gateway has (META_APP_ID, META_APP_SECRET), then connect again.`,
  )
}

const tokenAdvice = 'The token is invalid or has expired: make one for a system user, which does not expire.'
