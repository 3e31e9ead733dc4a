import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/account.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { type Fact, Facts } from '../../ui/facts.tsx'
import { ForReal } from '../../ui/for-real.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { phoneWords } from '../../ui/phone.ts'
import { Said } from '../../ui/said.tsx'
import { Empty, ErrorNote, PageLoading } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import type { Channel, Connection } from './channel.ts'
import { ChannelActions } from './channel-actions.tsx'
import { ChannelStanding, Quality, UpstreamWord } from './channel-standing.tsx'
import { Steps } from './steps.tsx'

/** One number: how it is, what upstream says of it, and what can be done. */
export function ChannelPage() {
  return (
    <ForReal>
      <Shown />
    </ForReal>
  )
}

function Shown() {
  const { t } = useTranslation('channels')
  const { channelId } = useParams({ strict: false })
  const channels = useRead('GET /account/channels/details', {}, { refetchInterval: 15_000 })
  const [checked, setChecked] = useState<Connection | null>(null)
  const back = <BackLink to="/a/$accountId/settings/channels">{t('title')}</BackLink>
  if (channels.isPending) return <PageLoading />
  const channel = channels.data?.data.find((each) => each.id === channelId)
  if (channel === undefined)
    return (
      <Page title={t('title')} back={back}>
        {channels.error ? <ErrorNote error={channels.error} retry={() => void channels.refetch()} /> : <Empty title={t('not_found')} />}
      </Page>
    )
  const number = channel.phone === null ? channel.phone_number_id : phoneWords(channel.phone)
  return (
    <Page
      title={channel.display_name ?? number ?? channel.id}
      back={back}
      actions={<ChannelActions channel={channel} onChecked={setChecked} />}
    >
      {channel.status === 'connected' ? null : <Disconnected channel={channel} />}
      <Panel title={t('health')}>
        <Health channel={channel} />
      </Panel>
      {checked === null ? null : (
        <Panel title={t('steps.title')}>
          <Steps steps={checked.steps} />
        </Panel>
      )}
      <Panel title={t('at_meta')}>
        <AtMeta channel={channel} number={number} />
      </Panel>
    </Page>
  )
}

function Disconnected({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('disconnected.title')}>
      {channel.disconnected_by_hand ? t('disconnected.by_hand') : t('disconnected.text')}
      {channel.disconnected_by_hand ? null : <Said>{channel.disconnected_because ?? ''}</Said>}
    </Alert>
  )
}

function Health({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channels')
  const facts: Fact[] = [
    { name: 'status', label: t('column.status'), value: <ChannelStanding channel={channel} /> },
    { name: 'quality', label: t('column.quality'), value: <Quality quality={channel.quality} /> },
    { name: 'limit', label: t('column.limit'), value: <UpstreamWord of="limit" word={channel.messaging_limit} /> },
    {
      name: 'notice',
      label: t('column.notice'),
      value: channel.last_notice_at === null ? t('never') : <Ago at={channel.last_notice_at} />,
    },
    { name: 'subscribed', label: t('fact.subscribed'), value: t(`subscribed.${String(channel.subscribed)}`) },
    { name: 'checked', label: t('fact.checked'), value: <Ago at={channel.checked_at} /> },
  ]
  return <Facts facts={facts} />
}

function AtMeta({ channel, number }: { channel: Channel; number: string | null }) {
  const { t } = useTranslation('channels')
  const copied = (name: string, label: string, value: string | null): Fact => ({
    name,
    label,
    value: value === null ? '–' : <Copyable value={value} label={label} />,
  })
  const facts: Fact[] = [
    { name: 'number', label: t('column.number'), value: number },
    { name: 'name', label: t('fact.display_name'), value: channel.display_name ?? '–' },
    { name: 'name_status', label: t('column.name_status'), value: <UpstreamWord of="name" word={channel.name_status} /> },
    { name: 'throughput', label: t('fact.throughput'), value: <UpstreamWord of="throughput" word={channel.throughput} /> },
    { name: 'official', label: t('fact.official'), value: t(`answer.${String(channel.official_business_account)}`) },
    { name: 'business_app', label: t('fact.business_app'), value: t(`answer.${String(channel.on_business_app)}`) },
    copied('phone_number_id', t('form.phone_number_id'), channel.phone_number_id),
    copied('waba_id', t('form.waba_id'), channel.waba_id),
    copied('id', t('fact.id'), channel.id),
    { name: 'created', label: t('fact.created'), value: <Ago at={channel.created_at} /> },
  ]
  return <Facts facts={facts} />
}
