import { Anchor, Drawer, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { type Fact, Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/time.tsx'
import { CallStatus, KeyName, RouteName } from './call-words.tsx'
import type { LoggedCall } from './logged-call.ts'

type Props = { call: LoggedCall | null; keyName: string | undefined; onClose: () => void }

/** All that is known of a call: what it asked, what it was answered with, and the message that it was about. */
export function CallDrawer({ call, keyName, onClose }: Props) {
  const { t } = useTranslation('request-log')
  const { t: tApp } = useTranslation('app')
  return (
    <Drawer
      opened={call !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={t('call.title')}
      closeButtonProps={{ 'aria-label': tApp('close') }}
    >
      {call === null ? null : <Shown call={call} keyName={keyName} />}
    </Drawer>
  )
}

function Shown({ call, keyName }: { call: LoggedCall; keyName: string | undefined }) {
  const { t } = useTranslation('request-log')
  const facts: (Fact | null)[] = [
    { name: 'status', label: t('column.status'), value: <CallStatus code={call.status_code} /> },
    { name: 'ms', label: t('column.ms'), value: `${call.ms} ms` },
    { name: 'when', label: t('column.when'), value: <Moment at={call.created_at} precise /> },
    { name: 'key', label: t('column.key'), value: <KeyName call={call} name={keyName} /> },
    call.message_id === null
      ? null
      : { name: 'message', label: t('call.message'), value: <MessageLink call={call} id={call.message_id} /> },
    { name: 'id', label: t('column.id'), value: <Copyable value={call.id} label={t('column.id')} /> },
  ]
  return (
    <Stack gap="lg">
      <RouteName call={call} />
      <Facts facts={facts.filter((fact) => fact !== null)} />
      {call.error_code === null ? null : <Refused code={call.error_code} />}
      <Text size="sm" c="var(--muted)">
        {t('call.no_bodies')}
      </Text>
    </Stack>
  )
}

function Refused({ code }: { code: string }) {
  const { t } = useTranslation('request-log')
  const { t: tApp, i18n } = useTranslation('app')
  return (
    <Stack gap={4}>
      <Text size="xs" c="var(--muted)">
        {t('call.error')}
      </Text>
      <Copyable value={code} label={t('call.error')} />
      {i18n.exists(`app:errors.code.${code}`) ? <Text size="sm">{tApp(`errors.code.${code}`)}</Text> : null}
    </Stack>
  )
}

/** The log has live and test calls; a message is shown in its own mode alone. */
function MessageLink({ call, id }: { call: LoggedCall; id: string }) {
  const { id: accountId, can, mode } = useAccount()
  const { t } = useTranslation('request-log')
  if (!can('messages:read') || call.livemode !== (mode === 'live')) return <Copyable value={id} label={t('call.message')} />
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => <Link {...props} to="/a/$accountId/messages/$messageId" params={{ accountId, messageId: id }} />}
    >
      {t('call.open_message')}
    </Anchor>
  )
}
