import { isUtf8 } from 'node:buffer'

/** The value of what is no UTF-8. Nothing that is can become half a surrogate pair. */
const notText = '\ud800'

/** Whether a value of `parseQuery` is the text that was sent. */
export const isText = (value: string): boolean => value.isWellFormed()

/**
 * rule: requests 8. Reads the part of a URL after `?`: each field once with its text, or with a list where it came more often. Bytes count,
 * percent-encoded or not: what they are is one text of UTF-8, or not a text (`isText`). A `%` that encodes nothing stands for itself.
 */
export function parseQuery(text: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null)
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    // Such a name is of no field of ours: it is refused as one that is not known.
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals)).toWellFormed()
    const value = equals === -1 ? '' : decoded(pair.slice(equals + 1))
    const before = fields[name]
    if (before === undefined) fields[name] = value
    else if (typeof before === 'string') fields[name] = [before, value]
    else before.push(value)
  }
  return fields
}

const plain = /^[!-$&-*,-~]*$/

function decoded(written: string): string {
  if (plain.test(written)) return written
  // Node gives each byte of a URL as one character.
  const bytes = Buffer.from(
    written.replaceAll('+', ' ').replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  return isUtf8(bytes) ? bytes.toString('utf8') : notText
}
