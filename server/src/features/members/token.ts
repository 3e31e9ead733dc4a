import { hash, randomBytes } from 'node:crypto'

/** A new secret of a link: 43 url-safe characters of 32 random bytes. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What is kept of one. It has 256 random bits, so that a plain hash cannot be guessed back. */
export const hashOfToken = (token: string): Buffer => hash('sha256', token, 'buffer')

// In the fragment, which no browser sends: it stands in no log, and what opens links before people do learns nothing.
export const signInLink = (publicUrl: string, token: string): string => `${publicUrl}/sign-in/link#${token}`
export const invitationLink = (publicUrl: string, token: string): string => `${publicUrl}/invitation#${token}`

/** A code of the app has six digits; a backup code has ten letters and digits around a hyphen. */
export const isOfApp = (code: string): boolean => /^[0-9]{6}$/.test(code)
