/** A person as the platform knows them. `waId` is digits; `userId` is the id that a business may see instead of the phone number. */
export type Person = { waId: string; userId: string }

/** How Brazilian mobile numbers answer: with the ninth digit that was dialled, or as the accounts from before it, without. */
export type NinthDigit = 'keep' | 'drop'

/** The ending that is always an account from before the ninth digit. */
const OLD_BRAZILIAN_ENDING = '000006'

/** Finds the person behind dialled digits. The WhatsApp id differs from them where the platform's would: Brazil, Mexico, Argentina. */
export function personAt(digits: string, ninthDigit: NinthDigit): Person {
  return personWithWaId(waIdOf(digits, ninthDigit))
}

/** The person whose WhatsApp id is already known. */
export function personWithWaId(waId: string): Person {
  return { waId, userId: userIdOf(waId) }
}

/** Finds the person behind a user id that `personAt` made, or null for any other. */
export function personOfUserId(userId: string): Person | null {
  const match = /^[A-Z]{2}\.7(\d{7,15})$/.exec(userId)
  if (match?.[1] === undefined) return null
  const waId = reversed(match[1])
  return userIdOf(waId) === userId ? { waId, userId } : null
}

function waIdOf(digits: string, ninthDigit: NinthDigit): string {
  const drops = ninthDigit === 'drop' || digits.endsWith(OLD_BRAZILIAN_ENDING)
  // Only mobile numbers have a ninth digit to lose: area of two digits, the 9, then eight digits that begin with 6 to 9.
  if (drops && /^55\d{2}9[6-9]\d{7}$/.test(digits)) return digits.slice(0, 4) + digits.slice(5)
  if (/^52\d{10}$/.test(digits)) return `521${digits.slice(2)}`
  if (/^54[1-8]\d{9}$/.test(digits)) return `549${digits.slice(2)}`
  return digits
}

const COUNTRIES: readonly (readonly [prefix: string, country: string])[] = [
  ['55', 'BR'],
  ['52', 'MX'],
  ['54', 'AR'],
  ['351', 'PT'],
  ['34', 'ES'],
  ['44', 'GB'],
  ['49', 'DE'],
  ['1', 'US'],
]

/** The digits written backwards keep the id unique and reversible without looking like the number. */
function userIdOf(waId: string): string {
  const country = COUNTRIES.find(([prefix]) => waId.startsWith(prefix))?.[1] ?? 'ZZ'
  return `${country}.7${reversed(waId)}`
}

function reversed(text: string): string {
  return [...text].reverse().join('')
}
