import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeInput } from '../../ui/code-input.tsx'
import { useWait } from '../../ui/use-wait.ts'
import { Problem } from './problem.tsx'
import { Submit } from './submit.tsx'

export type Code = { code: string; isBackup: boolean; trustDevice: boolean }

type Props = {
  onCode: (code: Code) => void
  isBusy: boolean
  error: unknown
  /** Whether this browser can be excused from the code another time. */
  canTrust: boolean
  onRestart: () => void
}

/** The second factor: six digits of the app, or one of the codes kept for when it is lost. */
export function CodeStep({ onCode, isBusy, error, canTrust, onRestart }: Props) {
  const { t } = useTranslation('sign-in')
  const [code, setCode] = useState('')
  const [isBackup, setBackup] = useState(false)
  const [trustDevice, setTrust] = useState(false)
  const waitSeconds = useWait(error)
  const give = (given: string) => {
    if (given.trim() !== '' && !isBusy && waitSeconds === 0) onCode({ code: given.trim(), isBackup, trustDevice })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    give(code)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="var(--muted)">
          {isBackup ? t('code.backup_text') : t('code.app_text')}
        </Text>
        {isBackup ? (
          <TextInput
            label={t('code.backup_label')}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            size="md"
            autoFocus
          />
        ) : (
          <CodeInput value={code} onChange={setCode} onComplete={give} autoFocus />
        )}
        {canTrust ? (
          <Checkbox label={t('code.trust')} checked={trustDevice} onChange={(event) => setTrust(event.currentTarget.checked)} />
        ) : null}
        <Problem error={error} wrong={t('code.wrong')} />
        <Submit isBusy={isBusy} waitSeconds={waitSeconds}>
          {t('code.give')}
        </Submit>
        <Stack gap={4}>
          <Button
            variant="subtle"
            onClick={() => {
              setCode('')
              setBackup(!isBackup)
            }}
          >
            {isBackup ? t('code.use_app') : t('code.use_backup')}
          </Button>
          <Button variant="subtle" color="gray" c="var(--muted)" onClick={onRestart}>
            {t('code.restart')}
          </Button>
        </Stack>
      </Stack>
    </form>
  )
}
