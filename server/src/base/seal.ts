import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Brand } from './brand.ts'

/** A secret encrypted at rest: AES-256-GCM, 12 bytes of nonce, then the tag, then the text. */
export type Sealed = Brand<Buffer, 'sealed'>

export type SecretKey = Brand<Buffer, 'secret key'>

/** The key from 32 bytes of base64, or null for anything else. */
export function parseSecretKey(base64: string): SecretKey | null {
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length === 32 ? (bytes as SecretKey) : null
}

export function seal(key: SecretKey, text: string): Sealed {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]) as Sealed
}

/** Opens what was sealed. Throws when the key is another one or the bytes were changed. */
export type Unseal = (sealed: Sealed) => string

/** The text; null where there is none, and where it cannot be opened: one such secret must stop nothing but what is its own. */
export function openedOrNull(unseal: Unseal, sealed: Sealed | null): string | null {
  if (sealed === null) return null
  try {
    return unseal(sealed)
  } catch {
    return null
  }
}

/** How many texts are remembered; then all are forgotten, and opened anew where they are still used. */
const rememberedMax = 10_000

/**
 * `unseal` for the same few secrets again and again, which opens each of them once: opening cost a tenth of sending. A secret that was
 * replaced has other bytes, so none is ever taken for its successor.
 */
export function createUnsealer(key: SecretKey): Unseal {
  const remembered = new Map<string, string>()
  return (sealed) => {
    const bytes = sealed.toString('latin1')
    const known = remembered.get(bytes)
    if (known !== undefined) return known
    const text = unseal(key, sealed)
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(bytes, text)
    return text
  }
}

/** The text again. Throws when the key is another one or the bytes were changed. */
export function unseal(key: SecretKey, sealed: Sealed): string {
  // Without this length a tag that was cut short would still be accepted.
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}
