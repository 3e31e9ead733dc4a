import { Badge, Box, Button, Group, Stack, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../api/account.ts'
import type { Answer } from '../../api/client.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ErrorNote, Loading, useErrorWords } from '../../ui/states.tsx'
import { tellDone, tellFailed } from '../../ui/tell.ts'
import { Ago } from '../../ui/time.tsx'
import { deviceOf } from './device.ts'

type Session = Answer<'GET /me/sessions'>['data'][number]

/** Where one has signed in, and the way to end that. */
export function SessionsPanel() {
  const { t } = useTranslation('profile')
  const words = useErrorWords()
  const [isAsking, setAsking] = useState(false)
  const sessions = useRead('GET /me/sessions', {})
  const endOthers = useChange('POST /me/sessions/end-others', { invalidates: ['GET /me/sessions'] })
  const list = sessions.data?.data ?? []
  const confirmed = () =>
    endOthers.mutate(
      { body: {} },
      {
        onSuccess: () => tellDone(t('sessions.others_ended')),
        onError: (error) => tellFailed(words(error)),
        onSettled: () => setAsking(false),
      },
    )
  return (
    <Panel
      title={t('sessions.title')}
      intro={t('sessions.intro')}
      actions={
        list.length > 1 ? (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('sessions.end_others')}
          </Button>
        ) : null
      }
    >
      {sessions.error ? <ErrorNote error={sessions.error} retry={() => void sessions.refetch()} /> : null}
      {sessions.isPending ? <Loading lines={2} /> : null}
      <Stack component="ul" gap={0} aria-label={t('sessions.title')} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {list.map((session) => (
          <SessionLine key={session.id} session={session} />
        ))}
      </Stack>
      <Confirm
        opened={isAsking}
        title={t('sessions.end_others')}
        action={t('sessions.end_others')}
        isBusy={endOthers.isPending}
        onConfirm={confirmed}
        onClose={() => setAsking(false)}
      >
        {t('sessions.end_others_text')}
      </Confirm>
    </Panel>
  )
}

function SessionLine({ session }: { session: Session }) {
  const { t } = useTranslation('profile')
  const words = useErrorWords()
  const end = useChange('DELETE /me/sessions/{id}', { invalidates: ['GET /me/sessions'] })
  const { browser, system, isPhone } = deviceOf(session.user_agent)
  const device =
    browser !== null && system !== null ? t('sessions.device', { browser, system }) : (browser ?? system ?? t('sessions.unknown_device'))
  return (
    <Group component="li" wrap="nowrap" py="sm" style={{ borderTop: '1px solid var(--line)' }}>
      <Box c="var(--muted)" style={{ display: 'flex' }}>
        {isPhone ? <IconDeviceMobile size={22} /> : <IconDeviceDesktop size={22} />}
      </Box>
      <Box style={{ flex: 1, minWidth: 0 }}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {device}
          </Text>
          {session.is_current ? (
            <Badge size="sm" variant="light">
              {t('sessions.this_browser')}
            </Badge>
          ) : null}
        </Group>
        <Text size="xs" c="var(--muted)" component="div">
          {session.address} · {t('sessions.signed_in')} <Ago at={session.created_at} />
          {session.is_current ? null : (
            <>
              {' '}
              · {t('sessions.seen')} <Ago at={session.last_seen_at} />
            </>
          )}
        </Text>
      </Box>
      {session.is_current ? null : (
        <Button
          variant="subtle"
          color="red"
          loading={end.isPending}
          aria-label={t('sessions.end_this', { device })}
          onClick={() =>
            end.mutate(
              { path: { id: session.id }, body: {} },
              { onSuccess: () => tellDone(t('sessions.ended')), onError: (error) => tellFailed(words(error)) },
            )
          }
        >
          {t('sessions.end')}
        </Button>
      )}
    </Group>
  )
}
