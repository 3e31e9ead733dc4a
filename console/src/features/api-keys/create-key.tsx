import { Button, Checkbox, Group, Input, Radio, Stack, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldErrors } from '../../ui/form-errors.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { type NewKey, type Scope, scopes, wordOf } from './key.ts'

type Props = { opened: boolean; onClose: () => void; onMade: (key: NewKey) => void }

/** A dialog that makes a key. */
export function CreateKey({ opened, onClose, onMade }: Props) {
  const { t } = useTranslation('api-keys')
  return (
    <Dialog opened={opened} onClose={onClose} title={t('create')} size="lg">
      <KeyForm
        onClose={onClose}
        onMade={(key) => {
          onClose()
          onMade(key)
        }}
      />
    </Dialog>
  )
}

function KeyForm({ onClose, onMade }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('api-keys')
  const { t: tApp } = useTranslation('app')
  const [name, setName] = useState('')
  const [mode, setMode] = useState('live')
  const [access, setAccess] = useState('all')
  const [chosen, setChosen] = useState<Scope[]>([])
  const create = useChange('POST /account/api-keys', { invalidates: ['GET /account/api-keys'], onSuccess: onMade })
  const errors = fieldErrors(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ body: { name, livemode: mode === 'live', scopes: access === 'all' ? null : chosen } })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('form.name')}
          description={t('form.name_help')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errors.name}
          maxLength={60}
          required
          data-autofocus
        />
        <Radio.Group label={t('form.mode')} value={mode} onChange={setMode}>
          <Stack gap="xs" mt="xs">
            <Radio value="live" label={t('mode.live.name')} description={t('mode.live.text')} />
            <Radio value="test" label={t('mode.test.name')} description={t('mode.test.text')} />
          </Stack>
        </Radio.Group>
        <Radio.Group label={t('form.access')} value={access} onChange={setAccess}>
          <Stack gap="xs" mt="xs">
            <Radio value="all" label={t('access.all.name')} description={t('access.all.text')} />
            <Radio value="chosen" label={t('access.chosen.name')} description={t('access.chosen.text')} />
          </Stack>
        </Radio.Group>
        {access === 'chosen' ? <ScopeChoice chosen={chosen} onChange={setChosen} error={errors.scopes} /> : null}
        {create.error && Object.keys(errors).length === 0 ? <ErrorNote error={create.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {tApp('cancel')}
          </Button>
          <Button type="submit" loading={create.isPending} disabled={name.trim() === '' || (access === 'chosen' && chosen.length === 0)}>
            {t('create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function ScopeChoice({ chosen, onChange, error }: { chosen: Scope[]; onChange: (chosen: Scope[]) => void; error: ReactNode }) {
  const { t } = useTranslation('api-keys')
  return (
    <Input.Wrapper error={error}>
      <Checkbox.Group label={t('form.scopes')} value={chosen} onChange={(values) => onChange(values)}>
        <Stack gap="sm" mt="xs">
          {scopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={t(`scope.${wordOf(scope)}.name`)} description={t(`scope.${wordOf(scope)}.text`)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Input.Wrapper>
  )
}
