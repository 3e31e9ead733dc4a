import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * True when `header` (`sha256=<hex>`) is the HMAC of exactly these bytes under one of the app's secrets. The bytes must be
 * the ones on the wire: upstream escapes non-ASCII characters, and printing the JSON again would change them.
 */
export function noticeIsSigned(bytes: Buffer, header: string | undefined, appSecrets: readonly string[]): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(header ?? '')?.[1]
  if (hex === undefined) return false
  const given = Buffer.from(hex, 'hex')
  return appSecrets.some((secret) => timingSafeEqual(given, createHmac('sha256', secret).update(bytes).digest()))
}
