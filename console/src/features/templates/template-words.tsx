import { useTranslation } from 'react-i18next'
import { Standing, type Tone } from '../../ui/standing.tsx'

const statusTones = { APPROVED: 'good', PENDING: 'warning', REJECTED: 'bad', PAUSED: 'warning', DISABLED: 'bad' } as const satisfies Record<
  string,
  Tone
>
const qualityTones = { GREEN: 'good', YELLOW: 'warning', RED: 'bad' } as const satisfies Record<string, Tone>

export const statuses = Object.keys(statusTones) as (keyof typeof statusTones)[]
export const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const
export const qualities = Object.keys(qualityTones) as (keyof typeof qualityTones)[]

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
  const known = statuses.find((each) => each === status)
  return <Standing tone={known === undefined ? 'quiet' : statusTones[known]}>{words.status(status)}</Standing>
}

export function TemplateQuality({ quality }: { quality: string | null }) {
  const words = useTemplateWords()
  const known = qualities.find((each) => each === quality)
  if (quality === null) return words.quality(null)
  return <Standing tone={known === undefined ? 'quiet' : qualityTones[known]}>{words.quality(quality)}</Standing>
}
