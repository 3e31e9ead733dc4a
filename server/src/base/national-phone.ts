import { canonicalPhone, type Digits, parsePhone } from './phone.ts'

/** Countries in which people write numbers without the country code, and whose numbers we can tell apart. */
export type HomeCountry = '55' | '1'

/** The country of a number of the account, where it is one of those; null: its people write the country code. */
export function homeCountryOf(phone: string | null): HomeCountry | null {
  if (phone === null) return null
  return isOfBrazil(phone) ? '55' : isOfNorthAmerica(phone) ? '1' : null
}

/**
 * Reads a phone as somebody of the team writes it. Without a `+`, 10 or 11 digits are a number of the account's own country; a zero before
 * the area code is passed over. Null: no phone, or one that its country cannot have.
 */
export function parseDialled(text: string, home: HomeCountry | null): Digits | null {
  const isWhole = text.trim().startsWith('+')
  const digits = parsePhone(isWhole || home !== '55' ? text : text.replace(/^[\s([]*0/, ''))
  if (digits === null) return null
  const whole = isWhole ? digits : atHome(digits, home)
  return isPossible(whole) ? whole : null
}

function atHome(digits: Digits, home: HomeCountry | null): Digits {
  const isNational = home === '55' ? digits.length <= 11 : home === '1' && digits.length === 10
  return isNational ? (`${home}${digits}` as Digits) : digits
}

/** Whether its country could give out this number; of countries that we do not know, any is possible. */
function isPossible(digits: Digits): boolean {
  if (digits.startsWith('55')) return isOfBrazil(canonicalPhone(digits))
  return digits.startsWith('1') ? isOfNorthAmerica(digits) : true
}

// Area codes of Brazil (Anatel), then a mobile of nine digits or a landline of eight.
const areas = '1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9]'
const isOfBrazil = (digits: string): boolean => new RegExp(`^55(${areas})(9[0-9]{8}|[2-5][0-9]{7})$`).test(digits)

// The North American plan: neither an area nor an exchange begins with 0 or 1.
const isOfNorthAmerica = (digits: string): boolean => /^1[2-9][0-9]{2}[2-9][0-9]{6}$/.test(digits)
