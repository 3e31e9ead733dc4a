import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.ts'
import { FreedNote } from './freed-note.tsx'
import type { Member } from './member.ts'
import { RoleChoice } from './role-choice.tsx'

export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const { t } = useTranslation('members')
  const { t: tApp } = useTranslation('app')
  const [role, setRole] = useState(member.role)
  const change = useChange('PATCH /account/members/{user_id}', {
    invalidates: ['GET /account/members', 'GET /account/conversations', 'GET /account/conversations/counts'],
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(
      { path: { user_id: member.user_id }, body: { role } },
      {
        onSuccess: () => {
          tellDone(t('change_role.done', { name: member.name }))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog opened onClose={onClose} title={t('change_role.of', { name: member.name })}>
      <form onSubmit={submit}>
        <Stack>
          <RoleChoice label={t('people.role')} value={role} onChange={setRole} />
          {role === 'viewer' && member.role !== 'viewer' ? <FreedNote userId={member.user_id} /> : null}
          {change.error ? <ErrorNote error={change.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {tApp('cancel')}
            </Button>
            <Button type="submit" loading={change.isPending} disabled={role === member.role}>
              {t('change_role.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
