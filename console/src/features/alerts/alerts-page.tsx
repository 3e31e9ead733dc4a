import { Button, Divider, Stack, Text } from '@mantine/core'
import { IconBellCheck } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../api/account.ts'
import { type Alert, AlertLine } from '../../ui/alert-line.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx'

/** It changes with a restart of the gateway. */
const factsOptions = { staleTime: 600_000 }
const refreshMs = 30_000

/** What is wrong now, and what was in the last 30 days. */
export function AlertsPage() {
  const { t } = useTranslation('alerts')
  const read = useRead('GET /account/alerts', {}, { refetchInterval: refreshMs })
  const hasMail = useRead('GET /facts', {}, factsOptions).data?.mail === true
  const alerts = read.data?.data ?? []
  const isShown = ({ closed_at: closed, dismissed_at: dismissed }: Alert) => closed === null && dismissed === null
  return (
    <Page title={t('title')} intro={hasMail ? t('intro_mail') : t('intro')}>
      {read.error ? <ErrorNote error={read.error} retry={() => void read.refetch()} /> : null}
      {read.isPending ? <Loading /> : null}
      {read.data === undefined ? null : (
        <Stack gap="lg" aria-live="polite">
          <Panel title={t('open_ones')} padding={0}>
            <Lines alerts={alerts.filter(isShown)} isOpen />
          </Panel>
          <Panel title={t('earlier')} padding={0}>
            <Lines alerts={alerts.filter((each) => !isShown(each))} isOpen={false} />
          </Panel>
        </Stack>
      )}
    </Page>
  )
}

function Lines({ alerts, isOpen }: { alerts: readonly Alert[]; isOpen: boolean }) {
  const { t } = useTranslation('alerts')
  const hasMail = useRead('GET /facts', {}, factsOptions).data?.mail === true
  if (alerts.length === 0)
    return isOpen ? (
      <Empty icon={<IconBellCheck size={32} />} title={t('none.title')}>
        {hasMail ? t('none.text_mail') : t('none.text')}
      </Empty>
    ) : (
      <Text size="sm" c="var(--muted)" px="md" pb="md">
        {t('none_earlier')}
      </Text>
    )
  return alerts.map((alert, i) => (
    <Fragment key={alert.id}>
      {i === 0 ? null : <Divider color="var(--line)" />}
      <AlertLine alert={alert} action={isOpen ? <Dismiss alert={alert} /> : alert.closed_at === null ? <StillWrong /> : undefined} />
    </Fragment>
  ))
}

function Dismiss({ alert: { id, kind } }: { alert: Alert }) {
  const { t } = useTranslation('alerts')
  const change = useChange('POST /account/alerts/{id}/dismiss', { invalidates: ['GET /account/alerts', 'GET /account/overview'] })
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        loading={change.isPending}
        onClick={() => change.mutate({ path: { id }, body: null })}
        aria-label={t('dismiss_named', { alert: t(`kind.${kind}.title`) })}
      >
        {t('dismiss')}
      </Button>
      {change.error ? <ErrorNote error={change.error} /> : null}
    </>
  )
}

/** It was dismissed, which does not end it. */
function StillWrong() {
  const { t } = useTranslation('alerts')
  return (
    <Text size="xs" c="var(--muted)">
      {t('dismissed')}
    </Text>
  )
}
