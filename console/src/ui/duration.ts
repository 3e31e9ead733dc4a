/** A duration with the unit that fits. One below zero, as two clocks make it, is shown as zero. */
export function durationWords(given: number, language: string): string {
  const ms = Math.max(0, given)
  const [value, unit] =
    ms < 1_000
      ? [ms, 'millisecond']
      : ms < 120_000
        ? [ms / 1_000, 'second']
        : ms < 7_200_000
          ? [ms / 60_000, 'minute']
          : [ms / 3_600_000, 'hour']
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: 1 }).format(value)
}

/** How long after a beginning something was; null: within a second of it or before it, by a clock that is not ours. */
export function distanceWords(from: string, to: string, language: string): string | null {
  const ms = Date.parse(to) - Date.parse(from)
  return ms < 0 ? null : durationWords(ms, language)
}
