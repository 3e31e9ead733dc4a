const directions = ['inbound', 'outbound'] as const
export const statuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'received'] as const

export const sources = ['api', 'chat', 'crm', 'ai'] as const

/** Which messages the log shows, as its address says it. Days are those of the reader. */
export type MessageSearch = {
  direction?: (typeof directions)[number]
  status?: (typeof statuses)[number]
  phone?: string
  reference?: string
  source?: (typeof sources)[number]
  from?: string
  to?: string
}

/** An address is typed and shared by people: what is not understood is left out. */
export function readMessageSearch(search: Record<string, unknown>): MessageSearch {
  return {
    ...one('direction', search.direction, directions),
    ...one('status', search.status, statuses),
    ...one('source', search.source, sources),
    ...text('phone', search.phone, 40),
    ...text('reference', search.reference, 512),
    ...day('from', search.from),
    ...day('to', search.to),
  }
}

function one<Name extends string, Value extends string>(name: Name, given: unknown, known: readonly Value[]): { [Key in Name]?: Value } {
  const value = known.find((each) => each === given)
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value }
}

/** A phone in an address may have been read as a number. */
function text<Name extends string>(name: Name, given: unknown, charsMax: number): { [Key in Name]?: string } {
  const value = typeof given === 'number' ? String(given) : given
  return (typeof value === 'string' && value !== '' && value.length <= charsMax ? { [name]: value } : {}) as { [Key in Name]?: string }
}

function day<Name extends string>(name: Name, given: unknown): { [Key in Name]?: string } {
  return (
    typeof given === 'string' && /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(new Date(given).getTime()) ? { [name]: given } : {}
  ) as { [Key in Name]?: string }
}

/** What the list is asked for: the last day is whole, so it ends where the next one begins. */
export function queryOf({ from, to, reference, ...rest }: MessageSearch) {
  return {
    ...rest,
    ...(reference === undefined ? {} : { client_reference: reference }),
    ...(from === undefined ? {} : { since: startOfDay(from, 0).toISOString() }),
    ...(to === undefined ? {} : { until: startOfDay(to, 1).toISOString() }),
  }
}

function startOfDay(day: string, daysLater: number): Date {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater)
}

/** The day, so many days before today, as a date input takes it. */
export function dayBefore(days: number): string {
  const now = new Date()
  const at = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}
