import { Avatar, Badge, Group, Text } from '@mantine/core'
import { IconArrowDownLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../../api/account.ts'
import type { Conversation, MessageStatus } from '../../../api/generated/operations.ts'
import { colorsOf, initialsOf } from '../../../ui/initials.ts'
import classes from '../inbox.module.css'
import { personName } from '../person.ts'
import { Preview } from '../thread/preview.tsx'
import { Ticks } from '../thread/ticks.tsx'
import { withoutMessage } from '../views.ts'
import { shortMoment } from './short-moment.ts'

type Props = { conversation: Conversation; isOpen: boolean; isMarked: boolean }

const unreadMax = 99

/** One conversation of the list. */
export const ConversationRow = memo(function ConversationRow({ conversation, isOpen, isMarked }: Props) {
  const { t, i18n } = useTranslation('inbox')
  const { id } = useAccount()
  const { contact, last_message: last, unread, labels, assignee } = conversation
  const name = personName(contact)
  return (
    <Link
      to="/a/$accountId/inbox/$conversationId"
      params={{ accountId: id, conversationId: conversation.id }}
      search={withoutMessage}
      className={classes.row}
      data-row
      data-open={isOpen || undefined}
      data-marked={isMarked || undefined}
      aria-current={isOpen ? 'true' : undefined}
    >
      <Avatar size={38} radius="xl" styles={{ placeholder: colorsOf(name) }} aria-hidden>
        {initialsOf(name)}
      </Avatar>
      <span className={classes.rowText}>
        <Group gap={6} wrap="nowrap" justify="space-between">
          <Text size="sm" fw={unread > 0 ? 700 : 550} truncate dir="auto" title={name}>
            {name}
          </Text>
          <Text size="xs" c="var(--muted)" style={{ flexShrink: 0 }}>
            {shortMoment(conversation.last_at, new Date(), i18n.language)}
          </Text>
        </Group>
        <Group gap={6} wrap="nowrap" justify="space-between">
          <span className={classes.preview} data-unread={unread > 0 || undefined}>
            {last === null ? (
              t('list.nothing_said')
            ) : (
              <>
                {last.direction === 'outbound' ? (
                  <Ticks status={last.status as MessageStatus} size={14} />
                ) : (
                  <IconArrowDownLeft size={14} role="img" aria-label={t('status.received')} style={{ flexShrink: 0 }} />
                )}
                <span className={classes.words} dir="auto">
                  <Preview type={last.type} text={last.text} isDeleted={last.deleted} />
                </span>
              </>
            )}
          </span>
          {unread > 0 ? (
            <Badge size="sm" circle={unread < 10} style={{ flexShrink: 0 }} role="img" aria-label={t('list.unread', { count: unread })}>
              {unread > unreadMax ? `${unreadMax}+` : unread}
            </Badge>
          ) : null}
        </Group>
        {labels.length === 0 && assignee === null ? null : (
          <Group gap={4} wrap="nowrap" justify="space-between" mt={2}>
            <Group gap={4} wrap="nowrap" style={{ minWidth: 0, overflow: 'hidden' }}>
              {labels.slice(0, 3).map((label) => (
                <Badge key={label} size="xs" variant="light" tt="none" className={classes.label}>
                  {label}
                </Badge>
              ))}
            </Group>
            {assignee === null ? null : (
              <Avatar
                size={18}
                radius="xl"
                color="pombo"
                variant="filled"
                role="img"
                aria-label={t('assign.to', { name: assignee.name ?? t('someone') })}
                title={assignee.name ?? t('someone')}
                fz={9}
              >
                {initialsOf(assignee.name ?? '?')}
              </Avatar>
            )}
          </Group>
        )}
      </span>
    </Link>
  )
})
