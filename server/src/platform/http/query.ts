import { type TProperties, type TString, Type } from 'typebox'

/** A query with these fields and no others. Numbers are read from their digits; an empty value and a field given twice are refused. */
export function query<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}

/** A moment in ISO-8601, read with `parseTime`. */
export function time(description: string): TString {
  return Type.String({ description, examples: ['2026-11-27T21:11:41.747Z'], 'x-expected': timeWords })
}

export const timeWords = 'a time in ISO-8601, such as 2026-11-27T21:11:41Z'

const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+\- ])(\d{2})(?::?(\d{2}))?)?)?$/

/**
 * Reads an ISO-8601 date or time to the millisecond, or null. Without an offset it is UTC; a raw `+` of a query, which
 * arrives as a space, is understood.
 */
export function parseTime(text: string): Date | null {
  const found = iso.exec(text)
  if (found === null) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', , sign, offsetHour = '0', offsetMinute = '0'] = found
  const local = new Date(0)
  local.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  local.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)))
  // Date turns the 31st of a short month, or 25 o'clock, into something else instead of refusing it.
  const same = local.getUTCMonth() === Number(month) - 1 && local.getUTCDate() === Number(day) && Number(year) > 0
  if (!same || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000
  return new Date(local.getTime() + (sign === '-' ? offsetMs : -offsetMs))
}
