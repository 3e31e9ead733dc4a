import { isFilled, isObject, parseJson } from './json-value.ts'
import type { KnownMessages } from './known-messages.ts'

/** Other values for texts and numbers of a notice: ids of numbers and WABAs, wamids. Only whole values are replaced. */
export type Replacements = { readonly [value: string]: string }

/** The same JSON text with these values in place of others, everything else byte for byte: large numbers and the order of keys stay. */
export function withReplacements(json: string, replacements: Replacements): string {
  if (Object.keys(replacements).length === 0) return json
  return json.replace(/"(?:\\.|[^"\\])*"|-?\d[\d.eE+-]*/g, (token) => {
    const value = token.startsWith('"') ? (parseJson(token) as string) : token
    const next = Object.hasOwn(replacements, value) ? replacements[value] : undefined
    if (next === undefined) return token
    return token.startsWith('"') ? JSON.stringify(next) : next
  })
}

/** Remembers the messages of a notice that was written elsewhere, so that they can be marked as read and reacted to. */
export function rememberMessages(messages: KnownMessages, json: string, nowMs: number): void {
  for (const value of valuesOf(parseJson(json))) {
    const phoneNumberId = isObject(value.metadata) ? value.metadata.phone_number_id : undefined
    if (!isFilled(phoneNumberId)) continue
    for (const message of listOf(value.messages)) {
      if (!isFilled(message.id)) continue
      const atMs = Number(message.timestamp) * 1000 || nowMs
      const waId = isFilled(message.from) ? message.from : null
      messages.add(message.id, { phoneNumberId, waId, kind: String(message.type), atMs, subject: null })
    }
  }
}

type Loose = { readonly [key: string]: unknown }

function valuesOf(body: unknown): Loose[] {
  const changes = listOf(isObject(body) ? body.entry : null).flatMap((entry) => listOf(entry.changes))
  return changes.map((change) => change.value).filter(isObject)
}

function listOf(value: unknown): Loose[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
