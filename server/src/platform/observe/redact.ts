import type { Field } from './observation.ts'

/** A stack fits; a body that slipped into a message does not. */
const textCharsMax = 4_000
const itemsMax = 50

// The types already keep secrets out. What is left are sentences of other programs (an error's message), which may quote
// what they were given: keys and tokens by their prefixes, phones by their shape.
const secrets = /\b(?:svc_(?:live|test)_|whsec_|EAA|Bearer\s+)[A-Za-z0-9._~+/=-]{6,}/g
const phones = /(?<![\w.-])\+?[0-9]{10,15}(?![\w.-])/g

/** The value as a log line may show it. Bounded, whatever it is given. */
export function shown(value: Field): Field {
  if (typeof value === 'string') return shownText(value)
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((each) => (typeof each === 'string' ? shownText(each) : each))
  // Only a cast brings anything else here.
  return typeof value === 'object' && value !== null ? '[object]' : value
}

function shownText(text: string): string {
  const cut = text.length > textCharsMax ? `${text.slice(0, textCharsMax)}…` : text
  return cut.replace(secrets, '[secret]').replace(phones, '[digits]')
}
