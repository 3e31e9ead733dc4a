import { Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMe } from '../api/me.ts'
import { Empty, ErrorNote, PageLoading } from '../ui/states.tsx'
import { lastAccount } from './last-account.ts'

/** The console's address without a page: leads to the account that was open last, or to the sign-in. */
export function Entrance() {
  const { t } = useTranslation('app')
  const me = useMe()
  if (me.error?.status === 401) return <Navigate to="/sign-in" replace />
  if (me.error) return <ErrorNote error={me.error} retry={() => void me.refetch()} />
  if (me.isPending) return <PageLoading />
  const { accounts } = me.data
  const account = accounts.find((each) => each.id === lastAccount()) ?? accounts[0]
  if (account === undefined) return <Empty title={t('no_account.title')}>{t('no_account.text')}</Empty>
  return <Navigate to="/a/$accountId" params={{ accountId: account.id }} replace />
}
