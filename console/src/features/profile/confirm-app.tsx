import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import type { Answer } from '../../api/client.ts'
import { CodeInput } from '../../ui/code-input.tsx'
import { fieldErrors } from '../../ui/form-errors.tsx'
import { CopyField } from '../../ui/secret-once.tsx'
import { ErrorNote, Loading } from '../../ui/states.tsx'

const QrCode = lazy(() => import('./qr-code.tsx').then(({ QrCode }) => ({ default: QrCode })))

type Props = { started: Answer<'POST /me/two-factor'>; onConfirmed: () => void }

/** The secret for the app, as a picture and as text, and the first code that proves it arrived there. */
export function ConfirmApp({ started, onConfirmed }: Props) {
  const { t } = useTranslation('profile')
  const { t: tPeople } = useTranslation('people')
  const [code, setCode] = useState('')
  const confirm = useChange('POST /me/two-factor/confirm', { onSuccess: onConfirmed, invalidates: ['GET /me/sessions'] })
  const wrong = fieldErrors(confirm.error)
  const give = (given: string) => confirm.mutate({ body: { code: given } })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    give(code)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('set_up.app.scan')}</Text>
        <Suspense fallback={<Loading lines={6} />}>
          <QrCode text={started.totp_uri} label={t('set_up.app.picture')} />
        </Suspense>
        <Text size="sm" component="div">
          {t('set_up.app.by_hand')}{' '}
          <Anchor href={started.totp_uri} underline="always">
            {t('set_up.app.open')}
          </Anchor>
        </Text>
        <CopyField value={inFours(started.secret)} label={t('set_up.app.secret')} />
        <CodeInput
          autoFocus={window.matchMedia('(pointer: fine)').matches}
          value={code}
          onChange={setCode}
          onComplete={give}
          error={wrong.code === undefined ? undefined : tPeople('code.wrong')}
        />
        {confirm.error && wrong.code === undefined ? <ErrorNote error={confirm.error} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={confirm.isPending} disabled={code.length < 6}>
            {t('set_up.app.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Apps read it with the blanks, people without them do not. */
const inFours = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
