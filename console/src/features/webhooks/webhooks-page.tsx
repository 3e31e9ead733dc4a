import { Box, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { ForReal } from '../../ui/for-real.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { CreateWebhook } from './create-webhook.tsx'
import { SigningSecret } from './signing-secret.tsx'
import type { Webhook, WebhookWithSecret } from './webhook.ts'
import { WebhookStanding } from './webhook-standing.tsx'

/** The addresses of the company's system that are told of events. */
export function WebhooksPage() {
  return (
    <ForReal>
      <Webhooks />
    </ForReal>
  )
}

function Webhooks() {
  const { t } = useTranslation('webhooks')
  const { id, can } = useAccount()
  const navigate = useNavigate()
  const webhooks = useRead('GET /account/webhooks', {})
  const [isCreating, creating] = useDisclosure(false)
  const [made, setMade] = useState<WebhookWithSecret | null>(null)
  const open = (webhook: Pick<Webhook, 'id'>) =>
    void navigate({ to: '/a/$accountId/settings/webhooks/$webhookId', params: { accountId: id, webhookId: webhook.id } })
  const create = can('webhooks:write') ? (
    <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>
      {t('create')}
    </Button>
  ) : null
  const columns: Column<Webhook>[] = [
    { name: 'url', head: t('column.url'), cell: (webhook) => <Address webhook={webhook} />, isTitle: true },
    { name: 'state', head: t('column.state'), cell: (webhook) => <WebhookStanding webhook={webhook} /> },
    { name: 'events', head: t('column.events'), cell: (webhook) => <Events events={webhook.events} /> },
    { name: 'created', head: t('column.created'), cell: (webhook) => <Ago at={webhook.created_at} /> },
  ]
  return (
    <Page title={t('title')} intro={t('intro')} actions={create}>
      <Panel padding={0}>
        <DataTable
          label={t('title')}
          columns={columns}
          rows={webhooks.data?.data ?? []}
          idOf={(webhook) => webhook.id}
          read={webhooks}
          linkOf={(webhook) => ({
            to: '/a/$accountId/settings/webhooks/$webhookId',
            params: { accountId: id, webhookId: webhook.id },
          })}
          empty={
            <Empty icon={<IconWebhook size={32} aria-hidden />} title={t('empty.title')} action={create}>
              {t('empty.text')}
            </Empty>
          }
        />
      </Panel>
      <CreateWebhook opened={isCreating} onClose={creating.close} onMade={setMade} />
      <SigningSecret
        title={t('secret.new')}
        secret={made?.secret ?? null}
        onClose={() => {
          if (made !== null) open(made)
          setMade(null)
        }}
      />
    </Page>
  )
}

function Address({ webhook: { url, description } }: { webhook: Webhook }) {
  return (
    <Box maw={440}>
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {description ?? url}
      </Text>
      {description === null ? null : (
        <Text size="xs" c="var(--muted)" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
      )}
    </Box>
  )
}

function Events({ events }: { events: readonly string[] }) {
  const { t } = useTranslation('webhooks')
  return events.includes('*') ? t('events.all') : t('events.count', { count: events.length })
}
