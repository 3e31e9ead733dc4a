import { Anchor, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../api/account.ts'
import type { Answer } from '../api/client.ts'
import { Ago, Moment } from './time.tsx'

export type Alert = Answer<'GET /account/alerts'>['data'][number]

/** Something that is or was wrong with the account, in plain words, with what to do and where. */
export function AlertLine({ alert, action }: { alert: Alert; action?: ReactNode }) {
  const { t } = useTranslation('alerts')
  const isOver = alert.closed_at !== null
  return (
    <Group align="flex-start" wrap="nowrap" gap="md" p="md">
      <ThemeIcon variant="light" color={isOver ? 'gray' : 'red'} radius="xl" size="lg" aria-hidden="true">
        {isOver ? <IconCircleCheck size={20} /> : <IconAlertTriangle size={20} />}
      </ThemeIcon>
      <Stack gap={4} style={{ flex: 1, minWidth: 0 }}>
        <Group justify="space-between" align="flex-start" gap="xs">
          <Text fw={600} size="sm">
            {t(`kind.${alert.kind}.title`)}
          </Text>
          <Text size="xs" c="var(--muted)" component="span">
            {alert.closed_at === null ? (
              <>
                {t('since')} <Ago at={alert.opened_at} />
              </>
            ) : (
              <>
                <Moment at={alert.opened_at} /> – <Moment at={alert.closed_at} />
              </>
            )}
          </Text>
        </Group>
        {isOver ? null : <Text size="sm">{t(`kind.${alert.kind}.advice`)}</Text>}
        <Group gap="md">
          <Place alert={alert} />
          {alert.mailed_at === null ? null : (
            <Text size="xs" c="var(--muted)">
              {t('mailed')}
            </Text>
          )}
          {action}
        </Group>
      </Stack>
    </Group>
  )
}

/** Where something can be done about it. */
function Place({ alert: { kind, subject } }: { alert: Alert }) {
  const { t } = useTranslation('alerts')
  const { id: accountId } = useAccount()
  const { id } = subject
  if (subject.type === 'channel' && id !== null)
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link {...props} to="/a/$accountId/settings/channels/$channelId" params={{ accountId, channelId: id }} />}
      >
        {t('open.channel')}
      </Anchor>
    )
  if (subject.type === 'webhook' && id !== null)
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => <Link {...props} to="/a/$accountId/settings/webhooks/$webhookId" params={{ accountId, webhookId: id }} />}
      >
        {t('open.webhook')}
      </Anchor>
    )
  if (kind !== 'queue_old') return null
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => <Link {...props} to="/a/$accountId/messages" params={{ accountId }} search={{ status: 'queued' }} />}
    >
      {t('open.queue')}
    </Anchor>
  )
}
