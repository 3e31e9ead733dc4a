import { hash, randomBytes } from 'node:crypto'

/** A new secret: the prefix that says its mode, then 43 url-safe characters of 32 random bytes. */
// rule: authentication 2
export function newSecret(livemode: boolean): string {
  return `${livemode ? 'svc_live_' : 'svc_test_'}${randomBytes(32).toString('base64url')}`
}

/** True for text that can be a key; anything else is refused without a query. */
export const isWellFormed = (text: string): boolean => /^svc_(live|test)_[A-Za-z0-9_-]{32,128}$/.test(text)

/** What is kept of a secret. It has 256 random bits, so that a plain hash cannot be guessed back. */
// rule: authentication 4
export const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** What may be shown of a secret later: 39 of its 43 random characters stay unknown. */
export const hintOf = (secret: string): string => secret.slice(-4)
