import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldErrors } from '../../ui/form-errors.tsx'
import { CopyField } from '../../ui/secret-once.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { type Role, RoleChoice } from './role-choice.tsx'

/** Invites somebody; then shows the link where it was not mailed, which the gateway does not show again. */
export function Invite({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('members')
  const { t: tApp } = useTranslation('app')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('agent')
  const invite = useChange('POST /account/invitations', { invalidates: ['GET /account/invitations'] })
  const wrong = fieldErrors(invite.error)
  const made = invite.data
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate({ body: { email, role } })
  }
  if (made !== undefined)
    return (
      <Dialog opened onClose={onClose} title={t('invite.made')} closeOnClickOutside={false}>
        <Stack>
          <Text size="sm">{made.link === null ? t('invite.mailed', { email }) : t('invite.not_mailed', { email })}</Text>
          {made.link === null ? null : <CopyField value={made.link} label={t('invite.link')} />}
          <Text size="sm" c="var(--muted)">
            {made.link === null ? t('invite.valid') : t('invite.once')}
          </Text>
          <Group justify="flex-end">
            <Button onClick={onClose}>{tApp('close')}</Button>
          </Group>
        </Stack>
      </Dialog>
    )
  return (
    <Dialog opened onClose={onClose} title={t('invite.title')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('invite.email')}
            type="email"
            autoComplete="off"
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={wrong.email && t('invite.wrong_email')}
            data-autofocus
          />
          <RoleChoice label={t('people.role')} value={role} onChange={setRole} />
          {invite.error && wrong.email === undefined ? <ErrorNote error={invite.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {tApp('cancel')}
            </Button>
            <Button type="submit" loading={invite.isPending}>
              {t('invite.make')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
