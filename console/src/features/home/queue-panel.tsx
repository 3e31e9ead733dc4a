import { Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'
import { Figure } from '../../ui/figure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Ago } from '../../ui/time.tsx'
import type { Overview } from './overview.ts'

/** What has not left yet, and since when. */
export function QueuePanel({ overview: { queue } }: { overview: Overview }) {
  const { t } = useTranslation('home')
  const { id: accountId } = useAccount()
  return (
    <Panel title={t('queue.title')}>
      {queue.waiting === 0 ? (
        <Text size="sm" c="var(--muted)">
          {t('queue.empty')}
        </Text>
      ) : (
        <Group justify="space-between" align="flex-end">
          <Figure
            name="queue.waiting"
            label={t('queue.waiting')}
            value={queue.waiting}
            note={
              queue.oldest_at === null ? undefined : (
                <>
                  {t('queue.oldest')} <Ago at={queue.oldest_at} />
                </>
              )
            }
          />
          <Anchor
            size="sm"
            renderRoot={(props) => <Link {...props} to="/a/$accountId/messages" params={{ accountId }} search={{ status: 'queued' }} />}
          >
            {t('queue.see')}
          </Anchor>
        </Group>
      )}
    </Panel>
  )
}
