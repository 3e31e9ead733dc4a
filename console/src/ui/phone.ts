/** Digits with country code as people write them: `+55 11 98765-4321`; of other countries `+` and the digits. */
export function phoneWords(digits: string): string {
  const brazilian = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(digits)
  if (brazilian !== null) return `+55 ${brazilian[1]} ${brazilian[2]}-${brazilian[3]}`
  return digits === '' ? '' : `+${digits}`
}
