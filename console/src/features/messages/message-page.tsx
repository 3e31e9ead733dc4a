import { Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/account.ts'
import type { Message } from '../../api/generated/operations.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { CodeSample } from '../../ui/code-sample.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { phoneWords } from '../../ui/phone.ts'
import { ErrorNote, Loading } from '../../ui/states.tsx'
import { ConversationLink } from './conversation-link.tsx'
import { DiagnosisNote } from './diagnosis-note.tsx'
import { MessageContent } from './message-content.tsx'
import { MessageStatus } from './message-status.tsx'
import { MessageTimeline } from './message-timeline.tsx'

const refreshMs = 3_000

/** A message whose course may go on is read again and again. */
const isSettled = (message: Message | undefined) => message !== undefined && ['read', 'failed'].includes(message.status)

const personOf = ({ contact }: Message) => contact.name ?? (contact.phone === '' ? (contact.user_id ?? '') : phoneWords(contact.phone))

/** Everything about one message: what became of it and why, what it says, and its whole course. */
export function MessagePage() {
  const { t } = useTranslation('messages')
  const { messageId } = useParams({ from: '/a/$accountId/messages/$messageId' })
  const input = { path: { id: messageId } }
  const message = useRead('GET /account/messages/{id}', input, {
    refetchInterval: ({ state }) => (isSettled(state.data) ? false : refreshMs),
  })
  const timeline = useRead('GET /account/messages/{id}/timeline', input, {
    refetchInterval: isSettled(message.data) ? 5 * refreshMs : refreshMs,
  })
  return (
    <Page
      title={message.data === undefined ? t('message.title') : t(`message.${message.data.direction}`, { person: personOf(message.data) })}
      back={<BackLink to="/a/$accountId/messages">{t('title')}</BackLink>}
      actions={
        message.data === undefined ? undefined : (
          <>
            <MessageStatus status={message.data.status} />
            <ConversationLink message={message.data} />
          </>
        )
      }
    >
      {message.error ? <ErrorNote error={message.error} retry={() => void message.refetch()} /> : null}
      {message.isPending ? <Loading lines={8} /> : null}
      {message.data === undefined ? null : (
        <Stack gap="lg">
          {timeline.data === undefined ? null : <DiagnosisNote timeline={timeline.data} />}
          <MessageContent message={message.data} />
          <Panel title={t('timeline.title')}>
            {timeline.error ? <ErrorNote error={timeline.error} retry={() => void timeline.refetch()} /> : null}
            {timeline.isPending ? <Loading /> : null}
            {timeline.data === undefined ? null : <MessageTimeline timeline={timeline.data} />}
          </Panel>
          <Panel title={t('message.json')}>
            <CodeSample code={JSON.stringify(message.data, null, 2)} label={t('message.json')} heightMax={420} />
          </Panel>
        </Stack>
      )}
    </Page>
  )
}
