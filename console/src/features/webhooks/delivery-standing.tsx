import { useTranslation } from 'react-i18next'
import { Standing, type Tone } from '../../ui/standing.tsx'
import type { Delivery, DeliveryStatus } from './webhook.ts'

const tones: Record<DeliveryStatus, Tone> = { pending: 'busy', succeeded: 'good', failed: 'bad', canceled: 'quiet' }

/** What has become of a delivery; one that failed and is tried again says so. */
export function DeliveryStanding({ delivery: { status, attempts } }: { delivery: Delivery }) {
  const { t } = useTranslation('webhooks')
  const isTriedAgain = status === 'pending' && attempts.length > 0
  return (
    <Standing tone={isTriedAgain ? 'warning' : tones[status]}>
      {isTriedAgain ? t('delivery.tried_again') : t(`delivery.${status}`)}
    </Standing>
  )
}
