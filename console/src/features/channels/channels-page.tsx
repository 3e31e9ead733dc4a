import { Box, Button, Text } from '@mantine/core'
import { IconPhone, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { ForReal } from '../../ui/for-real.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { phoneWords } from '../../ui/phone.ts'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import type { Channel } from './channel.ts'
import { ChannelStanding, Quality, UpstreamWord } from './channel-standing.tsx'

/** The numbers of the account, and how each of them is. */
export function ChannelsPage() {
  return (
    <ForReal>
      <Channels />
    </ForReal>
  )
}

function Channels() {
  const { t } = useTranslation('channels')
  const { id, can } = useAccount()
  const channels = useRead('GET /account/channels/details', {}, { refetchInterval: 30_000 })
  const connect = can('channels:write') ? (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => <Link {...props} to="/a/$accountId/settings/channels/connect" params={{ accountId: id }} />}
    >
      {t('connect.action')}
    </Button>
  ) : null
  const columns: Column<Channel>[] = [
    { name: 'number', head: t('column.number'), cell: (channel) => <NameAndPhone channel={channel} />, isTitle: true },
    { name: 'status', head: t('column.status'), cell: (channel) => <ChannelStanding channel={channel} /> },
    { name: 'quality', head: t('column.quality'), cell: (channel) => <Quality quality={channel.quality} /> },
    { name: 'limit', head: t('column.limit'), cell: (channel) => <UpstreamWord of="limit" word={channel.messaging_limit} /> },
    { name: 'name', head: t('column.name_status'), cell: (channel) => <UpstreamWord of="name" word={channel.name_status} /> },
    { name: 'notice', head: t('column.notice'), cell: (channel) => <Notice at={channel.last_notice_at} /> },
  ]
  return (
    <Page title={t('title')} intro={t('intro')} actions={connect}>
      <Panel padding={0}>
        <DataTable
          label={t('title')}
          columns={columns}
          rows={channels.data?.data ?? []}
          idOf={(channel) => channel.id}
          read={channels}
          linkOf={(channel) => ({
            to: '/a/$accountId/settings/channels/$channelId',
            params: { accountId: id, channelId: channel.id },
          })}
          empty={
            <Empty icon={<IconPhone size={32} aria-hidden />} title={t('empty.title')} action={connect}>
              {t('empty.text')}
            </Empty>
          }
        />
      </Panel>
    </Page>
  )
}

function NameAndPhone({ channel: { phone, display_name, phone_number_id } }: { channel: Channel }) {
  const number = phone === null ? phone_number_id : phoneWords(phone)
  return (
    <Box>
      <Text size="sm" fw={600}>
        {display_name ?? number}
      </Text>
      {display_name === null ? null : (
        <Text size="xs" c="var(--muted)">
          {number}
        </Text>
      )}
    </Box>
  )
}

function Notice({ at }: { at: string | null }) {
  const { t } = useTranslation('channels')
  return at === null ? t('never') : <Ago at={at} />
}
