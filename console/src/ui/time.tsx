import { Text, Tooltip } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** "3 minutes ago", with the exact moment on hover. Null and undefined show a dash. */
export function Ago({ at }: { at: string | null | undefined }) {
  const { i18n, t } = useTranslation('app')
  const [now, setNow] = useState(() => Date.now())
  useInterval(() => setNow(Date.now()), 30_000, { autoInvoke: true })
  if (at === null || at === undefined) return <Text span>–</Text>
  const seconds = Math.round((new Date(at).getTime() - now) / 1000)
  const unit = units.find(([, size]) => Math.abs(seconds) >= size)
  const words =
    unit === undefined
      ? t('just_now')
      : new Intl.RelativeTimeFormat(i18n.language, { numeric: 'auto' }).format(Math.round(seconds / unit[1]), unit[0])
  return (
    <Tooltip label={<Moment at={at} />}>
      <time dateTime={at}>{words}</time>
    </Tooltip>
  )
}

/** A moment in full, in the reader's time zone. `precise` adds milliseconds. */
export function Moment({ at, precise = false }: { at: string; precise?: boolean }) {
  const { i18n } = useTranslation('app')
  return <time dateTime={at}>{momentWords(at, i18n.language, precise)}</time>
}

function momentWords(at: string, language: string, precise = false): string {
  return new Intl.DateTimeFormat(language, {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(precise ? { fractionalSecondDigits: 3 as const } : {}),
  }).format(new Date(at))
}
