import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/account.ts'

/** How many open conversations of a member come back to the unassigned when they leave; nothing where there is none. */
export function FreedNote({ userId }: { userId: string }) {
  const { t } = useTranslation('members')
  const counts = useRead('GET /account/conversations/counts', { query: { assignee: userId } }, { staleTime: 0 })
  const count = counts.data?.mine ?? 0
  return count === 0 ? null : (
    <Alert color="yellow" p="xs" role="status">
      {t('freed', { count })}
    </Alert>
  )
}
