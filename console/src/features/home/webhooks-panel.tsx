import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'
import { ForReal } from '../../ui/for-real.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Ago } from '../../ui/time.tsx'
import type { Overview } from './overview.ts'

/** Whether the customer's system is told. */
export function WebhooksPanel({ overview: { failing_webhooks: failing } }: { overview: Overview }) {
  const { t } = useTranslation('home')
  const { can } = useAccount()
  return (
    <Panel title={t('webhooks.title')}>
      {failing.length === 0 ? (
        <Text size="sm" c="var(--muted)">
          {t('webhooks.fine')}
        </Text>
      ) : can('webhooks:write') ? (
        <ForReal>
          <Failing failing={failing} />
        </ForReal>
      ) : (
        <Text size="sm">{t('webhooks.failing', { count: failing.length })}</Text>
      )}
    </Panel>
  )
}

function Failing({ failing }: { failing: Overview['failing_webhooks'] }) {
  const { t } = useTranslation('home')
  const { id: accountId } = useAccount()
  const webhooks = useRead('GET /account/webhooks', {})
  return (
    <Stack gap="sm">
      {failing.map(({ id, failing_since: since }) => (
        <div key={id}>
          <Anchor
            size="sm"
            fw={600}
            style={{ overflowWrap: 'anywhere' }}
            renderRoot={(props) => (
              <Link {...props} to="/a/$accountId/settings/webhooks/$webhookId" params={{ accountId, webhookId: id }} />
            )}
          >
            {webhooks.data?.data.find((each) => each.id === id)?.url ?? id}
          </Anchor>
          <Text size="xs" c="light-dark(#b42318, #ff9b91)">
            {t('webhooks.since')} <Ago at={since} />
          </Text>
        </div>
      ))}
    </Stack>
  )
}
