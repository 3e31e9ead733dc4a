import { Group, Text, VisuallyHidden } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { IconClock, IconClockExclamation, IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** How long the person may still be written to freely. `soon`: for less than an hour. */
export type WindowLevel = 'open' | 'soon' | 'closed'

const soonMs = 3_600_000
const icons = { open: <IconClock size={16} />, soon: <IconClockExclamation size={16} />, closed: <IconLock size={16} /> }
const colors = {
  open: 'var(--muted)',
  soon: 'light-dark(#8f4300, #ffb457)',
  closed: 'light-dark(#b3261e, #ff9d95)',
}

/** Where the 24-hour window stands, followed by the second. */
export function useWindowLevel(closesAt: string | null): WindowLevel {
  const [, setLevel] = useState<WindowLevel>('closed')
  const level = levelOf(closesAt, Date.now())
  useInterval(() => setLevel(levelOf(closesAt, Date.now())), 1_000, { autoInvoke: true })
  return level
}

function levelOf(closesAt: string | null, now: number): WindowLevel {
  const leftMs = closesAt === null ? 0 : Date.parse(closesAt) - now
  if (leftMs <= 0) return 'closed'
  return leftMs < soonMs ? 'soon' : 'open'
}

/** Counts the window down. Whoever listens to the page is told when it changes, not each second. */
export function WindowTimer({ closesAt }: { closesAt: string | null }) {
  const { t, i18n } = useTranslation('composer')
  const [now, setNow] = useState(() => Date.now())
  useInterval(() => setNow(Date.now()), 1_000, { autoInvoke: true })
  const level = levelOf(closesAt, now)
  const left = timeWords(closesAt === null ? 0 : Date.parse(closesAt) - now, i18n.language)
  return (
    <Group gap={6} wrap="nowrap" c={colors[level]} data-testid="window-timer" data-level={level}>
      {icons[level]}
      <Text size="xs" fw={level === 'open' ? 400 : 600} aria-hidden>
        {level === 'closed' ? t('window.closed') : t(`window.${level}`, { left })}
      </Text>
      <VisuallyHidden aria-live="polite">{t(`window.said.${level}`)}</VisuallyHidden>
    </Group>
  )
}

/** `23 h 12 min`, `42 min`, and in the last minute `30 s`. */
function timeWords(ms: number, language: string): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const unit = (value: number, name: 'hour' | 'minute' | 'second') =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value)
  if (seconds < 60) return unit(seconds, 'second')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return unit(minutes, 'minute')
  return `${unit(Math.floor(minutes / 60), 'hour')} ${unit(minutes % 60, 'minute')}`
}
