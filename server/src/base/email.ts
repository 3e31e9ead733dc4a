/** An e-mail address in the one form in which it is kept, compared and counted. */
export type Email = string & { readonly brand: 'Email' }

/** The one form of an e-mail address: trimmed and in lower case; null for what cannot be an address. */
export function parseEmail(text: string): Email | null {
  const email = text.trim().toLowerCase()
  return email.length <= emailCharsMax && form.test(email) ? (email as Email) : null
}

const form = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+\.[^\s@<>"(),:;[\]\\]+$/

/** RFC 5321: what a path holds, without its brackets. */
const emailCharsMax = 254
