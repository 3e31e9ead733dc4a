import { Anchor, Badge, Box, Button, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconPlugX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'
import { Panel } from '../../ui/panel.tsx'
import { phoneWords } from '../../ui/phone.ts'
import { Ago } from '../../ui/time.tsx'
import type { Overview } from './overview.ts'

const qualities = ['GREEN', 'YELLOW', 'RED'] as const
const qualityColors: Readonly<Record<string, string>> = { GREEN: 'teal', YELLOW: 'yellow', RED: 'red' }

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
          {[
            channel.display_name !== null && channel.phone !== null ? phoneWords(channel.phone) : null,
            channel.messaging_limit === null ? null : t('channels.limit', { limit: channel.messaging_limit }),
          ]
            .filter(Boolean)
            .join(' · ')}
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
      <Group gap="xs">
        {quality === undefined ? null : (
          <Badge variant="dot" color={qualityColors[quality] ?? 'gray'} tt="none" fw={500}>
            {t(`channels.quality.${quality}`)}
          </Badge>
        )}
        <Badge
          variant="light"
          color={isConnected ? 'teal' : 'red'}
          tt="none"
          fw={600}
          leftSection={isConnected ? <IconCircleCheck size={14} /> : <IconPlugX size={14} />}
        >
          {isConnected ? t('channels.connected') : t('channels.disconnected')}
        </Badge>
      </Group>
    </Group>
  )
}
