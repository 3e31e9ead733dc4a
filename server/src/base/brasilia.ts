/** Brasília has had no summer time since 2019, and is three hours behind UTC. */
const offsetMs = 3 * 3_600_000
const dayMs = 24 * 3_600_000

/** The calendar day in Brasília, as `2026-11-27`. */
export function brasiliaDay(at: Date): string {
  return new Date(at.getTime() - offsetMs).toISOString().slice(0, 10)
}

/** The midnight in Brasília that comes next; never `at` itself. */
export function nextBrasiliaMidnight(at: Date): Date {
  return new Date((Math.floor((at.getTime() - offsetMs) / dayMs) + 1) * dayMs + offsetMs)
}
