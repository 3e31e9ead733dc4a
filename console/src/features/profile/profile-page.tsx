import { useTranslation } from 'react-i18next'
import { useMe } from '../../api/me.ts'
import { Page } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { PersonPanel } from './person-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import { TwoFactorPanel } from './two-factor-panel.tsx'

/** Who one is and how one signs in, the same in every account. */
export function ProfilePage() {
  const { t } = useTranslation('profile')
  const me = useMe()
  if (me.data === undefined) return <Loading />
  const { user } = me.data
  return (
    <Page title={t('title')} intro={t('intro')} width="narrow">
      <PersonPanel user={user} />
      <PasswordPanel hasPassword={user.has_password} email={user.email} />
      <TwoFactorPanel user={user} />
      <SessionsPanel />
    </Page>
  )
}
