import type { Brand } from './brand.ts'

/** Digits only, country code first, 10 to 15 of them, as one caller or upstream wrote them. */
export type Digits = Brand<string, 'digits'>

/** The one form under which a person is known, whichever of a country's spellings was dialled. */
export type CanonicalPhone = Brand<string, 'canonical phone'>

/**
 * Reads a phone as people write it: an optional `+`, digits, any white space, hyphens and brackets. Null for anything else,
 * for fewer than 10 or more than 15 digits, and for a leading zero.
 */
export function parsePhone(text: string): Digits | null {
  if (text.length > 64 || !/^\s*\+?[\d\s()[\]\p{Pd}]*$/u.test(text)) return null
  const digits = text.replace(/\D/g, '')
  return /^[1-9][0-9]{9,14}$/.test(digits) ? (digits as Digits) : null
}

/**
 * rule: people 1. Brazil with the ninth digit (mobiles only: the eight digits start with 6 to 9; landlines stay), Mexico without the old 1,
 * Argentina with the 9. All else stays as it is.
 */
export function canonicalPhone(digits: Digits): CanonicalPhone {
  const brazil = /^55([1-9][0-9])([6-9][0-9]{7})$/.exec(digits)
  if (brazil) return `55${brazil[1]}9${brazil[2]}` as CanonicalPhone
  const mexico = /^521([0-9]{10})$/.exec(digits)
  if (mexico) return `52${mexico[1]}` as CanonicalPhone
  const argentina = /^54([0-9]{10})$/.exec(digits)
  if (argentina) return `549${argentina[1]}` as CanonicalPhone
  return digits as string as CanonicalPhone
}
