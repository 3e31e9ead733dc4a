import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../inbox.module.css'
import { dayOf } from './rows.ts'

/** Where a day begins. */
export const DayLine = memo(function DayLine({ at }: { at: string }) {
  const { i18n } = useTranslation('inbox')
  return (
    <div className={classes.day}>
      <span>{dayWords(at, i18n.language)}</span>
    </div>
  )
})

const dayMs = 86_400_000

function dayWords(at: string, language: string): string {
  const now = Date.now()
  for (const ago of [0, 1])
    if (dayOf(at) === dayOf(new Date(now - ago * dayMs).toISOString()))
      return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-ago, 'day')
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(new Date(at))
}
