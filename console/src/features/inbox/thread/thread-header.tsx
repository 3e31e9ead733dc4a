import { ActionIcon, Badge, Button, Group, Text, Title, Tooltip } from '@mantine/core'
import { IconArrowLeft, IconCircleCheck, IconLayoutSidebarRight, IconRotate } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../../api/account.ts'
import type { Conversation } from '../../../api/generated/operations.ts'
import { phoneWords } from '../../../ui/phone.ts'
import classes from '../inbox.module.css'
import { personName } from '../person.ts'
import { useChangeConversation } from '../use-change-conversation.ts'
import { AssignMenu } from './assign-menu.tsx'
import { LabelMenu } from './label-menu.tsx'
import { SnoozeMenu } from './snooze-menu.tsx'

type Props = { conversation: Conversation; isPhone: boolean; areDetailsOpen: boolean; onBack: () => void; onDetails: () => void }

/** Whom the conversation is with, and what the team does with it. */
export function ThreadHeader({ conversation, isPhone, areDetailsOpen, onBack, onDetails }: Props) {
  const { t } = useTranslation('inbox')
  const { contact, state, labels, snoozed_until } = conversation
  const channelName = useChannelName(conversation.channel_id)
  return (
    <header className={classes.header}>
      <div className={classes.headerParts}>
        {isPhone ? (
          <ActionIcon variant="subtle" color="gray" size={40} aria-label={t('back_to_list')} onClick={onBack}>
            <IconArrowLeft size={20} />
          </ActionIcon>
        ) : null}
        <div className={classes.who}>
          <Group gap={8} wrap="nowrap">
            <Title order={1} size="h3" className={classes.name} dir="auto" title={personName(contact)}>
              {personName(contact)}
            </Title>
            {state === 'closed' ? (
              <Badge size="sm" variant="default" tt="none">
                {t('state.closed')}
              </Badge>
            ) : null}
            {snoozed_until === null ? null : (
              <Badge size="sm" variant="default" tt="none">
                {t('state.snoozed')}
              </Badge>
            )}
            {isPhone
              ? null
              : labels.slice(0, 3).map((label) => (
                  <Badge key={label} size="sm" variant="light" tt="none" className={classes.label}>
                    {label}
                  </Badge>
                ))}
          </Group>
          <Text size="xs" c="var(--muted)" truncate>
            {[contact.name === null ? null : phoneWords(contact.phone), channelName]
              .filter((each) => each !== null && each !== '')
              .join(' · ')}
          </Text>
        </div>
        <Group gap={6} wrap="nowrap" className={classes.actions}>
          {isPhone ? null : <TeamActions conversation={conversation} />}
          <CloseButton conversation={conversation} isPhone={isPhone} />
          <Tooltip label={t('details.action')}>
            <ActionIcon
              variant={areDetailsOpen ? 'light' : 'default'}
              size={30}
              aria-label={t('details.action')}
              aria-expanded={areDetailsOpen}
              onClick={onDetails}
            >
              <IconLayoutSidebarRight size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </div>
    </header>
  )
}

/** What the team does beside answering; on a phone among the details. */
export function TeamActions({ conversation }: { conversation: Conversation }) {
  return (
    <>
      <AssignMenu conversation={conversation} />
      <LabelMenu conversation={conversation} />
      <SnoozeMenu conversation={conversation} />
    </>
  )
}

function CloseButton({ conversation, isPhone }: { conversation: Conversation; isPhone: boolean }) {
  const { t } = useTranslation('inbox')
  const { can } = useAccount()
  const { change, isPending } = useChangeConversation()
  const isOpen = conversation.state === 'open'
  const icon = isOpen ? <IconCircleCheck size={16} /> : <IconRotate size={16} />
  const name = isOpen ? t('close.action') : t('close.reopen')
  const press = () => change(conversation.id, { state: isOpen ? 'closed' : 'open' })
  if (isPhone)
    return (
      <ActionIcon variant="default" size={30} disabled={!can('inbox:write')} loading={isPending} aria-label={name} onClick={press}>
        {icon}
      </ActionIcon>
    )
  return (
    <Button
      variant="default"
      size="compact-md"
      fz="sm"
      title={name}
      disabled={!can('inbox:write')}
      loading={isPending}
      leftSection={icon}
      onClick={press}
    >
      {name}
    </Button>
  )
}

/** What the team calls a number: the name that people see, with its phone. */
export function useChannelName(id: string): string | null {
  const { can } = useAccount()
  const channels = useRead('GET /account/channels', {}, { enabled: can('channels:read'), staleTime: 60_000 })
  const channel = channels.data?.data.find((each) => each.id === id)
  if (channel === undefined) return null
  return [channel.display_name, channel.phone === null ? null : phoneWords(channel.phone)].filter((each) => each !== null).join(' ')
}
