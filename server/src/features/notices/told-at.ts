import { type Json, textOrDigits } from '../../base/json.ts'

/** rule: receive 17. Upstream writes seconds, mostly as text; thirteen digits are milliseconds. Null for anything else. */
export function momentOf(value: Json | undefined): Date | null {
  const text = textOrDigits(value) ?? ''
  if (/^[0-9]{13}$/.test(text)) return new Date(Number(text))
  const seconds = /^[0-9]{1,11}$/.test(text) ? Number(text) : value
  return typeof seconds === 'number' && seconds >= 0 && seconds < 1e11 ? new Date(seconds * 1_000) : null
}

/** Why an item has no moment of its own. */
export const noMoment = 'its timestamp is not in seconds'
