import { Anchor, Box, Group, Image, Stack, Text } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'
import type { Message } from '../../api/generated/operations.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { type Fact, Facts } from '../../ui/facts.tsx'
import { FormattedText } from '../../ui/formatted-text.tsx'
import { Panel } from '../../ui/panel.tsx'
import { phoneWords } from '../../ui/phone.ts'
import { Moment } from '../../ui/time.tsx'

/** What the message says, and what is known of it. */
export function MessageContent({ message }: { message: Message }) {
  const { t } = useTranslation('messages')
  const facts = useFacts(message)
  return (
    <Panel title={t('message.content')}>
      <Stack gap="lg">
        <Box
          p="sm"
          maw={560}
          style={{
            background: message.direction === 'inbound' ? 'var(--bubble-in)' : 'var(--bubble-out)',
            border: '1px solid var(--line)',
            borderRadius: 12,
            alignSelf: message.direction === 'inbound' ? 'flex-start' : 'flex-end',
          }}
        >
          <Stack gap="xs">
            {message.media === null ? null : <Media media={message.media} />}
            <Text size="sm" component="div" c={message.text === null ? 'var(--muted)' : 'inherit'}>
              {message.text === null ? t(`type.${message.type}`) : <FormattedText text={message.text} />}
            </Text>
          </Stack>
        </Box>
        <Facts facts={facts} />
      </Stack>
    </Panel>
  )
}

function Media({ media }: { media: NonNullable<Message['media']> }) {
  const { t, i18n } = useTranslation('messages')
  const name = media.file_name ?? media.mime_type ?? t('message.file')
  const size =
    media.size_bytes === null
      ? null
      : new Intl.NumberFormat(i18n.language, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 }).format(
          Math.max(1, media.size_bytes / 1024),
        )
  return (
    <Stack gap={4}>
      {media.mime_type?.startsWith('image/') ? <Image src={media.url} alt={name} radius="sm" mah={280} fit="contain" /> : null}
      <Group gap={6} wrap="nowrap">
        <IconPaperclip size={16} aria-hidden="true" />
        <Anchor href={media.url} target="_blank" rel="noreferrer" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {[name, size].filter(Boolean).join(' · ')}
        </Anchor>
      </Group>
    </Stack>
  )
}

function useFacts(message: Message): Fact[] {
  const { t } = useTranslation('messages')
  const { id: accountId, can } = useAccount()
  const channels = useRead('GET /account/channels', {}, { enabled: can('channels:read'), staleTime: 60_000 })
  const channel = channels.data?.data.find(({ id }) => id === message.channel_id)
  const { contact, pricing } = message
  const copied = (label: string, value: string) => <Copyable label={label} value={value} />
  const facts: (Fact | null)[] = [
    {
      name: 'person',
      label: message.direction === 'inbound' ? t('fact.from') : t('fact.to'),
      value: [contact.name, contact.phone === '' ? contact.user_id : phoneWords(contact.phone)].filter(Boolean).join(' · '),
    },
    {
      name: 'channel',
      label: t('fact.channel'),
      value: can('channels:read') ? (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...props} to="/a/$accountId/settings/channels/$channelId" params={{ accountId, channelId: message.channel_id }} />
          )}
        >
          {[channel?.display_name, channel?.phone ? phoneWords(channel.phone) : null].filter(Boolean).join(' · ') || message.channel_id}
        </Anchor>
      ) : (
        message.channel_id
      ),
    },
    { name: 'type', label: t('fact.type'), value: t(`type.${message.type}`) },
    message.direction === 'inbound' ? null : { name: 'source', label: t('fact.source'), value: t(`source.${message.source}`) },
    { name: 'at', label: t('fact.created_at'), value: <Moment at={message.created_at} /> },
    message.client_reference === null
      ? null
      : { name: 'reference', label: t('fact.client_reference'), value: copied(t('fact.client_reference'), message.client_reference) },
    message.reply_to === null
      ? null
      : {
          name: 'reply_to',
          label: t('fact.reply_to'),
          value: message.reply_to.startsWith('msg_') ? (
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link {...props} to="/a/$accountId/messages/$messageId" params={{ accountId, messageId: message.reply_to ?? '' }} />
              )}
            >
              {message.reply_to}
            </Anchor>
          ) : (
            message.reply_to
          ),
        },
    message.button_reply_id === null ? null : { name: 'button', label: t('fact.button_reply_id'), value: message.button_reply_id },
    pricing === null
      ? null
      : {
          name: 'pricing',
          label: t('fact.pricing'),
          value: [
            pricing.category === null ? null : t(`category.${pricing.category}`, { defaultValue: pricing.category }),
            pricing.billable === null ? null : pricing.billable ? t('fact.billable') : t('fact.free'),
          ]
            .filter(Boolean)
            .join(' · '),
        },
    { name: 'id', label: t('fact.id'), value: copied(t('fact.id'), message.id) },
    message.wamid === null ? null : { name: 'wamid', label: t('fact.wamid'), value: copied(t('fact.wamid'), message.wamid) },
  ]
  return facts.filter((fact) => fact !== null)
}
