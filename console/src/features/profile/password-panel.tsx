import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { useMeAgain } from '../../api/me.ts'
import { fieldErrors } from '../../ui/form-errors.tsx'
import { NewPassword } from '../../ui/new-password.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.ts'

/** Sets the first password, or changes it; whoever signed in elsewhere is then out. */
export function PasswordPanel({ hasPassword, email }: { hasPassword: boolean; email: string }) {
  const { t } = useTranslation('profile')
  const { t: tPeople } = useTranslation('people')
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const meAgain = useMeAgain()
  const change = useChange('POST /me/password', { invalidates: ['GET /me/sessions'] })
  const wrong = fieldErrors(change.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = hasPassword ? { current_password: current, new_password: next } : { new_password: next }
    change.mutate(
      { body },
      {
        onSuccess: () => {
          tellDone(t('password.saved'))
          setCurrent('')
          setNext('')
          void meAgain()
        },
      },
    )
  }
  return (
    <Panel title={t('password.title')} intro={hasPassword ? t('password.intro') : t('password.none')}>
      <form onSubmit={submit}>
        <Stack>
          {/* For password managers: whose password this is. */}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          {hasPassword ? (
            <PasswordInput
              label={t('password.current')}
              autoComplete="current-password"
              value={current}
              onChange={(event) => setCurrent(event.currentTarget.value)}
              error={wrong.current_password && tPeople('password.wrong')}
              required
              withAsterisk={false}
              visibilityToggleButtonProps={{ 'aria-label': tPeople('password.show') }}
            />
          ) : null}
          <NewPassword label={t('password.new')} value={next} onChange={setNext} error={wrong.new_password} />
          {change.error && Object.keys(wrong).length === 0 ? <ErrorNote error={change.error} /> : null}
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending} disabled={next === ''}>
              {hasPassword ? t('password.change') : t('password.set')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}
