import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** The time of day of a moment, in the reader's language and zone. */
export function useClock(): (at: string) => string {
  const { i18n } = useTranslation('inbox')
  return useMemo(() => clockOf(i18n.language), [i18n.language])
}

const clocks = new Map<string, (at: string) => string>()

/** Making a format takes longer than all else of a line: one for each language. */
function clockOf(language: string): (at: string) => string {
  const known = clocks.get(language)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })
  const clock = (at: string) => format.format(new Date(at))
  clocks.set(language, clock)
  return clock
}
