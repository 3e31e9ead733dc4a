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

/**
 * Ten or eleven digits as Brazilians write them, area code first, that are a number of Brazil once 55 stands before them, and of no country as
 * they are. Of area codes whose digits begin a number elsewhere (51 and a 9 is Peru) nothing can be told: they are not here.
 */
const brazilianWithout55 = [
  // An area code of North America begins with 2 to 9, and none has a 9 in the middle.
  /^1[1-9]9[0-9]{8}$/,
  /^1[1-9][2-9][0-9]{7}$/,
  // No such country, none with so many digits, or none whose numbers begin with a 9.
  /^(?:2[1478]|3[127]|4[24578]|5[345]|6[1579]|7[15]|8[35789]|9[16789])9[6-9][0-9]{7}$/,
]

/** rule: send 17. Whether a phone, written without a plus, is a Brazilian one without its country code, and cannot be another. */
export function lacksCountryCode55(text: string): boolean {
  const digits = parsePhone(text)
  return digits !== null && !text.includes('+') && brazilianWithout55.some((form) => form.test(digits))
}
