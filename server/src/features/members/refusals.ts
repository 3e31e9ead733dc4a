import { invalidField, type Refusal, refusal } from '../../base/refusal.ts'

/** Why a sign-in with a code of the second factor was not taken, from what the library says. */
export function refusalOfCode(code: string): Refusal {
  if (code === 'ACCOUNT_TEMPORARILY_LOCKED')
    return refusal('rate_limited', 'Too many wrong codes were given for this person. Try again in a quarter of an hour.')
  if (wrongCodes.has(code)) return refusal('unauthorized', 'The code is not right.')
  return refusal('unauthorized', 'This sign-in has ended, or too many wrong codes were given. Sign in again.')
}

/** Why somebody who is signed in cannot change how they sign in, from what the library says. */
export function refusalOfChange(code: string, passwordField: string): Refusal {
  if (code === 'INVALID_PASSWORD') return invalidField(passwordField, 'The password is wrong.')
  if (wrongCodes.has(code)) return invalidField('code', 'The code is not right.')
  if (code === 'TOTP_ALREADY_ENABLED') return refusal('conflict', 'There is a second factor already. Take it away first.')
  if (code === 'TOTP_NOT_ENABLED' || code === 'BACKUP_CODES_NOT_ENABLED') return refusal('conflict', 'There is no second factor yet.')
  if (code === 'UNAUTHORIZED') return refusal('unauthorized', 'Nobody has signed in, or the session has ended.')
  return refusal('conflict', 'This was changed by another call a moment ago. Try again.')
}

const wrongCodes: ReadonlySet<string> = new Set(['INVALID_CODE', 'INVALID_BACKUP_CODE'])
