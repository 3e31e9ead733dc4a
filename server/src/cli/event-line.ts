import { isObject, type Json, type JsonObject } from '../base/json.ts'

const textCharsShown = 80

/** An event as one line for a reader; `problem` is what is wrong with its signature, or null. */
export function eventLine(event: Json, at: Date, problem: string | null): string {
  const time = at.toISOString().slice(11, 19)
  const verdict = problem === null ? 'signature verified' : `NOT VERIFIED: ${problem}`
  if (!isObject(event)) return `${time}  not an event  ${verdict}`
  return [time, textOf(event.type), ...summary(event), verdict].filter((part) => part !== '').join('  ')
}

function summary(event: JsonObject): string[] {
  const { data } = event
  if (!isObject(data) || data.object !== 'message') return [textOf(event.id)]
  const error = isObject(data.error) ? `error ${textOf(data.error.code)} ${textOf(data.error.message)}`.trim() : ''
  const reaction = isObject(data.reaction) ? `reaction ${textOf(data.reaction.emoji) || 'removed'}` : ''
  return [textOf(data.id), textOf(data.status), error || reaction || quoted(data.text)]
}

const quoted = (text: Json | undefined): string => (typeof text === 'string' ? JSON.stringify(textOf(text)) : '')

/** Strangers write these texts: control characters would reach the terminal as commands. */
function textOf(value: Json | undefined): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return ''
  const text = value.replace(/\p{Cc}+/gu, ' ')
  return text.length > textCharsShown ? `${text.slice(0, textCharsShown).toWellFormed()}…` : text
}
