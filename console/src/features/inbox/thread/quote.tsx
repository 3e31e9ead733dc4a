import { useTranslation } from 'react-i18next'
import type { TeamMessage } from '../../../api/generated/operations.ts'
import classes from '../inbox.module.css'
import { personName } from '../person.ts'
import { Preview } from './preview.tsx'
import { useThreadTools } from './thread-context.ts'

type Props = { id: string; quoted: TeamMessage['quoted'] }

/** The message that another one answers; a click goes there. */
export function Quote({ id, quoted }: Props) {
  const { t } = useTranslation('inbox')
  const { conversation, jump } = useThreadTools()
  return (
    <button type="button" className={classes.quote} onClick={() => jump(id)} title={t('quote.go')}>
      <strong dir="auto">
        {quoted === null ? t('quote.some') : quoted.direction === 'inbound' ? personName(conversation.contact) : t('us')}
      </strong>
      <span dir="auto">{quoted === null ? t('quote.go') : <Preview type={quoted.type} text={quoted.text} />}</span>
    </button>
  )
}
