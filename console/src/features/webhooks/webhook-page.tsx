import { Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/account.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { type Fact, Facts } from '../../ui/facts.tsx'
import { ForReal } from '../../ui/for-real.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ErrorNote, PageLoading } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { Deliveries } from './deliveries.tsx'
import { type Webhook, wordOf } from './webhook.ts'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookStanding } from './webhook-standing.tsx'

/** One webhook: what it is told of, what was delivered to it, and what came back. */
export function WebhookPage() {
  return (
    <ForReal>
      <Shown />
    </ForReal>
  )
}

function Shown() {
  const { t } = useTranslation('webhooks')
  const { webhookId = '' } = useParams({ strict: false })
  const webhook = useRead('GET /account/webhooks/{id}', { path: { id: webhookId } })
  const [opened, setOpened] = useState<string | null>(null)
  // When something was last asked to be posted: what becomes of it is looked for often, for a while.
  const [askedAt, setAskedAt] = useState(0)
  const noteAsked = () => setAskedAt(Date.now())
  const watch = (deliveryId: string) => {
    noteAsked()
    setOpened(deliveryId)
  }
  const back = <BackLink to="/a/$accountId/settings/webhooks">{t('title')}</BackLink>
  if (webhook.isPending) return <PageLoading />
  if (webhook.error)
    return (
      <Page title={t('title')} back={back}>
        <ErrorNote error={webhook.error} retry={() => void webhook.refetch()} />
      </Page>
    )
  const { description, url } = webhook.data
  return (
    <Page title={description ?? hostOf(url)} back={back} actions={<WebhookActions webhook={webhook.data} onTested={watch} />}>
      <Panel>
        <WebhookFacts webhook={webhook.data} />
      </Panel>
      <Deliveries webhook={webhook.data} opened={opened} onOpen={setOpened} askedAt={askedAt} onAsked={noteAsked} />
    </Page>
  )
}

const hostOf = (url: string | null): string => (url === null ? '–' : (URL.parse(url)?.host ?? url))

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const facts: Fact[] = [
    { name: 'state', label: t('column.state'), value: <WebhookStanding webhook={webhook} /> },
    { name: 'url', label: t('column.url'), value: webhook.url },
    { name: 'created', label: t('column.created'), value: <Ago at={webhook.created_at} /> },
    { name: 'events', label: t('column.events'), value: <EventNames events={webhook.events} /> },
    {
      name: 'id',
      label: t('fact.id'),
      value: <Copyable value={webhook.id} label={t('fact.id')} />,
    },
  ]
  return <Facts facts={facts} />
}

function EventNames({ events }: { events: readonly string[] }) {
  const { t } = useTranslation('webhooks')
  if (events.includes('*')) return t('events.all')
  return (
    <Stack gap={2}>
      {events.map((event) => (
        <span key={event}>{t(`event.${wordOf(event)}`)}</span>
      ))}
    </Stack>
  )
}
