const dayMs = 86_400_000

/** Today the time, this week the day of the week, else the date. Pure. */
export function shortMoment(at: string, now: Date, language: string): string {
  const date = new Date(at)
  return formatOf(language, kindOf(date, now)).format(date)
}

type Kind = 'time' | 'weekday' | 'date' | 'year'

function kindOf(date: Date, now: Date): Kind {
  if (date.toDateString() === now.toDateString()) return 'time'
  if (now.getTime() - date.getTime() < 6 * dayMs) return 'weekday'
  return date.getFullYear() === now.getFullYear() ? 'date' : 'year'
}

const options: Readonly<Record<Kind, Intl.DateTimeFormatOptions>> = {
  time: { hour: '2-digit', minute: '2-digit' },
  weekday: { weekday: 'short' },
  date: { day: '2-digit', month: 'short' },
  year: { day: '2-digit', month: '2-digit', year: '2-digit' },
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(language: string, kind: Kind): Intl.DateTimeFormat {
  const key = `${language} ${kind}`
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language, options[kind])
  formats.set(key, known)
  return known
}
