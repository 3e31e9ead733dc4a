import { Badge } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconClock, IconPlayerPause } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const size = 14
const statusLooks = {
  APPROVED: ['teal', <IconCircleCheck key="icon" size={size} />],
  PENDING: ['yellow', <IconClock key="icon" size={size} />],
  REJECTED: ['red', <IconAlertCircle key="icon" size={size} />],
  PAUSED: ['orange', <IconPlayerPause key="icon" size={size} />],
  DISABLED: ['red', <IconAlertCircle key="icon" size={size} />],
} as const satisfies Record<string, readonly [color: string, icon: ReactNode]>

export const statuses = Object.keys(statusLooks) as (keyof typeof statusLooks)[]
export const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const
export const qualities = ['GREEN', 'YELLOW', 'RED'] as const

/** Status, category and quality in words; one that is new to us keeps the platform's own. */
export function useTemplateWords() {
  const { t } = useTranslation('templates')
  const wordOf = <Word extends string>(known: readonly Word[], given: string | null, words: (word: Word) => string) => {
    const word = known.find((each) => each === given)
    return word === undefined ? (given ?? '–') : words(word)
  }
  return {
    status: (given: string | null) => wordOf(statuses, given, (word) => t(`status.${word}`)),
    category: (given: string | null) => wordOf(categories, given, (word) => t(`category.${word}`)),
    quality: (given: string | null) => (given === null ? t('quality.none') : wordOf(qualities, given, (word) => t(`quality.${word}`))),
  }
}

export function TemplateStatus({ status }: { status: string | null }) {
  const words = useTemplateWords()
  const [color, icon] = statusLooks[statuses.find((each) => each === status) ?? 'PENDING']
  const isKnown = statuses.some((each) => each === status)
  return (
    <Badge variant="light" color={isKnown ? color : 'gray'} leftSection={isKnown ? icon : null} tt="none" fw={600} miw="max-content">
      {words.status(status)}
    </Badge>
  )
}

const qualityColors: Readonly<Record<string, string>> = { GREEN: 'teal', YELLOW: 'yellow', RED: 'red' }

export function TemplateQuality({ quality }: { quality: string | null }) {
  const words = useTemplateWords()
  if (quality === null) return <>{words.quality(null)}</>
  return (
    <Badge variant="dot" color={qualityColors[quality] ?? 'gray'} tt="none" fw={500}>
      {words.quality(quality)}
    </Badge>
  )
}
