import { Badge, Button, Group, Text } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Me } from '../../api/me.ts'
import { Panel } from '../../ui/panel.tsx'
import { StopTwoFactor } from './stop-two-factor.tsx'
import { TwoFactorSetup } from './two-factor-setup.tsx'

/** Whether a code is asked for at each sign-in, and the ways to change that. */
export function TwoFactorPanel({ user }: { user: Me['user'] }) {
  const { t } = useTranslation('profile')
  const [dialog, setDialog] = useState<'set_up' | 'stop' | null>(null)
  const close = () => setDialog(null)
  return (
    <Panel
      title={t('two_factor.title')}
      intro={t('two_factor.intro')}
      actions={
        user.two_factor ? (
          <Badge variant="light" leftSection={<IconShieldCheck size={14} />}>
            {t('two_factor.on')}
          </Badge>
        ) : (
          <Badge color="gray" variant="light">
            {t('two_factor.off')}
          </Badge>
        )
      }
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">{user.two_factor ? t('two_factor.on_text') : t('two_factor.off_text')}</Text>
        {user.two_factor ? (
          <Button variant="default" onClick={() => setDialog('stop')}>
            {t('two_factor.stop')}
          </Button>
        ) : (
          <Button onClick={() => setDialog('set_up')}>{t('two_factor.start')}</Button>
        )}
      </Group>
      {dialog === 'set_up' ? <TwoFactorSetup hasPassword={user.has_password} onClose={close} /> : null}
      {dialog === 'stop' ? <StopTwoFactor onClose={close} /> : null}
    </Panel>
  )
}
