import { useTranslation } from 'react-i18next'
import { Standing } from '../../ui/standing.tsx'
import { type Channel, known, qualityTone } from './channel.ts'

/** Whether a number can send. */
export function ChannelStanding({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  if (channel.status === 'connected') return <Standing tone="good">{t('status.connected')}</Standing>
  return <Standing tone="bad">{channel.disconnected_by_hand ? t('status.by_hand') : t('status.disconnected')}</Standing>
}

/** How upstream rates what people say of a number's messages. */
export function Quality({ quality }: { quality: string | null }) {
  const { t } = useTranslation('channels')
  const word = quality === null ? t('quality.none') : isKnown('quality', quality) ? t(`quality.${quality}`) : quality
  return <Standing tone={qualityTone(quality)}>{word}</Standing>
}

/** A word of upstream's in the reader's language, where there is one. */
export function UpstreamWord({ of, word }: { of: 'limit' | 'name' | 'throughput'; word: string | null }) {
  const { t } = useTranslation('channels')
  if (word === null) return '–'
  if (!isKnown(of, word)) return word
  if (of === 'limit') return t(`limit.${word}`)
  return of === 'name' ? t(`name.${word}`) : t(`throughput.${word}`)
}

const isKnown = (of: keyof typeof known, word: string): boolean => (known[of] as readonly string[]).includes(word)
