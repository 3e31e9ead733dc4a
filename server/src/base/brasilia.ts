import type { Brand } from './brand.ts'

/** A calendar day in Brasília time, as `2026-11-30`. Days sort as text. */
export type Day = Brand<string, 'day'>

/** A calendar month in Brasília time, as `2026-11`. Months sort as text. */
export type Month = Brand<string, 'month'>

// Whatever the law of its time was: Brazil has had no daylight saving since 2019, had it before, and may have it again.
const calendar = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Sao_Paulo',
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

const hourMs = 3_600_000
/** Formatting costs 2 µs, and a busy gateway asks for the same few hours all the time. */
const known = new Map<number, Day>()
const knownMax = 1_000

/** The day in Brasília at that moment. The offset has been whole hours since 1914, so that a day there begins with an hour of UTC. */
export function brasiliaDay(at: Date): Day {
  const hour = Math.floor(at.getTime() / hourMs)
  const day = known.get(hour) ?? formatDay(hour)
  if (known.size >= knownMax) known.clear()
  known.set(hour, day)
  return day
}

function formatDay(hour: number): Day {
  const parts = Object.fromEntries(calendar.formatToParts(hour * hourMs).map(({ type, value }) => [type, value]))
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}` as Day
}

/** The midnight in Brasília that comes next; never `at` itself. */
export function nextBrasiliaMidnight(at: Date): Date {
  const today = brasiliaDay(at)
  let hour = Math.floor(at.getTime() / hourMs) + 1
  // A day has 23 to 25 hours.
  while (brasiliaDay(new Date(hour * hourMs)) === today) hour += 1
  return new Date(hour * hourMs)
}

export const monthOf = (day: Day): Month => day.slice(0, 7) as Month

/** Four digits, a hyphen and 01 to 12; null for anything else. */
export function parseMonth(text: string): Month | null {
  return /^[1-9][0-9]{3}-(0[1-9]|1[0-2])$/.test(text) ? (text as Month) : null
}

/** Every day of the month, in order. */
export function daysOf(month: Month): Day[] {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length: count }, (_each, i) => `${month}-${String(i + 1).padStart(2, '0')}` as Day)
}
