import { Badge, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '../../../api/generated/operations.ts'
import { phoneWords } from '../../../ui/phone.ts'
import { Ago, Moment } from '../../../ui/time.tsx'
import classes from '../inbox.module.css'
import { personName } from '../person.ts'
import { TeamActions, useChannelName } from '../thread/thread-header.tsx'
import { Notes } from './notes.tsx'

/** What is known of the person and of the conversation, and the team's notes. */
export function DetailsPanel({ conversation, withActions = false }: { conversation: Conversation; withActions?: boolean }) {
  const { t } = useTranslation('inbox')
  const { contact, assignee, labels } = conversation
  const channelName = useChannelName(conversation.channel_id)
  return (
    <Stack gap="lg">
      <Title order={2} size="h3" dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {personName(contact)}
      </Title>
      {withActions ? (
        <Group gap={6} className={classes.actions}>
          <TeamActions conversation={conversation} />
        </Group>
      ) : null}
      <dl className={classes.facts}>
        {contact.phone === '' ? null : <Fact name={t('details.phone')}>{phoneWords(contact.phone)}</Fact>}
        {contact.user_id === undefined ? null : <Fact name={t('details.user_id')}>{contact.user_id}</Fact>}
        <Fact name={t('details.channel')}>{channelName ?? conversation.channel_id}</Fact>
        <Fact name={t('details.window')}>
          <Window closesAt={conversation.window_expires_at} />
        </Fact>
        <Fact name={t('details.assignee')}>{assignee === null ? t('assign.nobody') : (assignee.name ?? t('someone'))}</Fact>
        {conversation.snoozed_until === null ? null : (
          <Fact name={t('details.snoozed_until')}>
            <Moment at={conversation.snoozed_until} />
          </Fact>
        )}
        <Fact name={t('details.marketing')}>{t(conversation.opted_out ? 'details.opted_out' : 'details.opted_in')}</Fact>
        <Fact name={t('details.labels')}>
          {labels.length === 0 ? (
            '–'
          ) : (
            <Group gap={4}>
              {labels.map((label) => (
                <Badge key={label} size="sm" variant="light" tt="none" className={classes.label}>
                  {label}
                </Badge>
              ))}
            </Group>
          )}
        </Fact>
      </dl>
      <Notes conversationId={conversation.id} />
    </Stack>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Window({ closesAt }: { closesAt: string | null }) {
  const { t } = useTranslation('inbox')
  if (closesAt === null || new Date(closesAt).getTime() <= Date.now()) return <Text size="sm">{t('details.window_closed')}</Text>
  return (
    <Text size="sm">
      {t('details.window_open')} <Ago at={closesAt} />
    </Text>
  )
}
