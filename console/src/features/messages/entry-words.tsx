import { Box, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'
import { durationWords } from '../../ui/duration.ts'
import { Said } from '../../ui/said.tsx'
import { Standing } from '../../ui/standing.tsx'
import { Moment } from '../../ui/time.tsx'
import type { EntryOf, TimelineEntry } from './timeline-type.ts'

/** What is known of one thing that happened, below its title. */
export function EntryWords({ entry }: { entry: TimelineEntry }) {
  const { t } = useTranslation('messages')
  switch (entry.kind) {
    case 'accepted':
      return <Words>{[t('timeline.by', { source: sourceOf(entry.source, t) }), entry.client_reference]}</Words>
    case 'queued':
      return <Queued entry={entry} />
    case 'upstream_call':
      return <Call entry={entry} />
    case 'status':
      return entry.error === null ? null : (
        <>
          <Words>{[entry.error.code === null ? null : String(entry.error.code)]}</Words>
          <Said>{entry.error.message}</Said>
        </>
      )
    case 'file':
      return (
        <Words>
          {[
            t('timeline.tries', { count: entry.tries }),
            entry.next_try_at === null ? null : (
              <span key="next">
                {t('timeline.next_try')} <Moment at={entry.next_try_at} />
              </span>
            ),
          ]}
        </Words>
      )
    case 'event':
      return <Deliveries deliveries={entry.deliveries} />
    default:
      return null
  }
}

const sources = ['api', 'chat', 'crm', 'ai'] as const

function sourceOf(source: string, t: (key: string) => string): string {
  const known = sources.find((each) => each === source)
  return known === undefined ? source : t(`source.${known}`)
}

/** Parts with dots between them; null is left out. */
function Words({ children }: { children: readonly ReactNode[] }) {
  const shown = children.filter((each) => each !== null && each !== '')
  if (shown.length === 0) return null
  return (
    <Text size="sm" c="var(--muted)" component="div" style={{ overflowWrap: 'anywhere' }}>
      {shown.map((each, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line
        <span key={i}>
          {i === 0 ? null : ' · '}
          {each}
        </span>
      ))}
    </Text>
  )
}

function Queued({ entry }: { entry: EntryOf<'queued'> }) {
  const { t, i18n } = useTranslation('messages')
  if (entry.until !== null)
    return (
      <Words>
        {[t('timeline.waited', { time: durationWords(new Date(entry.until).getTime() - new Date(entry.at).getTime(), i18n.language) })]}
      </Words>
    )
  return (
    <Words>
      {[
        entry.waiting_because === null ? null : t(`timeline.because.${entry.waiting_because}`),
        entry.ahead === null ? null : t('timeline.ahead', { count: entry.ahead }),
        entry.not_before === null ? null : (
          <span key="next">
            {t('timeline.next_try')} <Moment at={entry.not_before} />
          </span>
        ),
        entry.expires_at === null ? null : (
          <span key="end">
            {t('timeline.expires')} <Moment at={entry.expires_at} />
          </span>
        ),
      ]}
    </Words>
  )
}

function Call({ entry }: { entry: EntryOf<'upstream_call'> }) {
  const { t, i18n } = useTranslation('messages')
  return (
    <Words>
      {[
        t('timeline.took', { time: durationWords(entry.ms, i18n.language) }),
        entry.status_code === null ? t('timeline.no_answer') : `HTTP ${entry.status_code}`,
        entry.code === null ? null : t('diagnosis.code', { code: entry.code }),
      ]}
    </Words>
  )
}

const deliveryTones = { pending: 'warning', succeeded: 'good', failed: 'bad', canceled: 'quiet' } as const

function Deliveries({ deliveries }: { deliveries: EntryOf<'event'>['deliveries'] }) {
  const { t, i18n } = useTranslation('messages')
  const { id: accountId, can } = useAccount()
  if (deliveries.length === 0) return <Words>{[t('timeline.nobody')]}</Words>
  return (
    <Stack gap={8} mt={6}>
      {deliveries.map((delivery) => (
        <Box key={delivery.id} pl="sm" style={{ borderInlineStart: '2px solid var(--line)' }}>
          <Group gap="xs">
            <Text size="sm" component="span">
              <Standing tone={deliveryTones[delivery.status]}>{t(`delivery.${delivery.status}`)}</Standing>
            </Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }} component="span">
              {can('webhooks:write') && delivery.url !== null ? (
                <Link
                  to="/a/$accountId/settings/webhooks/$webhookId"
                  params={{ accountId, webhookId: delivery.webhook_id }}
                  style={{ color: 'inherit' }}
                >
                  {delivery.url}
                </Link>
              ) : (
                (delivery.url ?? t('timeline.webhook_removed'))
              )}
            </Text>
          </Group>
          {delivery.attempts.map((attempt) => (
            <Text key={attempt.number} size="xs" c="var(--muted)" component="div" style={{ overflowWrap: 'anywhere' }}>
              {attempt.manual
                ? t('timeline.manual_attempt', { number: attempt.number })
                : t('timeline.attempt', { number: attempt.number })}{' '}
              · <Moment at={attempt.at} precise /> · {durationWords(attempt.ms, i18n.language)} ·{' '}
              {attempt.status_code === null ? (attempt.error ?? t('timeline.no_answer')) : `HTTP ${attempt.status_code}`}
            </Text>
          ))}
          {delivery.next_attempt_at === null ? null : (
            <Text size="xs" c="var(--muted)" component="div">
              {t('timeline.next_try')} <Moment at={delivery.next_attempt_at} />
            </Text>
          )}
        </Box>
      ))}
    </Stack>
  )
}
