import type { GraphError } from './graph-error.ts'
import { graphError, tokenError, unknownObjectError } from './graph-error.ts'
import { healthyWaba, type WabaState } from './waba-fields.ts'

/** What may be said about a business number at the start or later. `displayDigits` are digits only; the rest has defaults of a healthy number. */
export type NumberOptions = {
  phoneNumberId: string
  wabaId: string
  displayDigits: string
  token: string
} & Partial<NumberDetails>

/** The state of a number that can change while the simulator runs. */
export type NumberDetails = {
  verifiedName: string
  nameStatus: string
  qualityRating: string
  status: string
  throughputLevel: string
  messagingLimit: string
  accountMode: string
  codeVerificationStatus: string
  isOfficialBusinessAccount: boolean
  /** True for a number that also lives in the phone's Business app; the platform then lets 20 messages a second pass. */
  isOnBizApp: boolean
  registered: boolean
  /** Six digits, or null while none was ever set. */
  pin: string | null
  tokenRevoked: boolean
  /** Messages a second before 130429; null takes the simulator's own setting, 20 for a number in the Business app. */
  throughputPerSecond: number | null
  /** Whether the number's WABA sends notices from the start. One number that says so is enough for the WABA. */
  subscribed: boolean
}

/** A number with everything filled in. */
export type NumberState = { phoneNumberId: string; wabaId: string; displayDigits: string; token: string } & NumberDetails

/** Numbers and WABAs by id. */
export type Directory = { numbers: Map<string, NumberState>; wabas: Map<string, WabaState> }

/** Adds a number, or replaces the one with the same id. The WABA comes into being with its first number. */
export function addNumber(directory: Directory, options: NumberOptions): NumberState {
  const number = { ...healthyDetails, ...options }
  directory.numbers.set(number.phoneNumberId, number)
  const waba = directory.wabas.get(number.wabaId) ?? healthyWaba
  directory.wabas.set(number.wabaId, { ...waba, subscribed: waba.subscribed || number.subscribed })
  return number
}

/** The state of a number of which nothing else is said. */
export const healthyDetails: NumberDetails = {
  verifiedName: 'Pombo Simulator',
  nameStatus: 'APPROVED',
  qualityRating: 'GREEN',
  status: 'CONNECTED',
  throughputLevel: 'STANDARD',
  messagingLimit: 'TIER_2K',
  accountMode: 'LIVE',
  codeVerificationStatus: 'VERIFIED',
  isOfficialBusinessAccount: false,
  isOnBizApp: false,
  registered: true,
  pin: null,
  tokenRevoked: false,
  throughputPerSecond: null,
  subscribed: false,
}

/** Finds the number that this token may use, or says as the platform does why not. `verb` is the HTTP method in lower case. */
export function numberFor(
  directory: Directory,
  ask: { id: string; authorization: string | undefined; verb: string },
): NumberState | GraphError {
  const token = bearerToken(ask.authorization)
  const number = directory.numbers.get(ask.id)
  if (number !== undefined && number.token === token && !number.tokenRevoked) return number
  return tokenLives(directory, token) ? unknownObjectError(ask.id, ask.verb) : tokenError()
}

/** Answers null when the token may use the WABA, else the platform's error. */
export function wabaRefusal(directory: Directory, ask: { id: string; authorization: string | undefined; verb: string }): GraphError | null {
  const token = bearerToken(ask.authorization)
  if (!tokenLives(directory, token)) return tokenError()
  return mayUseWaba(directory, token, ask.id) ? null : unknownObjectError(ask.id, ask.verb)
}

/** True when the token belongs to a number of the WABA and was not revoked. */
export function mayUseWaba(directory: Directory, token: string | null, wabaId: string): boolean {
  return numbersOf(directory, wabaId).some((number) => number.token === token && !number.tokenRevoked)
}

/** The numbers of a WABA in the order in which they were added. */
export function numbersOf(directory: Directory, wabaId: string): NumberState[] {
  return [...directory.numbers.values()].filter((number) => number.wabaId === wabaId)
}

/** Says why this number cannot send at all, or null when it can. */
export function sendingRefusal(number: NumberState): GraphError | null {
  if (number.status === 'DELETED') return graphError(33)
  if (number.status === 'BANNED') return graphError(131031)
  if (!number.registered || number.status === 'DISCONNECTED' || number.status === 'UNVERIFIED') return graphError(133010)
  return null
}

/** True for an error of the platform, false for anything else that a call works on. */
export function isGraphError(value: object): value is GraphError {
  return 'code' in value && 'subcode' in value
}

/** The token of an `Authorization` header, or null. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^(?:Bearer|OAuth) +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null
}

/** True for the token of any number that was not revoked. */
export function tokenLives(directory: Directory, token: string | null): boolean {
  if (token === null) return false
  for (const number of directory.numbers.values()) if (number.token === token && !number.tokenRevoked) return true
  return false
}
