import { Button, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAccount, useChange } from '../../api/account.ts'
import { CodeSample } from '../../ui/code-sample.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Facts } from '../../ui/facts.tsx'
import { RefusalWords } from '../../ui/refusal-words.tsx'
import { useErrorWords } from '../../ui/states.tsx'
import { tellDone, tellFailed } from '../../ui/tell.ts'
import { Moment } from '../../ui/time.tsx'
import { Attempts } from './attempts.tsx'
import { DeliveryStanding } from './delivery-standing.tsx'
import { type Delivery, type Webhook, wordOf } from './webhook.ts'

type Props = { webhook: Webhook; delivery: Delivery | null; onClose: () => void; onRetried: () => void }
type ShownProps = Omit<Props, 'delivery' | 'onClose'> & { delivery: Delivery }

/** One delivery: its attempts, and exactly what was posted. */
export function DeliveryDrawer({ webhook, delivery, onClose, onRetried }: Props) {
  const { t } = useTranslation('webhooks')
  const { t: tApp } = useTranslation('app')
  return (
    <Drawer
      opened={delivery !== null}
      onClose={onClose}
      position="right"
      size="xl"
      title={delivery === null ? '' : t(`event.${wordOf(delivery.event_type)}`)}
      closeButtonProps={{ 'aria-label': tApp('close') }}
    >
      {delivery === null ? null : <Shown webhook={webhook} delivery={delivery} onRetried={onRetried} />}
    </Drawer>
  )
}

function Shown({ webhook, delivery, onRetried }: ShownProps) {
  const { t } = useTranslation('webhooks')
  const { can } = useAccount()
  return (
    <Stack gap="lg">
      <Group justify="space-between" aria-live="polite">
        <DeliveryStanding delivery={delivery} />
        {can('webhooks:write') ? <Retry webhook={webhook} delivery={delivery} onRetried={onRetried} /> : null}
      </Group>
      <Facts
        facts={[
          { name: 'created', label: t('column.when'), value: <Moment at={delivery.created_at} precise /> },
          {
            name: 'next',
            label: t('fact.next'),
            value: delivery.next_attempt_at === null ? '–' : <Moment at={delivery.next_attempt_at} />,
          },
          {
            name: 'event',
            label: t('fact.event_id'),
            value: <Copyable value={delivery.event_id} label={t('fact.event_id')} />,
          },
        ]}
      />
      <Stack gap="sm" component="section" aria-label={t('attempts.title')}>
        <Title order={3}>{t('attempts.title')}</Title>
        <Attempts delivery={delivery} />
      </Stack>
      <Stack gap="sm">
        <Title order={3}>{t('payload.headers')}</Title>
        <CodeSample code={headersOf(delivery)} label={t('payload.headers')} />
        <Title order={3}>{t('payload.title')}</Title>
        {delivery.payload === null ? (
          <Text size="sm">{t('payload.gone')}</Text>
        ) : (
          <CodeSample code={JSON.stringify(delivery.payload, null, 2)} label={t('payload.title')} heightMax={480} />
        )}
      </Stack>
    </Stack>
  )
}

function Retry({ webhook, delivery, onRetried }: ShownProps) {
  const { t } = useTranslation('webhooks')
  const words = useErrorWords()
  const retry = useChange('POST /account/webhooks/{id}/deliveries/{delivery_id}/retry', {
    invalidates: ['GET /account/webhooks/{id}/deliveries', 'GET /account/webhooks/health'],
  })
  const post = () =>
    retry.mutate(
      { path: { id: webhook.id, delivery_id: delivery.id }, body: {} },
      {
        onSuccess: () => {
          onRetried()
          tellDone(t('retry.done'))
        },
        onError: (error) => tellFailed(words(error), <RefusalWords error={error} />),
      },
    )
  return (
    <Button leftSection={<IconRefresh size={16} />} loading={retry.isPending} onClick={post}>
      {t('retry.action')}
    </Button>
  )
}

/** What every attempt carries. The signature is made anew for each, of its moment and a secret that is not shown. */
function headersOf(delivery: Delivery): string {
  const last = delivery.attempts.at(-1)
  const t = last === undefined ? '…' : String(Math.floor(new Date(last.created_at).getTime() / 1000))
  return [
    'POST',
    'Content-Type: application/json',
    'User-Agent: Pombo/1 (webhooks)',
    `Service-Event-Id: ${delivery.event_id}`,
    `Service-Event-Type: ${delivery.event_type}`,
    `Service-Signature: t=${t},v1=…`,
  ].join('\n')
}
