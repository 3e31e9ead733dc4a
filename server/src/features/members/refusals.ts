import { because, invalidField, type Refusal, refusal } from '../../base/refusal.ts'

import { commonPasswordReason } from './common-passwords.ts'

/** Why a sign-in with a code of the second factor was not taken, from what the library says. */
export function refusalOfCode(code: string): Refusal {
  if (code === 'ACCOUNT_TEMPORARILY_LOCKED')
    return refusal(
      'rate_limited',
      because('codes_wrong_often', 'Too many wrong codes were given for this person. Try again in a quarter of an hour.'),
    )
  if (wrongCodes.has(code)) return refusal('unauthorized', because('code_wrong', 'The code is not right.'))
  return refusal('unauthorized', because('sign_in_over', 'This sign-in has ended, or too many wrong codes were given. Sign in again.'))
}

/** Why somebody who is signed in cannot change how they sign in, from what the library says. */
export function refusalOfChange(code: string, passwordField: string): Refusal {
  if (code === 'INVALID_PASSWORD') return invalidField(passwordField, because('password_wrong', 'The password is wrong.'))
  if (wrongCodes.has(code)) return invalidField('code', because('code_wrong', 'The code is not right.'))
  if (code === 'TOTP_ALREADY_ENABLED')
    return refusal('conflict', because('two_factor_on', 'There is a second factor already. Take it away first.'))
  if (code === 'TOTP_NOT_ENABLED' || code === 'BACKUP_CODES_NOT_ENABLED')
    return refusal('conflict', because('two_factor_off', 'There is no second factor yet.'))
  if (code === 'UNAUTHORIZED') return refusal('unauthorized', because('signed_out', 'Nobody has signed in, or the session has ended.'))
  return refusal('conflict', because('changed_meanwhile', 'This was changed by another call a moment ago. Try again.'))
}

const wrongCodes: ReadonlySet<string> = new Set(['INVALID_CODE', 'INVALID_BACKUP_CODE'])

/** Why nobody may have this password; null: they may. */
export function wrongPassword(field: string, password: string): Refusal | null {
  const reason = commonPasswordReason(password)
  if (reason === null) return null
  const words =
    reason === 'password_digits'
      ? 'A password of digits alone is tried first by everybody who guesses: use words too.'
      : 'This password is one of those that everybody tries first: choose another.'
  return invalidField(field, because(reason, words))
}
