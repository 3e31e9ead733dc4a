import { useTranslation } from 'react-i18next'
import type { Message } from '../../api/generated/operations.ts'
import { Standing, type Tone } from '../../ui/standing.tsx'

const tones: { readonly [Status in Message['status']]: Tone } = {
  queued: 'warning',
  sent: 'busy',
  delivered: 'good',
  read: 'good',
  failed: 'bad',
  received: 'quiet',
}

/** The status of a message in a word. */
export function MessageStatus({ status }: { status: Message['status'] }) {
  const { t } = useTranslation('messages')
  return <Standing tone={tones[status]}>{t(`status.${status}`)}</Standing>
}
