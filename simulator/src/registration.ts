import type { Clock } from './clock.ts'
import { type GraphError, graphError, parameterError } from './graph-error.ts'
import { isObject } from './json-value.ts'
import type { NumberState } from './numbers.ts'

/** Registers and deregisters numbers. Each answers the platform's refusal, or null once it is done. */
export type Registrations = {
  register(number: NumberState, body: unknown): GraphError | null
  deregister(number: NumberState): GraphError | null
}

const CALLS_MAX = 10
const CALLS_WINDOW_MS = 72 * 60 * 60 * 1000

/** Together they may be called ten times in 72 hours for each number, whether they succeed or not. */
export function createRegistrations(clock: Clock): Registrations {
  const callsMs = new Map<string, number[]>()

  const tooMany = (number: NumberState) => {
    const nowMs = clock.nowMs()
    const recent = (callsMs.get(number.phoneNumberId) ?? []).filter((atMs) => nowMs - atMs < CALLS_WINDOW_MS)
    if (recent.length < CALLS_MAX) recent.push(nowMs)
    else return graphError(133016)
    callsMs.set(number.phoneNumberId, recent)
    return null
  }
  const register = (number: NumberState, body: unknown) => {
    if (!isObject(body) || body.messaging_product !== 'whatsapp') return parameterError('The parameter messaging_product is required.')
    const pin = body.pin
    if (typeof pin !== 'string' || !/^\d{6}$/.test(pin)) return parameterError('Param pin must be 6 digits long.')
    if (number.isOnBizApp) return parameterError('Register endpoint is not available for API solution for SMB businesses.')
    const refusal = tooMany(number)
    if (refusal !== null) return refusal
    // A number must have been proven once; that the proof is old does not matter.
    if (number.codeVerificationStatus === 'NOT_VERIFIED') return graphError(133006)
    if (number.pin !== null && number.pin !== pin) return graphError(133005)
    number.pin = pin
    number.registered = true
    return null
  }
  const deregister = (number: NumberState) => {
    if (number.isOnBizApp) return parameterError('Deregister endpoint is not available for API solution for SMB businesses.')
    const refusal = tooMany(number)
    if (refusal !== null) return refusal
    if (!number.registered) return graphError(133010)
    number.registered = false
    return null
  }
  return { register, deregister }
}
