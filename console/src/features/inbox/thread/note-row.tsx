import { Text } from '@mantine/core'
import { IconNote } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Note } from '../../../api/generated/operations.ts'
import { FormattedText } from '../../../ui/formatted-text.tsx'
import classes from '../inbox.module.css'
import { useClock } from './use-clock.ts'

/** What the team says to itself; the person never sees it. */
export const NoteRow = memo(function NoteRow({ note }: { note: Note }) {
  const { t } = useTranslation('inbox')
  const clock = useClock()
  return (
    <div className={classes.line} data-ours data-last>
      <article className={classes.note} aria-label={t('notes.of', { name: note.author.name ?? t('someone') })}>
        <Text size="xs" fw={600}>
          <IconNote size={13} aria-hidden style={{ verticalAlign: '-2px', marginRight: 4 }} />
          {t('notes.of', { name: note.author.name ?? t('someone') })}
        </Text>
        <FormattedText text={note.text} />
        <div className={classes.foot}>
          <time dateTime={note.created_at}>{clock(note.created_at)}</time>
        </div>
      </article>
    </div>
  )
})
