import { Button, Group, Stepper } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { ForReal } from '../../ui/for-real.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { useIsNarrow } from '../../ui/use-is-narrow.ts'
import type { Connection } from './channel.ts'
import { ConnectForm } from './connect-form.tsx'
import { Connected } from './connected.tsx'
import { FindIds } from './find-ids.tsx'
import { NoticesAddress } from './notices-address.tsx'

/** Leads through connecting a number: what to find at Meta, what to enter there, and each step that is checked. */
export function ConnectPage() {
  const { t } = useTranslation('channels')
  const { can } = useAccount()
  return (
    <ForReal>
      <Page
        title={t('connect.title')}
        intro={t('connect.intro')}
        back={<BackLink to="/a/$accountId/settings/channels">{t('title')}</BackLink>}
        width="narrow"
      >
        {can('channels:write') ? <Guide /> : <Empty title={t('connect.not_allowed')} />}
      </Page>
    </ForReal>
  )
}

function Guide() {
  const { t } = useTranslation('channels')
  const [step, setStep] = useState(0)
  const [connection, setConnection] = useState<Connection | null>(null)
  const isNarrow = useIsNarrow()
  const back = () => setStep(step - 1)
  const next = () => setStep(step + 1)
  return (
    <Panel>
      <Stepper
        active={step}
        {...(connection === null ? { onStepClick: setStep } : { allowNextStepsSelect: false })}
        size="sm"
        orientation={isNarrow ? 'vertical' : 'horizontal'}
        mt={4}
      >
        <Stepper.Step label={t('connect.find.label')}>
          <FindIds />
          <Way onNext={next} />
        </Stepper.Step>
        <Stepper.Step label={t('connect.address.label')}>
          <NoticesAddress />
          <Way onBack={back} onNext={next} />
        </Stepper.Step>
        <Stepper.Step label={t('connect.check.label')}>
          <ConnectForm
            onBack={back}
            onConnected={(made) => {
              setConnection(made)
              setStep(3)
            }}
          />
        </Stepper.Step>
        <Stepper.Completed>
          {connection?.channel ? <Connected connection={connection} channel={connection.channel} /> : null}
        </Stepper.Completed>
      </Stepper>
    </Panel>
  )
}

function Way({ onBack, onNext }: { onBack?: () => void; onNext: () => void }) {
  const { t } = useTranslation('channels')
  const { t: tApp } = useTranslation('app')
  const { id } = useAccount()
  return (
    <Group justify="space-between" mt="lg">
      {onBack === undefined ? (
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/a/$accountId/settings/channels" params={{ accountId: id }} />}
        >
          {tApp('cancel')}
        </Button>
      ) : (
        <Button variant="default" onClick={onBack}>
          {tApp('back')}
        </Button>
      )}
      <Button onClick={onNext}>{t('connect.next')}</Button>
    </Group>
  )
}
