import { Divider, SimpleGrid, Stack } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'
import { AlertLine } from '../../ui/alert-line.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ErrorNote, Loading } from '../../ui/states.tsx'
import { ChannelsPanel } from './channels-panel.tsx'
import { FirstSteps } from './first-steps.tsx'
import { QueuePanel } from './queue-panel.tsx'
import { TodayPanel } from './today-panel.tsx'
import { WebhooksPanel } from './webhooks-panel.tsx'

const refreshMs = 15_000

/** How the account is doing now; for a new one, what to do first. */
export function HomePage() {
  const { t } = useTranslation('home')
  const { can } = useAccount()
  const read = useRead('GET /account/overview', {}, { refetchInterval: refreshMs })
  return (
    <Page title={t('title')}>
      {read.error ? <ErrorNote error={read.error} retry={() => void read.refetch()} /> : null}
      {read.isPending ? <Loading lines={8} /> : null}
      {read.data === undefined ? null : (
        <Stack gap="lg">
          {read.data.open_alerts.length === 0 ? null : (
            <Panel title={t('alerts')} padding={0}>
              {read.data.open_alerts.map((alert, i) => (
                <Fragment key={alert.id}>
                  {i === 0 ? null : <Divider color="var(--line)" />}
                  <AlertLine alert={alert} />
                </Fragment>
              ))}
            </Panel>
          )}
          {can('keys:write') && can('webhooks:write') ? <FirstSteps overview={read.data} /> : null}
          <TodayPanel overview={read.data} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <ChannelsPanel overview={read.data} />
            <Stack gap="lg">
              <QueuePanel overview={read.data} />
              <WebhooksPanel overview={read.data} />
            </Stack>
          </SimpleGrid>
        </Stack>
      )}
    </Page>
  )
}
