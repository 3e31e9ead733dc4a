import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import type { Answer } from '../../api/client.ts'
import { useMeAgain } from '../../api/me.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldErrors } from '../../ui/form-errors.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { ConfirmApp } from './confirm-app.tsx'

type Started = Answer<'POST /me/two-factor'>

/** Three steps: the password again, the app with a first code, the backup codes. */
export function TwoFactorSetup({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const { t } = useTranslation('profile')
  const [started, setStarted] = useState<Started | null>(null)
  const [isConfirmed, setConfirmed] = useState(false)
  const meAgain = useMeAgain()
  // The backup codes are shown once: this closes by their button alone.
  const closing = isConfirmed ? { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false } : {}
  const step = started === null ? 'start' : isConfirmed ? 'backup' : 'app'
  return (
    <Dialog opened onClose={onClose} title={t(`set_up.${step}.title`)} {...closing}>
      {started === null ? <Start hasPassword={hasPassword} onStarted={setStarted} onClose={onClose} /> : null}
      {started !== null && !isConfirmed ? <ConfirmApp started={started} onConfirmed={() => setConfirmed(true)} /> : null}
      {started !== null && isConfirmed ? (
        <BackupCodes
          codes={started.backup_codes}
          onStored={() => {
            void meAgain()
            onClose()
          }}
        />
      ) : null}
    </Dialog>
  )
}

type StartProps = { hasPassword: boolean; onStarted: (started: Started) => void; onClose: () => void }

function Start({ hasPassword, onStarted, onClose }: StartProps) {
  const { t } = useTranslation('profile')
  const { t: tApp } = useTranslation('app')
  const { t: tPeople } = useTranslation('people')
  const [password, setPassword] = useState('')
  const start = useChange('POST /me/two-factor', { onSuccess: onStarted })
  const wrong = fieldErrors(start.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate({ body: hasPassword ? { password } : {} })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('set_up.start.text')}</Text>
        {hasPassword ? (
          <PasswordInput
            label={t('password.current')}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={wrong.password && tPeople('password.wrong')}
            required
            withAsterisk={false}
            data-autofocus
            visibilityToggleButtonProps={{ 'aria-label': tPeople('password.show') }}
          />
        ) : null}
        {start.error && wrong.password === undefined ? <ErrorNote error={start.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {tApp('cancel')}
          </Button>
          <Button type="submit" loading={start.isPending}>
            {t('set_up.continue')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
