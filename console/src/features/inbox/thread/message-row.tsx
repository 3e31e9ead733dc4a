import { Badge, Group, Text } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TeamMessage } from '../../../api/generated/operations.ts'
import { MessageContent } from '../content/message-content.tsx'
import classes from '../inbox.module.css'
import { FailureNote } from './failure-note.tsx'
import { Quote } from './quote.tsx'
import { Ticks } from './ticks.tsx'
import { Tools } from './tools.tsx'
import { useClock } from './use-clock.ts'

type Props = { message: TeamMessage; isFirst: boolean; isLast: boolean; isFound: boolean }

/** One message as a bubble, with all that belongs to it. */
export const MessageRow = memo(function MessageRow({ message, isFirst, isLast, isFound }: Props) {
  const { t } = useTranslation('inbox')
  const clock = useClock()
  if (message.type === 'system' && message.kind === 'system')
    return (
      <div className={classes.system} data-message={message.id}>
        {message.text ?? t('kind.system')}
      </div>
    )
  const isOurs = message.direction === 'outbound'
  const isBare = message.kind === 'sticker' && message.media !== null && message.deleted_at === null
  return (
    <div
      className={classes.line}
      data-ours={isOurs || undefined}
      data-last={isLast || undefined}
      data-message={message.id}
      data-found={isFound || undefined}
    >
      <article
        className={classes.bubble}
        data-bare={isBare || undefined}
        data-first={isFirst || undefined}
        aria-label={t(isOurs ? 'message.ours' : 'message.theirs', { time: clock(message.created_at) })}
      >
        {isOurs && isFirst ? <Author message={message} /> : null}
        {message.reply_to === null ? null : <Quote id={message.reply_to} quoted={message.quoted} />}
        <MessageContent message={message} />
        <div className={classes.foot}>
          {message.edited_at === null || message.deleted_at !== null ? null : <span>{t('edited')}</span>}
          <time dateTime={message.created_at}>{clock(message.created_at)}</time>
          {isOurs ? <Ticks status={message.status} /> : null}
        </div>
        {message.outcome_unknown && message.status === 'failed' ? (
          <div className={classes.failure}>{t('message.unknown_outcome')}</div>
        ) : null}
        {message.error === null ? null : <FailureNote error={message.error} />}
        <Reactions message={message} />
      </article>
      {message.deleted_at === null ? <Tools message={message} /> : null}
    </div>
  )
})

/** Who wrote it for us: one of the team, or a system. */
function Author({ message }: { message: TeamMessage }) {
  const { t } = useTranslation('inbox')
  return (
    <Group gap={6} mb={2} wrap="nowrap">
      {message.author === null ? null : (
        <Text size="xs" fw={600}>
          {message.author.name ?? t('someone')}
        </Text>
      )}
      {message.source === 'chat' && message.author !== null ? null : (
        <Badge size="xs" variant="default" tt="none" title={t(`source_help.${message.source}`)}>
          {t(`source.${message.source}`)}
        </Badge>
      )}
    </Group>
  )
}

function Reactions({ message }: { message: TeamMessage }) {
  const { t } = useTranslation('inbox')
  if (message.reactions.length === 0) return null
  return (
    <ul className={classes.reactions} aria-label={t('react.list')}>
      {message.reactions.map((each) => (
        <li key={`${each.by} ${each.emoji} ${each.created_at}`} title={each.by === 'us' ? t('react.by_team') : t('react.by_person')}>
          <span role="img" aria-label={`${each.emoji} ${each.by === 'us' ? t('react.by_team') : t('react.by_person')}`}>
            {each.emoji}
          </span>
        </li>
      ))}
    </ul>
  )
}
