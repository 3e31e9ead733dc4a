import { Group, Text } from '@mantine/core'
import { IconBan, IconQuestionMark } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TeamMessage } from '../../../api/generated/operations.ts'
import { FormattedText } from '../../../ui/formatted-text.tsx'
import classes from '../inbox.module.css'
import { ChoicesContent, ReplyContent } from './choices-content.tsx'
import { MediaContent } from './media-content.tsx'
import { OrderContent } from './order-content.tsx'
import { at, textAt } from './parts.ts'
import { PeopleContent } from './people-content.tsx'
import { PlaceContent } from './place-content.tsx'
import { Referral } from './referral.tsx'
import { TemplateContent } from './template-content.tsx'

/** What a message says, in the way of its kind. */
export const MessageContent = memo(function MessageContent({ message }: { message: TeamMessage }) {
  if (message.deleted_at !== null) return <Deleted />
  // What stands under the name of its kind, or is it already.
  const content = at(message.content, message.kind) ?? at(message.meta, message.kind) ?? message.content
  return (
    <div className={classes.content}>
      <Referral referral={at(message.meta, 'referral') ?? at(message.content, 'referral')} />
      <OfKind message={message} content={content} />
    </div>
  )
})

function OfKind({ message, content }: { message: TeamMessage; content: unknown }) {
  const { text } = message
  switch (message.kind) {
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return (
        <>
          <MediaContent message={message} content={content} />
          {text === null || message.file_state === 'failed' ? null : <FormattedText text={text} />}
        </>
      )
    case 'location':
      return <PlaceContent content={content} />
    case 'contacts':
      return <PeopleContent content={content} />
    case 'interactive':
      return message.direction === 'inbound' && textAt(content, 'type')?.endsWith('_reply') ? (
        <ReplyContent content={content} text={text} />
      ) : (
        <ChoicesContent content={content} text={text} />
      )
    case 'button':
      return <ReplyContent content={content} text={text} />
    case 'template':
      return <TemplateContent message={message} content={content} />
    case 'order':
      return <OrderContent content={content} />
    case 'text':
      return <FormattedText text={text ?? ''} />
    default:
      return <Unknown message={message} />
  }
}

function Deleted() {
  const { t } = useTranslation('inbox')
  return (
    <Group gap={6} wrap="nowrap" c="var(--muted)">
      <IconBan size={15} aria-hidden />
      <Text size="sm" fs="italic">
        {t('deleted')}
      </Text>
    </Group>
  )
}

/** Of a kind that nobody passes on in full. */
function Unknown({ message }: { message: TeamMessage }) {
  const { t } = useTranslation('inbox')
  if (message.type !== 'system' && message.text !== null) return <FormattedText text={message.text} />
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" c="var(--muted)">
      <IconQuestionMark size={15} aria-hidden style={{ flexShrink: 0, marginTop: 3 }} />
      <div>
        <Text size="sm">{message.kind === 'placeholder' ? t('placeholder') : t('unsupported')}</Text>
        {message.kind === 'placeholder' ? null : (
          <Text size="xs">{t('unsupported_kind', { kind: textAt(message.meta, 'unsupported', 'type') ?? message.kind })}</Text>
        )}
      </div>
    </Group>
  )
}
