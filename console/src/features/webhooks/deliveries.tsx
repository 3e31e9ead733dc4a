import { Box, Button, Group, Select, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconRefresh, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useReadList } from '../../api/account.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { AnswerWord } from './answer-word.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { DeliveryStanding } from './delivery-standing.tsx'
import { RetryFailed } from './retry-failed.tsx'
import { type Delivery, type DeliveryStatus, deliveryStatuses, type EventType, eventGroups, type Webhook, wordOf } from './webhook.ts'

type Props = {
  webhook: Webhook
  opened: string | null
  onOpen: (deliveryId: string | null) => void
  /** When something was last asked to be posted, in milliseconds. */
  askedAt: number
  onAsked: () => void
}

/** While something is on its way, and while nothing is. */
const refetchMs = { soon: 2_000, quiet: 15_000 }
const soonMs = 30_000
/** Who has turned many pages is reading: they are left as they are. */
const refetchedItemsMax = 100

/** What was sent to a webhook, newest first, with what came back; it follows what happens. */
export function Deliveries({ webhook, opened, onOpen, askedAt, onAsked }: Props) {
  const { t } = useTranslation('webhooks')
  const { can } = useAccount()
  const [status, setStatus] = useState<DeliveryStatus | null>(null)
  const [eventType, setEventType] = useState<EventType | null>(null)
  const [isRetrying, retrying] = useDisclosure(false)
  const query = { ...(status === null ? {} : { status }), ...(eventType === null ? {} : { event_type: eventType }) }
  const read = useReadList(
    'GET /account/webhooks/{id}/deliveries',
    { path: { id: webhook.id }, query },
    {
      refetchInterval: (items) =>
        items.length <= refetchedItemsMax && (Date.now() - askedAt < soonMs || items.some(isSoon) ? refetchMs.soon : refetchMs.quiet),
    },
  )
  const columns: Column<Delivery>[] = [
    { name: 'event', head: t('column.event'), cell: (delivery) => <EventName type={delivery.event_type} />, isTitle: true },
    { name: 'status', head: t('column.status'), cell: (delivery) => <DeliveryStanding delivery={delivery} /> },
    { name: 'answer', head: t('column.answer'), cell: (delivery) => <AnswerWord attempt={delivery.attempts.at(-1)} /> },
    { name: 'attempts', head: t('column.attempts'), cell: (delivery) => delivery.attempts.length, isNumber: true },
    { name: 'created', head: t('column.when'), cell: (delivery) => <Ago at={delivery.created_at} />, isNumber: true },
  ]
  const isFiltered = status !== null || eventType !== null
  return (
    <Panel
      title={t('deliveries.title')}
      padding={0}
      actions={
        can('webhooks:write') ? (
          <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={retrying.open}>
            {t('retry_failed.action')}
          </Button>
        ) : null
      }
    >
      <Group gap="sm" px="md" pb="md">
        <Select
          aria-label={t('filter.status')}
          placeholder={t('filter.any_status')}
          data={deliveryStatuses.map((value) => ({ value, label: t(`delivery.${value}`) }))}
          value={status}
          onChange={setStatus}
          clearable
          clearButtonProps={{ 'aria-label': t('filter.clear') }}
        />
        <Select
          aria-label={t('filter.event')}
          placeholder={t('filter.any_event')}
          data={eventGroups.map(({ name, events }) => ({
            group: t(`group.${name}`),
            items: events.map((value: EventType) => ({ value, label: t(`event.${wordOf(value)}`) })),
          }))}
          value={eventType}
          onChange={setEventType}
          w={280}
          clearable
          clearButtonProps={{ 'aria-label': t('filter.clear') }}
        />
      </Group>
      <Box style={{ borderTop: '1px solid var(--line)' }}>
        <DataTable
          label={t('deliveries.title')}
          columns={columns}
          rows={read.items}
          idOf={(delivery) => delivery.id}
          read={read}
          onOpen={(delivery) => onOpen(delivery.id)}
          empty={
            <Empty icon={<IconSend size={28} aria-hidden />} title={isFiltered ? t('deliveries.none_fits') : t('deliveries.empty')}>
              {isFiltered ? undefined : t('deliveries.empty_text')}
            </Empty>
          }
        />
      </Box>
      <DeliveryDrawer
        webhook={webhook}
        delivery={read.items.find((each) => each.id === opened) ?? null}
        onClose={() => onOpen(null)}
        onRetried={onAsked}
      />
      <RetryFailed webhook={webhook} opened={isRetrying} onClose={retrying.close} onRetried={onAsked} />
    </Panel>
  )
}

/** An attempt is due, or nearly: not one of those that wait for hours. */
function isSoon({ status, next_attempt_at }: Delivery): boolean {
  return status === 'pending' && (next_attempt_at === null || new Date(next_attempt_at).getTime() - Date.now() < soonMs)
}

function EventName({ type }: { type: EventType }) {
  const { t } = useTranslation('webhooks')
  return (
    <Box>
      <Text size="sm" fw={600}>
        {t(`event.${wordOf(type)}`)}
      </Text>
      <Text size="xs" c="var(--muted)">
        {type}
      </Text>
    </Box>
  )
}
