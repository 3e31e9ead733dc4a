import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/account.ts'
import { useTitle, useTitleCount } from '../../ui/title.ts'
import { personName } from './person.ts'

/** The tab says with whom the open conversation is, and how many conversations wait to be read. */
export function useInboxTitle(conversationId: string | undefined): void {
  const { t } = useTranslation('inbox')
  const open = useRead(
    'GET /account/conversations/{id}',
    { path: { id: conversationId ?? '' } },
    { enabled: conversationId !== undefined },
  ).data
  const unread = useRead('GET /account/conversations/counts', {}).data?.unread ?? 0
  useTitle(open === undefined || conversationId === undefined ? t('title') : `${personName(open.contact)} · ${t('title')}`)
  useTitleCount(unread)
}
