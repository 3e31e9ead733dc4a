import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'
import { Page } from '../../ui/page.tsx'
import { InvitationsPanel } from './invitations-panel.tsx'
import { Invite } from './invite.tsx'
import { PeoplePanel } from './people-panel.tsx'

/** Who belongs to the account and what each may do; who is invited. */
export function MembersPage() {
  const { t } = useTranslation('members')
  const { can } = useAccount()
  const [isInviting, setInviting] = useState(false)
  const mayManage = can('members:write')
  return (
    <Page
      title={t('title')}
      intro={t('intro')}
      actions={
        mayManage ? (
          <Button leftSection={<IconUserPlus size={18} />} onClick={() => setInviting(true)}>
            {t('invite.open')}
          </Button>
        ) : null
      }
    >
      <PeoplePanel />
      {mayManage ? <InvitationsPanel /> : null}
      {isInviting ? <Invite onClose={() => setInviting(false)} /> : null}
    </Page>
  )
}
