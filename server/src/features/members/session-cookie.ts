import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { SecretKey } from '../../base/seal.ts'

export const cookiePrefix = 'pombo'

/** What the library signs and encrypts with: made of the key of this installation, and of no use for anything else. */
export function authSecretOf(secretKey: SecretKey): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'pombo: sessions of the console', 32)).toString('base64')
}

/** Over https, browsers take a cookie of this prefix from no page that came in the clear. */
export function sessionCookieName(publicUrl: string): string {
  return `${publicUrl.startsWith('https:') ? '__Secure-' : ''}${cookiePrefix}.session_token`
}

/** Longer than any session cookie: not worth a look. */
const cookieCharsMax = 512

/**
 * The session's token in these cookies; null when there is none, or when its signature is not ours. The library writes the cookie as
 * `token.signature`, HMAC-SHA-256 in base64, percent-encoded; read here because the library would ask the database twice at each call.
 */
export function sessionTokenIn(cookies: string, name: string, secret: string): string | null {
  const value = cookieIn(cookies, name)
  if (value === null || value.length > cookieCharsMax) return null
  const text = decoded(value)
  const dot = text.lastIndexOf('.')
  if (dot < 1) return null
  const token = text.slice(0, dot)
  const shown = Buffer.from(text.slice(dot + 1), 'base64')
  const right = createHmac('sha256', secret).update(token).digest()
  return shown.length === right.length && timingSafeEqual(shown, right) ? token : null
}

/** The value of a cookie, as it was sent; null: it was not. */
export function cookieIn(cookies: string, name: string): string | null {
  for (const part of cookies.split(';')) {
    const [key = '', ...value] = part.split('=')
    if (key.trim() === name) return value.join('=').trim()
  }
  return null
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
