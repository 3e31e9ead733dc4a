import { Drawer } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../api/account.ts'
import type { TeamMessage } from '../../../api/generated/operations.ts'
import { ErrorNote, Loading } from '../../../ui/states.tsx'
import { PendingSends } from '../composer/pending-sends.tsx'
import { DetailsPanel } from '../details/details-panel.tsx'
import classes from '../inbox.module.css'
import { ThreadHeader } from './thread-header.tsx'
import { ThreadView } from './thread-view.tsx'
import { useMarkRead } from './use-mark-read.ts'

/** Loaded beside the first messages: one reads before one writes. */
const Composer = lazy(async () => ({ default: (await import('../composer/composer.tsx')).Composer }))

type Props = {
  conversationId: string
  around: string | null
  size: 'phone' | 'medium' | 'wide'
  areDetailsOpen: boolean
  onDetails: () => void
  onBack: () => void
}

/** One conversation: its header, its messages, and where the team answers. */
export function ThreadPanel({ conversationId, around, size, areDetailsOpen, onDetails, onBack }: Props) {
  const { t } = useTranslation('inbox')
  const [replyTo, setReplyTo] = useState<TeamMessage | null>(null)
  const read = useRead('GET /account/conversations/{id}', { path: { id: conversationId } })
  const conversation = read.data
  useMarkRead(conversation)
  if (read.error && conversation === undefined)
    return (
      <section className={classes.panel} aria-label={t('thread.label')}>
        <ErrorNote error={read.error} retry={() => void read.refetch()} />
      </section>
    )
  if (conversation === undefined)
    return (
      <section className={classes.panel} aria-label={t('thread.label')}>
        <Loading lines={8} />
      </section>
    )
  return (
    <>
      <section className={classes.panel} aria-label={t('thread.label')} data-drop-area>
        <ThreadHeader
          conversation={conversation}
          isPhone={size === 'phone'}
          areDetailsOpen={areDetailsOpen}
          onBack={onBack}
          onDetails={onDetails}
        />
        <ThreadView conversation={conversation} around={around} onReply={setReplyTo} />
        <PendingSends conversationId={conversation.id} />
        <Suspense fallback={<Loading lines={2} />}>
          <Composer conversation={conversation} replyTo={replyTo} onClearReply={() => setReplyTo(null)} />
        </Suspense>
      </section>
      {size === 'wide' ? (
        areDetailsOpen ? (
          <aside className={classes.details} aria-label={t('details.title')}>
            <DetailsPanel conversation={conversation} />
          </aside>
        ) : null
      ) : (
        <Drawer
          opened={areDetailsOpen}
          onClose={onDetails}
          position="right"
          size={360}
          title={t('details.title')}
          closeButtonProps={{ 'aria-label': t('close_dialog') }}
        >
          <DetailsPanel conversation={conversation} withActions={size === 'phone'} />
        </Drawer>
      )}
    </>
  )
}
