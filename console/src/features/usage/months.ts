/** A month such as `2026-11` in words. It is of Brasília; its name is the same everywhere. */
export function monthName(month: string, language: string): string {
  const words = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A day such as `2026-11-27` in words. */
export function dayName(day: string, language: string): string {
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', weekday: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
}

/** The last day of a month, as the log's filter takes it. */
export function lastDayOf(month: string): string {
  const [year = 1970, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}
