import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/account.ts'
import { Standing } from '../../ui/standing.tsx'
import { Ago } from '../../ui/time.tsx'
import type { Webhook } from './webhook.ts'

/** Whether events go to a webhook, and whether it takes them. */
export function WebhookStanding({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const health = useRead('GET /account/webhooks/health', {}, { refetchInterval: 15_000 })
  const failingSince = health.data?.data.find((each) => each.webhook_id === webhook.id)?.failing_since ?? null
  if (!webhook.enabled) return <Standing tone="quiet">{t('state.disabled')}</Standing>
  if (failingSince === null) return <Standing tone="good">{t('state.enabled')}</Standing>
  return (
    <Standing tone="bad">
      {t('state.failing')} <Ago at={failingSince} />
    </Standing>
  )
}
