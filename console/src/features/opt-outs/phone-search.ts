const digitsMax = 15
const country = '55'
/** An area code and a number, without the country. */
const nationalDigitsMax = 11

/** Where the list is to begin so that the first item is the first phone with this start. Nothing: at its beginning. */
export function justBefore(start: string): { starting_after?: string } {
  if (start === '' || /^0*$/.test(start)) return {}
  const before = String(BigInt(start) - 1n).padStart(start.length, '0')
  return { starting_after: before.padEnd(digitsMax, '9') }
}

/** The same digits as a number of Brazil, where they may be one without the country; null where not. */
export function withCountry(digits: string): string | null {
  return digits === '' || digits.startsWith(country) || digits.length > nationalDigitsMax ? null : `${country}${digits}`
}
