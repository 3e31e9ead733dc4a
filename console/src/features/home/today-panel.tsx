import { Anchor, SimpleGrid } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'
import { Figure } from '../../ui/figure.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Overview } from './overview.ts'

const bad = 'light-dark(#b42318, #f97066)'

/** The figures of today, in Brasília time. */
export function TodayPanel({
  overview: {
    today: { day, sent: bySystem, sent_by_team: byTeam, received },
  },
}: {
  overview: Overview
}) {
  const { t, i18n } = useTranslation('home')
  const { id: accountId, can, mode } = useAccount()
  const sent = sumOf(bySystem, byTeam)
  const date = new Intl.DateTimeFormat(i18n.language, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
  return (
    <Panel
      title={t('today.title')}
      intro={mode === 'test' ? t('today.live_only') : date}
      actions={
        can('usage:read') ? (
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/a/$accountId/usage" params={{ accountId }} />}>
            {t('today.usage')}
          </Anchor>
        ) : undefined
      }
    >
      <SimpleGrid cols={{ base: 2, sm: 3, md: 6 }}>
        <Figure
          name="sent.total"
          label={t('today.total')}
          value={sent.total}
          note={t('today.by', { system: bySystem.total, team: byTeam.total })}
        />
        <Figure name="sent.read" label={t('today.read')} value={sent.read} />
        <Figure name="sent.delivered" label={t('today.delivered')} value={sent.delivered} />
        <Figure name="sent.sent" label={t('today.sent')} value={sent.sent} />
        <Figure
          name="sent.failed"
          label={t('today.failed')}
          value={sent.failed}
          color={sent.failed > 0 ? bad : 'inherit'}
          note={
            sent.failed > 0 ? (
              <Anchor
                size="xs"
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/a/$accountId/messages"
                    params={{ accountId }}
                    search={{ status: 'failed', direction: 'outbound', from: day, to: day }}
                  />
                )}
              >
                {t('today.see')}
              </Anchor>
            ) : undefined
          }
        />
        <Figure name="received" label={t('today.received')} value={received} />
      </SimpleGrid>
    </Panel>
  )
}

type Sent = Overview['today']['sent']

/** What the system sent and what the team sent, together. */
function sumOf(one: Sent, other: Sent): Sent {
  return {
    total: one.total + other.total,
    queued: one.queued + other.queued,
    sent: one.sent + other.sent,
    delivered: one.delivered + other.delivered,
    read: one.read + other.read,
    failed: one.failed + other.failed,
  }
}
