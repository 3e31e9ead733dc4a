import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'
import { Panel } from '../../ui/panel.tsx'
import { phoneWords } from '../../ui/phone.ts'
import { Standing } from '../../ui/standing.tsx'
import { Ago } from '../../ui/time.tsx'
import type { Overview } from './overview.ts'

const qualities = ['GREEN', 'YELLOW', 'RED'] as const
const qualityTones = { GREEN: 'good', YELLOW: 'warning', RED: 'bad' } as const

/** The numbers with their state. */
export function ChannelsPanel({ overview: { channels } }: { overview: Overview }) {
  const { t } = useTranslation('home')
  const { id: accountId, can } = useAccount()
  return (
    <Panel title={t('channels.title')}>
      {channels.length === 0 ? (
        <Stack align="flex-start" gap="sm">
          <Text size="sm" c="var(--muted)">
            {t('channels.none')}
          </Text>
          {can('channels:write') ? (
            <Button renderRoot={(props) => <Link {...props} to="/a/$accountId/settings/channels/connect" params={{ accountId }} />}>
              {t('channels.connect')}
            </Button>
          ) : null}
        </Stack>
      ) : (
        <Stack gap="md">
          {channels.map((channel) => (
            <ChannelLine key={channel.id} channel={channel} />
          ))}
        </Stack>
      )}
    </Panel>
  )
}

function ChannelLine({ channel }: { channel: Overview['channels'][number] }) {
  const { t } = useTranslation('home')
  const { id: accountId } = useAccount()
  const isConnected = channel.status === 'connected'
  const quality = qualities.find((each) => each === channel.quality)
  return (
    <Group justify="space-between" align="flex-start" gap="xs">
      <Box style={{ minWidth: 0 }}>
        <Anchor
          size="sm"
          fw={600}
          renderRoot={(props) => (
            <Link {...props} to="/a/$accountId/settings/channels/$channelId" params={{ accountId, channelId: channel.id }} />
          )}
        >
          {channel.display_name ?? (channel.phone === null ? channel.id : phoneWords(channel.phone))}
        </Anchor>
        <Text size="xs" c="var(--muted)">
          {channel.display_name !== null && channel.phone !== null ? phoneWords(channel.phone) : null}
        </Text>
        <Text size="xs" c="var(--muted)">
          {channel.last_notice_at === null ? (
            t('channels.no_notice')
          ) : (
            <>
              {t('channels.last_notice')} <Ago at={channel.last_notice_at} />
            </>
          )}
        </Text>
        {isConnected || channel.disconnected_because === null ? null : (
          <Text size="xs" c="light-dark(#b42318, #ff9b91)">
            {channel.disconnected_because}
          </Text>
        )}
      </Box>
      <Group gap="md" fz="sm">
        <Standing tone={isConnected ? 'good' : 'bad'}>{isConnected ? t('channels.connected') : t('channels.disconnected')}</Standing>
        {quality === undefined ? null : <Standing tone={qualityTones[quality]}>{t(`channels.quality.${quality}`)}</Standing>}
      </Group>
    </Group>
  )
}
