import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldErrors } from '../../ui/form-errors.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.ts'

/** Notes that a person wants no marketing. */
export function AddOptOut({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('opt-outs')
  const [phone, setPhone] = useState('')
  const change = useChange('POST /account/marketing-opt-outs', {
    invalidates: ['GET /account/marketing-opt-outs'],
    onSuccess: () => {
      tellDone(t('add.done'))
      close()
    },
  })
  const close = () => {
    setPhone('')
    change.reset()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ body: { phone } })
  }
  const problem = fieldErrors(change.error).phone
  return (
    <Dialog opened={opened} onClose={close} title={t('add.title')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{t('add.text')}</Text>
          <TextInput
            type="tel"
            label={t('add.phone')}
            placeholder="+55 11 98765-4321"
            value={phone}
            error={problem}
            maxLength={60}
            data-autofocus
            required
            onChange={(event) => setPhone(event.currentTarget.value)}
          />
          {change.error && problem === undefined ? <ErrorNote error={change.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('add.cancel')}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {t('add.action')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
