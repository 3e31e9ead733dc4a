import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { newUuid } from '../../base/id.ts'
import type { SecretKey } from '../../base/seal.ts'
import { authSecretOf, cookieIn, cookiePrefix } from './session-cookie.ts'

/** Remembers in a browser that somebody has signed in there: strangers who try their password cannot lock them out of it. */
export type Devices = {
  /** The cookie to be set when the person with this e-mail has signed in. */
  cookieOf(email: string): string
  /** The device that these cookies show; null: this person has not signed in there, or half a year ago. */
  deviceOf(cookies: string | undefined, email: string): string | null
}

const secondsMax = 180 * 24 * 3_600
/** Longer than any of ours: not worth a look. */
const cookieCharsMax = 256

/**
 * The cookie is `id.moment.signature`. The e-mail is signed and does not stand in it. It proves nothing but that tries of the password are
 * counted apart: whoever steals it has five a minute.
 */
export function createDevices({ clock, secretKey, publicUrl }: { clock: Clock; secretKey: SecretKey; publicUrl: string }): Devices {
  const isSecure = publicUrl.startsWith('https:')
  const name = `${isSecure ? '__Secure-' : ''}${cookiePrefix}.device`
  const secret = authSecretOf(secretKey)
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1_000)
  const signatureOf = (id: string, moment: string, email: string) =>
    createHmac('sha256', secret).update(`device ${id} ${moment} ${email.trim().toLowerCase()}`).digest()
  return {
    cookieOf(email) {
      const [id, moment] = [newUuid(clock.now()), String(nowSeconds())]
      const value = `${id}.${moment}.${signatureOf(id, moment, email).toString('base64url')}`
      return `${name}=${value}; Max-Age=${secondsMax}; Path=/; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Lax`
    },
    deviceOf(cookies, email) {
      const value = cookies === undefined ? null : cookieIn(cookies, name)
      const [id = '', moment = '', shown = '', ...rest] = value === null || value.length > cookieCharsMax ? [] : value.split('.')
      if (id === '' || rest.length > 0 || !/^[0-9]{1,12}$/.test(moment) || nowSeconds() - Number(moment) > secondsMax) return null
      const [given, right] = [Buffer.from(shown, 'base64url'), signatureOf(id, moment, email)]
      return given.length === right.length && timingSafeEqual(given, right) ? id : null
    },
  }
}
