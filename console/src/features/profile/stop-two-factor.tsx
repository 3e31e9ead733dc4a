import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { useMeAgain } from '../../api/me.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldErrors } from '../../ui/form-errors.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.ts'

/** Takes the second factor away: asks for a code of it once more. */
export function StopTwoFactor({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('profile')
  const { t: tApp } = useTranslation('app')
  const { t: tPeople } = useTranslation('people')
  const [code, setCode] = useState('')
  const meAgain = useMeAgain()
  const stop = useChange('DELETE /me/two-factor', {
    invalidates: ['GET /me/sessions'],
    onSuccess: () => {
      tellDone(t('stop.done'))
      void meAgain()
      onClose()
    },
  })
  const wrong = fieldErrors(stop.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    stop.mutate({ body: { code: code.trim() } })
  }
  return (
    <Dialog opened onClose={onClose} title={t('stop.title')}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('stop.text')}</Text>
          <TextInput
            label={t('stop.code')}
            autoComplete="one-time-code"
            spellCheck={false}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={wrong.code && tPeople('code.wrong')}
            data-autofocus
          />
          {stop.error && wrong.code === undefined ? <ErrorNote error={stop.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {tApp('cancel')}
            </Button>
            <Button type="submit" color="red" loading={stop.isPending} disabled={code.trim().length < 6}>
              {t('two_factor.stop')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
